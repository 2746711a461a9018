package target

import (
	"fmt"
	"strings"

	"heddle/internal/ops"
)

// nvImages are textures and surfaces: tex, tld4, suld and sust, by 64-bit handles that lie in
// package texture's descriptors. A 1-D image is a 2-D one of height 1: tex.1d with integers reads
// no array, and blends a border's colour into all texels. Source: NVIDIA's PTX ISA.
func nvImages(all map[string]Expansion) {
	all[ops.ImageSample] = nvSample("tex", false)
	all[ops.ImageLod] = nvSample("tex.level", true)
	all[ops.ImageFetch] = nvFetch
	all[ops.ImageGather] = nvGather
	all[ops.ImageLoad] = nvLoadSurface
	all[ops.ImageStore] = nvStoreSurface
}

// Where package texture's Desc has the handles, the number of slices and the bias of levels, in
// bytes. The bias is added here: the hardware's own is not exact.
const (
	descImage   = 0
	descSurface = 8
	descSlices  = 36
	descBias    = 84
	// Of AMD's image instructions (amdimage.go).
	descRefused  = 88
	descResource = 480
	descSampler  = 512
)

// nvShape is what a kind of image is to the instructions, and which of the arguments x, y, z (0 to
// 2), layer (3), and a constant middle (4) are its coordinates.
type nvShape struct {
	name string
	at   []int
}

// nvShapes are in the order of package texture's kinds.
var nvShapes = [...]nvShape{
	{"2d", []int{0, 4}}, {"2d", []int{0, 1}}, {"3d", []int{0, 1, 2, 2}}, {"a2d", []int{3, 0, 4, 4}}, {"a2d", []int{3, 0, 1, 1}},
	{"cube", []int{0, 1, 2, 2}}, {"acube", []int{3, 0, 1, 2}},
}

// nvFormats are the channels' types, in the order of package texture's formats: what textures
// give them as, and how wide they are in memory.
var nvFormats = [...]struct {
	read string
	bits int
}{{"s32", 8}, {"u32", 8}, {"s32", 16}, {"u32", 16}, {"s32", 32}, {"u32", 32}, {"f32", 16}, {"f32", 32}}

// nvImage is the parts that all operations' arguments have.
type nvImage struct {
	format, channels int
	shape            nvShape
	desc             Value
	rest             []Value // x, y, z, layer, and what follows
}

func nvImageOf(args []Value) nvImage {
	n := func(i int) int { v, _ := IntConst(args[i]); return int(v) }
	return nvImage{n(0), n(1), nvShapes[n(2)], args[3], args[4:]}
}

// handle is the texture's or the surface's object.
func (i *nvImage) handle(b *Builder, at int64) Value {
	return b.Load(I64, b.GEP(I8, i.desc, Int(I64, at)), 8)
}

// clamped is an i64 as an i32 that is outside the same images.
func clamped(b *Builder, v Value, least int64) Value {
	const most = 1 << 20
	v = b.Intrinsic("llvm.smax.i64", I64, v, Int(I64, least))
	return b.Cast("trunc", b.Intrinsic("llvm.smin.i64", I64, v, Int(I64, most)), I32)
}

// coordinates are the operands in braces, with the constant in place of an axis.
func (i *nvImage) coordinates(xyz []Value, layer, middle Value) (list []Value) {
	for _, k := range i.shape.at {
		switch k {
		case 3:
			list = append(list, layer)
		case 4:
			list = append(list, middle)
		default:
			list = append(list, xyz[k])
		}
	}
	return list
}

// nvAsm builds an instruction's text: outputs, then operands by their types.
type nvAsm struct {
	constraints []string
	args        []Value
}

// out adds n outputs and is them in braces.
func (a *nvAsm) out(constraint string, n int) string {
	var names []string
	for range n {
		names = append(names, fmt.Sprintf("$%d", len(a.constraints)))
		a.constraints = append(a.constraints, "="+constraint)
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// in adds operands, and is their names.
func (a *nvAsm) in(vs ...Value) string {
	var names []string
	for _, v := range vs {
		names = append(names, fmt.Sprintf("$%d", len(a.constraints)))
		a.constraints = append(a.constraints, nvConstraint(v.Type()))
		a.args = append(a.args, v)
	}
	return strings.Join(names, ", ")
}

func nvConstraint(t Type) string {
	switch {
	case t.Equal(F32):
		return "f"
	case t.Equal(I64):
		return "l"
	case t.Equal(I16):
		return "h"
	}
	return "r"
}

// four is the struct of four channels, and their constraint.
func (i *nvImage) four() (Type, string) {
	t := Type(I32)
	if nvFormats[i.format].read == "f32" {
		t = F32
	}
	return Struct(t, t, t, t), nvConstraint(t)
}

// nvSample is tex with float coordinates, at a level if it is given.
func nvSample(name string, level bool) Expansion {
	return func(b *Builder, args ...Value) Value {
		i := nvImageOf(args)
		t, c := i.four()
		at := i.coordinates(i.rest[:3], clamped(b, i.rest[3], 0), Float(F32, 0.5))
		var a nvAsm
		text := fmt.Sprintf("%s.%s.v4.%s.f32 %s, ", name, i.shape.name, nvFormats[i.format].read, a.out(c, 4))
		text += fmt.Sprintf("[%s, {%s}]", a.in(i.handle(b, descImage)), a.in(at...))
		if level {
			bias := b.Load(F32, b.GEP(I8, i.desc, Int(I64, descBias)), 4)
			text += ", " + a.in(b.Bin("fadd", i.rest[4], bias))
		}
		return b.Asm(t, text+";", strings.Join(a.constraints, ","), false, a.args...)
	}
}

// nvFetch is tex with integer coordinates.
func nvFetch(b *Builder, args ...Value) Value {
	i := nvImageOf(args)
	t, c := i.four()
	var xyz []Value
	for _, v := range i.rest[:3] {
		xyz = append(xyz, clamped(b, v, -1))
	}
	at := i.coordinates(xyz, clamped(b, i.rest[3], -1), Int(I32, 0))
	var a nvAsm
	text := fmt.Sprintf("tex.%s.v4.%s.s32 %s, ", i.shape.name, nvFormats[i.format].read, a.out(c, 4))
	text += fmt.Sprintf("[%s, {%s}];", a.in(i.handle(b, descImage)), a.in(at...))
	return b.Asm(t, text, strings.Join(a.constraints, ","), false, a.args...)
}

// nvGather is tld4 of one channel.
func nvGather(b *Builder, args ...Value) Value {
	i := nvImageOf(args)
	t, c := i.four()
	at := i.coordinates(i.rest[:3], clamped(b, i.rest[3], 0), Float(F32, 0.5))
	var a nvAsm
	text := fmt.Sprintf("tld4.%c.%s.v4.%s.f32 %s, ", "rgba"[i.channels], i.shape.name, nvFormats[i.format].read, a.out(c, 4))
	text += fmt.Sprintf("[%s, {%s}];", a.in(i.handle(b, descImage)), a.in(at...))
	return b.Asm(t, text, strings.Join(a.constraints, ","), false, a.args...)
}

// surface is the suffix of suld and sust, the coordinates, the first in bytes, and a channel's
// type.
func (i *nvImage) surface(b *Builder) (suffix string, at []Value, channel Type) {
	f := nvFormats[i.format]
	bits, vec := f.bits, ""
	switch {
	case bits < 32:
		channel = I16
	case f.read == "f32":
		channel = F32
	default:
		channel = I32
	}
	if i.channels > 1 {
		vec = fmt.Sprintf(".v%d", i.channels)
	}
	slice := i.rest[3]
	there := b.ICmp("ult", slice, b.Cast("zext", b.Load(I32, b.GEP(I8, i.desc, Int(I64, descSlices)), 4), I64))
	x := clamped(b, b.Select(there, i.rest[0], Int(I64, -1)), -1)
	x = b.Bin("mul", x, Int(I32, int64(bits/8*i.channels)))
	xyz := []Value{x, clamped(b, i.rest[1], -1), clamped(b, i.rest[2], -1)}
	shape := i.shape
	if strings.HasSuffix(shape.name, "cube") { // faces are slices
		shape = nvShape{"a2d", []int{3, 0, 1, 1}}
	}
	j := nvImage{shape: shape}
	at = j.coordinates(xyz, clamped(b, slice, 0), Int(I32, 0))
	return fmt.Sprintf("b.%s%s.b%d.zero", shape.name, vec, bits), at, channel
}

func nvLoadSurface(b *Builder, args ...Value) Value {
	i := nvImageOf(args)
	suffix, at, channel := i.surface(b)
	var a nvAsm
	text := fmt.Sprintf("suld.%s %s, ", suffix, a.out(nvConstraint(channel), i.channels))
	text += fmt.Sprintf("[%s, {%s}];", a.in(i.handle(b, descSurface)), a.in(at...))
	a.constraints = append(a.constraints, "~{memory}")
	if i.channels == 1 {
		return NewAgg(b.Asm(channel, text, strings.Join(a.constraints, ","), true, a.args...))
	}
	ts := make([]Type, i.channels)
	for k := range ts {
		ts[k] = channel
	}
	return b.Asm(Struct(ts...), text, strings.Join(a.constraints, ","), true, a.args...)
}

func nvStoreSurface(b *Builder, args ...Value) Value {
	i := nvImageOf(args)
	suffix, at, channel := i.surface(b)
	var values []Value
	for _, v := range i.rest[4:] {
		if !v.Type().Equal(channel) {
			v = b.IntCast(v, channel, false)
		}
		values = append(values, v)
	}
	var a nvAsm
	text := fmt.Sprintf("sust.%s [%s, {%s}]", suffix, a.in(i.handle(b, descSurface)), a.in(at...))
	text += fmt.Sprintf(", {%s};", a.in(values...))
	a.constraints = append(a.constraints, "~{memory}")
	b.Asm(Void, text, strings.Join(a.constraints, ","), true, a.args...)
	return None
}
