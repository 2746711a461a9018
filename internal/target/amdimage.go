package target

import (
	"fmt"
	"strings"

	"heddle/internal/ops"
)

// amdImages are textures and surfaces as image instructions, where Machine.Images asks for them. Their
// descriptors lie in package texture's. A cube is layers of six planes: the code computes the face and
// the place there. Source: LLVM's IntrinsicsAMDGPU.td.
func amdImages(all map[string]Expansion) {
	for op, expand := range map[string]Expansion{
		ops.ImageRefused: amdImageRefused, ops.ImageSample: amdSample(false), ops.ImageLod: amdSample(true), ops.ImageFetch: amdFetch,
		ops.ImageGather: amdGather, ops.ImageLoad: amdLoadSurface, ops.ImageStore: amdStoreSurface,
	} {
		all[op] = func(b *Builder, args ...Value) Value {
			if !b.M.T.WantsImages() {
				return nil
			}
			return expand(b, args...)
		}
	}
}

// WantsImages reports whether textures and surfaces are image instructions with descriptors that the host
// made: where a kernel's options ask for them.
func (m *Machine) WantsImages() bool { return m.Images && m.Name == amdTarget }

// HasImages reports whether the machine has image instructions and we have descriptors for them:
// RDNA 2, 3 and 4. (GFX9 before gfx90a and RDNA 1 have others.)
func (m *Machine) HasImages() bool {
	for _, family := range []string{"gfx103", "gfx11", "gfx120"} {
		if len(m.CPU) == len("gfx1030") && strings.HasPrefix(m.CPU, family) {
			return m.Name == amdTarget
		}
	}
	return false
}

// amdShapes are LLVM's names of the kinds, in the order of package texture's, and how many of x, y, z
// are coordinates; layers have one more.
var amdShapes = [...]struct {
	name   string
	axes   int
	layers bool
}{{"1d", 1, false}, {"2d", 2, false}, {"3d", 3, false}, {"1darray", 1, true}, {"2darray", 2, true}, {"2darray", 2, true}, {"2darray", 2, true}}

// amdCube is the first kind that is of cubes.
const amdCube = 5

// amdImage is the parts that all operations' arguments have.
type amdImage struct {
	format, channels, kind int
	desc                   Value   // in constant memory
	rest                   []Value // x, y, z, layer, and what follows
}

func amdImageOf(b *Builder, args []Value) amdImage {
	n := func(i int) int { v, _ := IntConst(args[i]); return int(v) }
	return amdImage{n(0), n(1), n(2), b.Cast("addrspacecast", args[3], Ptr(4)), args[4:]}
}

// load is a part of the descriptor.
func (i *amdImage) load(b *Builder, t Type, at int64, align int) Value {
	return b.Load(t, b.GEP(I8, i.desc, Int(I64, at)), align)
}

func (i *amdImage) resource(b *Builder) Value { return i.load(b, Vector(8, I32), descResource, 32) }
func (i *amdImage) sampler(b *Builder) Value  { return i.load(b, Vector(4, I32), descSampler, 16) }

// amdImageRefused is why the host has made no descriptor for the instructions.
func amdImageRefused(b *Builder, args ...Value) Value {
	return b.Load(I32, b.GEP(I8, b.Cast("addrspacecast", args[0], Ptr(4)), Int(I64, descRefused)), 4)
}

// coordinates are the operands of a kind for x, y, z and a layer.
func (i *amdImage) coordinates(xyz []Value, layer Value) []Value {
	s := amdShapes[i.kind]
	list := append([]Value(nil), xyz[:s.axes]...)
	if s.layers {
		list = append(list, layer)
	}
	return list
}

// place is the operands of a sample, whose coordinates are floats.
func (i *amdImage) place(b *Builder) []Value {
	xyz, layer := i.rest[:3], clamped(b, i.rest[3], 0)
	if i.kind >= amdCube {
		xyz, layer = i.onCube(b, layer)
	}
	return i.coordinates(xyz, b.Cast("uitofp", layer, F32))
}

// onCube is where a direction meets a cube: on a face, which is a layer.
func (i *amdImage) onCube(b *Builder, layer Value) (xyz []Value, slice Value) {
	cube := func(what string) Value { return b.Intrinsic("llvm.amdgcn.cube"+what, F32, i.rest[:3]...) }
	major := b.FBin("fmul", b.Intrinsic("llvm.fabs.f32", F32, cube("ma")), Float(F32, 0.5)) // ma is twice the longest
	major = b.Select(b.FCmp("ogt", major, Float(F32, 0)), major, Float(F32, 1))
	for _, c := range []string{"sc", "tc"} {
		v := b.FBin("fadd", b.FBin("fdiv", cube(c), major), Float(F32, 1))
		xyz = append(xyz, b.FBin("fmul", v, Float(F32, 0.5)))
	}
	last := b.Bin("sub", b.Bin("udiv", i.load(b, I32, descSlices, 4), Int(I32, 6)), Int(I32, 1))
	layer = b.Intrinsic("llvm.smin.i32", I32, layer, last)
	face := b.Cast("fptoui", cube("id"), I32)
	return append(xyz, Float(F32, 0)), b.Bin("add", b.Bin("mul", layer, Int(I32, 6)), face)
}

// call calls an intrinsic of images; data is the result's type, nil of a store.
func (i *amdImage) call(b *Builder, op string, data Type, coordinate string, args ...Value) Value {
	result, of := data, args[0].Type()
	if data == nil {
		result = Void
	} else {
		of = data
	}
	name := fmt.Sprintf("llvm.amdgcn.image.%s.%s.%s.%s", op, amdShapes[i.kind].name, mangled(of), coordinate)
	ts := make([]Type, len(args))
	for k, a := range args {
		ts[k] = a.Type()
	}
	return b.Call(b.M.Declare(name, result, ts...), args...) // without flags: floats are also integers' bits
}

// mangled is how LLVM's overloaded intrinsics name float and vectors of it.
func mangled(t Type) string {
	if t.Equal(F32) {
		return "f32"
	}
	return fmt.Sprintf("v%df32", Bits(t)/32)
}

// floats are n floats: a vector, or one alone.
func floats(n int) Type {
	if n == 1 {
		return F32
	}
	return Vector(uint64(n), F32)
}

// elements are those of what an instruction gives, as the format has them: floats, or integers.
func (i *amdImage) elements(b *Builder, v Value, n int, float bool) *Agg {
	var all []Value
	for k := range n {
		e := v
		if n > 1 {
			e = b.Emit(F32, "extractelement ", T(v), ", ", T(Int(I32, int64(k))))
		}
		if !float {
			e = b.Cast("bitcast", e, I32)
		}
		all = append(all, e)
	}
	return NewAgg(all...)
}

// mask is the dmask of the channels.
func (i *amdImage) mask() Value { return Int(I32, 1<<i.channels-1) }

// floats reports whether a texture of the format gives floats.
func (i *amdImage) floats() bool { return nvFormats[i.format].read == "f32" }

// amdSample is image_sample of a level: of the first, which the sampler clamps as any, if none is given.
func amdSample(level bool) Expansion {
	return func(b *Builder, args ...Value) Value {
		i := amdImageOf(b, args)
		list := append([]Value{i.mask()}, i.place(b)...)
		name := "sample.lz"
		if level {
			name = "sample.l"
			list = append(list, b.FBin("fadd", i.rest[4], i.load(b, F32, descBias, 4)))
		}
		return i.sampled(b, name, list, i.channels, i.sampler(b))
	}
}

// sampled calls an intrinsic with a sampler, whose operands so far are list.
func (i *amdImage) sampled(b *Builder, name string, list []Value, n int, sampler Value) Value {
	list = append(list, i.resource(b), sampler, Bool(false), Int(I32, 0), Int(I32, 0))
	return i.elements(b, i.call(b, name, floats(n), "f32", list...), n, i.floats())
}

// amdGather is image_gather4 of one channel, of the first level. Two fields of the sampler are cleared:
// TRUNC_COORD, which the point filter's has and RDNA 2 and 3 apply to a gather too, whose texels are those
// of the linear filter; and the least level.
func amdGather(b *Builder, args ...Value) Value {
	i := amdImageOf(b, args)
	s := i.sampler(b)
	const truncate = 1 << 27
	levelBits := 12
	if b.M.T.Generation >= 12 {
		levelBits = 13
	}
	for word, keep := range []int64{^truncate, -1 << levelBits} {
		at := T(Int(I32, int64(word)))
		v := b.Bin("and", b.Emit(I32, "extractelement ", T(s), ", ", at), Int(I32, keep))
		s = b.Emit(Vector(4, I32), "insertelement ", T(s), ", ", T(v), ", ", at)
	}
	list := append([]Value{Int(I32, 1<<i.channels)}, i.place(b)...)
	return i.sampled(b, "gather4.lz", list, 4, s)
}

// texel is the operands of an instruction with integer coordinates: outside the image stays outside.
func (i *amdImage) texel(b *Builder) []Value {
	var xyz []Value
	for _, v := range i.rest[:3] {
		xyz = append(xyz, clamped(b, v, -1))
	}
	return i.coordinates(xyz, clamped(b, i.rest[3], -1))
}

// loaded calls image_load.
func (i *amdImage) loaded(b *Builder) Value {
	list := append([]Value{i.mask()}, i.texel(b)...)
	list = append(list, i.resource(b), Int(I32, 0), Int(I32, 0))
	return i.call(b, "load", floats(i.channels), "i32", list...)
}

func amdFetch(b *Builder, args ...Value) Value {
	i := amdImageOf(b, args)
	return i.elements(b, i.loaded(b), i.channels, i.floats())
}

// amdLoadSurface is image_load of a resource whose channels are unsigned integers: their bits.
func amdLoadSurface(b *Builder, args ...Value) Value {
	i := amdImageOf(b, args)
	f := nvFormats[i.format]
	v := i.elements(b, i.loaded(b), i.channels, f.read == "f32" && f.bits == 32)
	if f.read == "f32" && f.bits == 16 {
		for k, e := range v.Elems {
			v.Elems[k] = b.Cast("trunc", e, I16)
		}
		return NewAgg(v.Elems...)
	}
	return v
}

func amdStoreSurface(b *Builder, args ...Value) Value {
	i := amdImageOf(b, args)
	var data Value = Poison(floats(i.channels))
	for k, v := range i.rest[4:] {
		if !v.Type().Equal(F32) {
			v = b.Cast("bitcast", b.IntCast(v, I32, false), F32)
		}
		if i.channels == 1 {
			data = v
			break
		}
		data = b.Emit(data.Type(), "insertelement ", T(data), ", ", T(v), ", ", T(Int(I32, int64(k))))
	}
	list := append([]Value{data, i.mask()}, i.texel(b)...)
	list = append(list, i.resource(b), Int(I32, 0), Int(I32, 0))
	i.call(b, "store", nil, "i32", list...)
	return None
}
