package intrinsics

import (
	"go/types"
	"slices"
	"strings"

	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// textureRows are textures and surfaces. Where a machine has no images, or we no code for them,
// the Go bodies serve, which are the software form.
func textureRows() map[string]Row {
	const tex = module.Texture + "."
	image := func(effect ops.Effect, lower Lowering) Row {
		return Row{Facts: ops.Facts{Effect: effect, Panics: true}, Const: []int{0}, Body: true, Needs: needsImages, Instead: softForm, Lower: func(c *Call) target.Value {
			checkImage(c)
			return lower(c)
		}}
	}
	return map[string]Row{
		tex + "KindOf": {Facts: same(ops.Grid), Lower: func(c *Call) target.Value {
			format, channels := texel(c.TypeArgs[0])
			return int64s(int64(format | channels<<4))
		}},
		tex + "Sample":    image(ops.Reads, onImage(ops.ImageSample)),
		tex + "SampleLod": image(ops.Reads, onImage(ops.ImageLod)),
		tex + "Fetch":     image(ops.Reads, onImage(ops.ImageFetch)),
		tex + "Gather":    image(ops.Reads, gatherImage),
		tex + "Load":      image(ops.Reads, onImage(ops.ImageLoad)),
		tex + "Store":     image(ops.Writes, storeImage),
	}
}

// needsImages refuses machines without images in kernels that ask for image instructions.
func needsImages(m *target.Machine) string {
	if !m.WantsImages() || m.HasImages() {
		return ""
	}
	return "images as RDNA 2, 3 and 4 have them (Options.ImageInstructions asks for their instructions)"
}

// softForm is what a kernel does in place of image instructions.
const softForm = "the processor has no images that heddle uses: take a texture.Soft2D or its like, which is the software form, or leave ImageInstructions out, and dsl's types are that here"

// refusals are why the host makes no descriptor for image instructions, by package texture's Refusal.
var refusals = []string{
	"its descriptor is for another device",
	"its array has Shape.Linear; leave that out",
	"it has more texels, layers or levels than they can address; make a smaller one, or leave ImageInstructions out",
	"its border has a colour that they cannot name; take 0, 1, or 0 with an alpha of 1, or leave ImageInstructions out",
}

// checkImage panics where a texture cannot be used by image instructions.
func checkImage(c *Call) {
	b, p := c.B, c.Args[1]
	if c.PanicIf == nil || !b.M.T.WantsImages() {
		return
	}
	c.PanicIf(b.ICmp("eq", p, target.Zero(p.Type())), "a zero texture or surface; make one with package launch")
	why := b.Do(ops.ImageRefused, p)
	refused, ok := b.NewBlock(), b.NewBlock()
	b.CondBr(b.ICmp("ne", why, target.Int(target.I32, 0)), refused, ok)
	b.Cur = refused
	for i, text := range refusals[1:] {
		c.PanicIf(b.ICmp("eq", why, target.Int(target.I32, int64(i+2))), "image instructions cannot use this texture or surface: "+text)
	}
	c.PanicIf(target.Bool(true), "image instructions cannot use this texture or surface: "+refusals[0])
	b.Br(ok)
	b.Cur = ok
}

// formats are the types of channels, in the order of package texture's formats.
var formats = []string{"Char", "Uchar", "Short", "Ushort", "Int", "Uint", "Half", "Float"}

// scalars are those types where there is one channel.
var scalars = []string{"int8", "uint8", "int16", "uint16", "int32", "uint32", "Half", "float32"}

// texel is a texel type's format and number of channels.
func texel(t types.Type) (format, channels int) {
	name := types.TypeString(types.Unalias(t), func(*types.Package) string { return "" })
	name = name[strings.LastIndexByte(name, '.')+1:]
	if i := slices.Index(scalars, name); i >= 0 {
		return i, 1
	}
	n := len(name) - 1
	return slices.Index(formats, name[:n]), int(name[n] - '0')
}

// onImage is an operation of an image whose result is a texel.
func onImage(op string) Lowering {
	return func(c *Call) target.Value {
		t := c.TypeArgs[0]
		format, channels := texel(t)
		v := c.B.Do(op, slices.Concat([]target.Value{int64s(int64(format)), int64s(int64(channels))}, c.Args)...)
		if v == nil {
			return nil
		}
		elems := make([]target.Value, channels)
		for i := range elems {
			elems[i] = c.B.Elem(v, i)
		}
		return toTexel(c, t, elems)
	}
}

// toTexel makes a value of a texel type of channels as instructions give them.
func toTexel(c *Call, t types.Type, elems []target.Value) target.Value {
	b, lt := c.B, c.Lower(t)
	format, channels := texel(t)
	if formats[format] == "Half" { // an integer, or LLVM's half
		word := elems[0]
		size := target.Bits(word.Type()) * channels
		if channels > 1 {
			whole := target.Type(target.I32)
			if size == 64 {
				whole = target.I64
			}
			word = target.Value(target.Int(whole, 0))
			for i, e := range elems {
				part := b.Bin("shl", b.Cast("zext", e, whole), target.Int(whole, int64(16*i)))
				word = b.Bin("or", word, part)
			}
		}
		if !lt.Equal(word.Type()) {
			word = b.Cast("bitcast", word, lt)
		}
		return word
	}
	narrow := func(v target.Value, to target.Type) target.Value {
		if to.Equal(target.F32) {
			return v
		}
		return b.IntCast(v, to, true)
	}
	if channels == 1 {
		return narrow(elems[0], lt)
	}
	for i := range elems {
		elems[i] = narrow(elems[i], target.ElemType(lt, i))
	}
	return &target.Agg{Typ: lt, Elems: elems}
}

// gatherImage is four texels: of each channel one instruction.
func gatherImage(c *Call) target.Value {
	t := c.TypeArgs[0]
	format, channels := texel(t)
	var by [4][]target.Value
	for ch := range channels {
		v := c.B.Do(ops.ImageGather, slices.Concat([]target.Value{int64s(int64(format)), int64s(int64(ch))}, c.Args)...)
		if v == nil {
			return nil
		}
		for i := range by {
			by[i] = append(by[i], c.B.Elem(v, i))
		}
	}
	all := &target.Agg{Typ: target.Array(4, c.Lower(t))}
	for i := range by {
		all.Elems = append(all.Elems, toTexel(c, t, by[i]))
	}
	return all
}

// storeImage takes a texel apart into channels.
func storeImage(c *Call) target.Value {
	b, t := c.B, c.TypeArgs[0]
	format, channels := texel(t)
	last := len(c.Args) - 1
	v := c.Args[last]
	args := slices.Concat([]target.Value{int64s(int64(format)), int64s(int64(channels))}, c.Args[:last])
	for i := range channels {
		e := v
		switch {
		case formats[format] == "Half":
			whole := target.Type(target.I16)
			switch channels {
			case 2:
				whole = target.I32
			case 4:
				whole = target.I64
			}
			if !e.Type().Equal(whole) {
				e = b.Cast("bitcast", e, whole)
			}
			if i > 0 {
				e = b.Bin("lshr", e, target.Int(whole, int64(16*i)))
			}
			if channels > 1 {
				e = b.Cast("trunc", e, target.I16)
			}
		case channels > 1:
			e = b.Elem(v, i)
		}
		args = append(args, e)
	}
	return b.Do(ops.ImageStore, args...)
}
