package launch

import (
	"math"
	"reflect"
	"runtime"

	"heddle/internal/errs"
	"heddle/texture"
)

// TextureOfBuffer makes a texture of a Buffer's memory, without a copy (HIP hipCreateTextureObject with
// hipResourceTypeLinear). It is the software form on every device, and gives S as [TextureOf] does.
// Fetch reads all of it; Sample is exact for the first 4 million texels. The texture sees what is written
// to the Buffer by earlier launches of its stream. The Buffer may be closed before the texture: its memory
// stays until both are.
//
//	t, err := launch.TextureOfBuffer[float32](buf, texture.Options{}) // a *Texture[texture.Soft1D[float32]]
func TextureOfBuffer[S texture.Sampled, T texture.Texel](b *Buffer[T], o texture.Options) (*Texture[texture.Soft1D[S]], error) {
	h := b.head()
	n := 0
	if h != nil {
		n = h.len
	}
	t := &Texture[texture.Soft1D[S]]{a: &array{shape: texture.Shape{Width: n, Levels: 1}}, owns: true}
	t.a.format, t.a.chans = texture.FormatOf[T]()
	if err := t.over("TextureOfBuffer", h, reflect.TypeFor[T](), o); err != nil {
		return nil, err
	}
	return t, nil
}

// TextureOfPitched makes a texture of a Pitched's memory, without a copy (HIP hipCreateTextureObject with
// hipResourceTypePitch2D). It is as [TextureOfBuffer] says, in two dimensions.
func TextureOfPitched[S texture.Sampled, T texture.Texel](p *Pitched[T], o texture.Options) (*Texture[texture.Soft2D[S]], error) {
	l := p.layoutOf()
	if l.Depth > 1 {
		return nil, errs.F("launch: TextureOfPitched: %d planes; a texture of pitched memory is 2-D: copy it to an Array of that depth", l.Depth)
	}
	t := &Texture[texture.Soft2D[S]]{a: &array{shape: texture.Shape{Width: l.Width, Height: l.Height, Levels: 1}, stride: l.Stride}, owns: true}
	t.a.format, t.a.chans = texture.FormatOf[T]()
	if err := t.over("TextureOfPitched", p.head(), reflect.TypeFor[T](), o); err != nil {
		return nil, err
	}
	return t, nil
}

// over makes the texture of h's memory.
func (t *Texture[D]) over(call string, h *header, elem reflect.Type, o texture.Options) error {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	if err := h.enter(call); err != nil {
		return err
	}
	defer h.leave()
	a, d, most := t.a, h.dev, maxWidth
	if a.shape.Height == 0 {
		most = maxLinear
	}
	switch {
	case a.shape.Width == 0:
		return errs.F("launch: %s: %v is empty", call, h.own.b)
	case a.shape.Width > most || a.shape.Height > maxWidth:
		return errs.F("launch: %s: %v is %s texels; a Buffer can have %d, and rows and columns of a Pitched %d", call, h.own.b, shapeText(a.shape), maxLinear, maxWidth)
	case o.Normalized && a.shape.Width > maxWidth:
		return errs.F("launch: %s: %v has more than %d texels, and normalised coordinates are not as fine; use Fetch", call, h.own.b, maxWidth)
	case a.stride > math.MaxInt32:
		return errs.F("launch: %s: a stride of %d texels; want less than 1<<31", call, a.stride)
	}
	b, err := d.alloc(reflect.TypeFor[byte](), arraySlots*int(descSize), true, pcs[0])
	if err != nil {
		return err
	}
	under := h.own.b
	under.pin()                             // h.enter has seen that it is open
	b.over, b.after = under, func() error { // the next call frees a block that was closed before
		under.mu.Lock()
		under.pins--
		under.mu.Unlock()
		return nil
	}
	b.what = "texture of a " + under.String()
	own := &owner{b}
	a.elemT = elem
	a.header = header{dev: d, own: own, ptr: h.ptr}
	if err := t.make(o); err != nil {
		_, free := d.release(b)
		return errs.Join(err, free)
	}
	runtime.AddCleanup(own, d.collect, b)
	return nil
}
