package amdemu

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"heddle/texture"
)

// This file has the image instructions of RDNA 2, 3 and 4: "image_sample_lz v[0:3], [v4, v5],
// s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D". Operands: the data, the address, the resource
// descriptor and, of those that sample, the sampler's. Descriptors are in imagedesc.go. A linear
// filter's arithmetic is package texture's: AMD's documents do not tell the hardware's.

// imageMemory are the rows of image instructions, by generation.
func imageMemory() table {
	t := table{}
	for generation := range imageLayouts {
		for name, make := range map[string]func(*imageInst) func(w *wave){
			"image_load": (*imageInst).load, "image_store": (*imageInst).store,
			"image_sample_lz": (*imageInst).sample, "image_sample_l": (*imageInst).sample, "image_gather4_lz": (*imageInst).gather,
		} {
			t[fmt.Sprintf("%s gfx%d", name, generation)] = row{"", binder(func(in *inst) (func(w *wave), error) {
				i, err := in.image(generation)
				if err != nil {
					return nil, err
				}
				return make(i), nil
			})}
		}
	}
	return t
}

// An imageInst is an image instruction, taken apart.
type imageInst struct {
	in         *inst
	generation int
	dim        imageDim
	mask       uint32 // the channels
	data       *operand
	address    []int // registers
	short      bool  // a16: two coordinates a register
	packed     bool  // d16: two channels a register
	level      bool  // the last coordinate is a level
	resource   int
	sampler    int
}

// An imageDim is the dimension of an instruction: package texture's kind, the type of resource, and how
// many coordinates there are.
type imageDim struct {
	kind  texture.Kind
	typ   uint32
	axes  int
	layer bool
}

var imageDims = map[string]imageDim{
	"SQ_RSRC_IMG_1D": {texture.Line, 8, 1, false}, "SQ_RSRC_IMG_2D": {texture.Plane, 9, 2, false}, "SQ_RSRC_IMG_3D": {texture.Volume, 10, 3, false},
	"SQ_RSRC_IMG_1D_ARRAY": {texture.Lines, 12, 1, true}, "SQ_RSRC_IMG_2D_ARRAY": {texture.Planes, 13, 2, true},
}

// imageOptions are those that change nothing here: caches, and that integers are coordinates of texels.
var imageOptions = map[string]bool{"dmask": true, "dim": true, "a16": true, "d16": true, "unorm": true,
	"glc": true, "slc": true, "dlc": true, "th": true, "scope": true}

// image takes an image instruction apart.
func (in *inst) image(generation int) (*imageInst, error) {
	i := &imageInst{in: in, generation: generation, level: in.name == "image_sample_l"}
	for o := range in.options {
		if !imageOptions[o] {
			return nil, fmt.Errorf("%s is not emulated: %s", o, in.text)
		}
	}
	mask, err := in.option("dmask")
	if err != nil || mask <= 0 || mask > 15 {
		return nil, fmt.Errorf("dmask: %s", in.text)
	}
	dim, ok := imageDims[in.options["dim"]]
	if !ok {
		return nil, fmt.Errorf("dimension %s is not emulated: %s", in.options["dim"], in.text)
	}
	i.mask, i.dim = uint32(mask), dim
	_, i.short = in.options["a16"]
	_, i.packed = in.options["d16"]
	sampled := strings.HasPrefix(in.name, "image_sample") || strings.HasPrefix(in.name, "image_gather")
	n := bits.OnesCount32(i.mask)
	if strings.HasPrefix(in.name, "image_gather") {
		if n != 1 {
			return nil, fmt.Errorf("dmask: %s", in.text)
		}
		n = 4
	}
	if i.packed {
		n = (n + 1) / 2
	}
	if i.data, err = in.data(0, n); err != nil {
		return nil, err
	}
	if len(in.operands) != 3 && !sampled || len(in.operands) != 4 && sampled {
		return nil, fmt.Errorf("operands: %s", in.text)
	}
	if i.address, err = in.addressRegisters(1); err != nil {
		return nil, err
	}
	if have := len(i.address) * (1 + int(flag(i.short))); have < i.coordinates() {
		return nil, fmt.Errorf("%d coordinates, want %d: %s", have, i.coordinates(), in.text)
	}
	if i.resource, err = in.scalars(2, 8); err != nil || !sampled {
		return i, err
	}
	i.sampler, err = in.scalars(3, 4)
	return i, err
}

// coordinates is how many there are, with the layer and the level.
func (i *imageInst) coordinates() int {
	return i.dim.axes + int(flag(i.dim.layer)) + int(flag(i.level))
}

// scalars is the first register of operand k, which has n.
func (in *inst) scalars(k, n int) (int, error) {
	o := &in.operands[k]
	if o.file != sgpr || o.n != n || o.reg+n > scalarRegs {
		return 0, fmt.Errorf("operand %s is not %d scalar registers: %s", o.text, n, in.text)
	}
	return o.reg, nil
}

// addressRegisters are the registers of operand k: "v[0:1]", or "[v4, v9, v[2:3]]".
func (in *inst) addressRegisters(k int) (all []int, err error) {
	o := in.operands[k]
	list := []operand{o}
	if inner, ok := enclosed(o.text, "[", "]"); ok && o.file == wordFile {
		list = nil
		for part := range strings.SplitSeq(inner, ",") {
			list = append(list, parseOperand(strings.TrimSpace(part)))
		}
	}
	for _, o := range list {
		if o.file != vgpr {
			return nil, fmt.Errorf("the form of the address is not known: %s", in.text)
		}
		for r := range o.n {
			all = append(all, o.reg+r)
		}
	}
	return all, nil
}

// coordinate is the bits of coordinate k of a lane.
func (i *imageInst) coordinate(w *wave, k, l int) uint32 {
	if i.short {
		return w.v[i.address[k/2]][l] >> (16 * (k & 1)) & 0xffff
	}
	return w.v[i.address[k]][l]
}

// number is a coordinate as a float.
func (i *imageInst) number(w *wave, k, l int) float32 {
	if v := i.coordinate(w, k, l); i.short {
		return unhalf(uint16(v))
	} else {
		return math.Float32frombits(v)
	}
}

// give writes what a lane gets: n values, those of its channels.
func (i *imageInst) give(w *wave, l int, values []uint32, floats bool) {
	for k, v := range values {
		if !i.packed {
			w.reg(i.data.file, i.data.reg+k)[l] = v
			continue
		}
		if floats {
			v = uint32(half(math.Float32frombits(v)))
		}
		z := &w.reg(i.data.file, i.data.reg+k/2)[l]
		shift := 16 * (k & 1)
		*z = *z&^(0xffff<<shift) | v&0xffff<<shift
	}
}

// chosen are those of four channels that the mask names.
func (i *imageInst) chosen(all [4]uint32) (list []uint32) {
	for c, v := range all {
		if i.mask>>c&1 != 0 {
			list = append(list, v)
		}
	}
	return list
}

// open reads the descriptors of an instruction that is executed; sampled says that it has a sampler.
func (i *imageInst) open(w *wave, sampled bool) *image {
	im, err := readImage(i.generation, i.dim, w.s[i.resource:i.resource+8])
	if err == nil && sampled {
		err = im.sample(i.generation, w.s[i.sampler:i.sampler+4])
	}
	if err != nil {
		w.fail(-1, "image descriptor: "+err.Error())
	}
	return im
}

// eachLane calls f for the lanes of a mask.
func eachLane(m uint64, f func(l int)) {
	for ; m != 0; m &= m - 1 {
		f(bits.TrailingZeros64(m) & 63)
	}
}

// whole finds the image's memory. It fails where that is not all in one region: hosts allocate it with
// its gaps.
func (im *image) whole(w *wave, in *inst) {
	r := w.region(im.base)
	if r == nil || im.base-r.base+im.bytes() > uint64(len(r.bytes)) {
		a := &access{in: in, size: im.bytes(), effect: effectRead}
		w.mem.addr[0] = im.base
		a.outside(w, 1)
	}
	im.desc.Texels = r.at(im.base)
}

// sample is image_sample of a level. Races with stores are not looked for: what is stored in a launch is
// not sure to be sampled in it.
func (i *imageInst) sample() func(w *wave) {
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		im := i.open(w, true)
		im.whole(w, i.in)
		if im.truncates != (im.desc.Filter == texture.Point) {
			w.fail(-1, "sampler: coordinates that are cut for the linear filter, or rounded for the nearest texel, are not emulated")
		}
		eachLane(m, func(l int) {
			x, layer, level := i.place(w, l)
			i.give(w, l, i.chosen(im.selected(im.read.sample(im, x, layer, level))), im.read.floats)
		})
	}
}

// place is the coordinates of a lane, its layer and its level.
func (i *imageInst) place(w *wave, l int) (x [3]float32, layer int, level float32) {
	for k := range i.dim.axes {
		x[k] = i.number(w, k, l)
	}
	k := i.dim.axes
	if i.dim.layer {
		if v := math.RoundToEven(float64(i.number(w, k, l))); v > 0 { // of NaN the first
			layer = int(min(v, 1<<20))
		}
		k++
	}
	if i.level {
		level = i.number(w, k, l)
	}
	return x, layer, level
}

// gather is image_gather4 of the first level.
func (i *imageInst) gather() func(w *wave) {
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		im := i.open(w, true)
		im.whole(w, i.in)
		if im.truncates {
			w.fail(-1, "sampler: a gather with coordinates that are cut is not emulated")
		}
		if im.desc.MinLevel != 0 || i.dim.axes != 2 {
			w.fail(-1, "a gather of another level than the first, or of other images than those in two dimensions, is not emulated")
		}
		eachLane(m, func(l int) {
			x, layer, _ := i.place(w, l)
			var values [4]uint32
			for k, texel := range im.read.gather(im, x, layer) {
				values[k] = i.chosen(im.selected(texel))[0]
			}
			i.give(w, l, values[:], im.read.floats)
		})
	}
}

// inside computes the addresses of the lanes' texels, and is the lanes whose are inside the image.
func (i *imageInst) inside(w *wave, im *image, m uint64) (in uint64) {
	d := &im.desc
	eachLane(m, func(l int) {
		var at [3]uint32
		for k := range i.dim.axes {
			at[k] = i.coordinate(w, k, l)
		}
		slice, slices := at[2], uint32(d.Size[2])
		if i.dim.layer {
			slice, slices = i.coordinate(w, i.dim.axes, l), uint32(d.Slices)
		}
		if at[0] < uint32(d.Size[0]) && at[1] < uint32(d.Size[1]) && slice < slices {
			in |= 1 << l
			w.mem.addr[l] = im.base + uint64(d.Offset[0]+int64(slice)*d.Plane[0]+int64(at[1])*d.Row[0]) + uint64(at[0])*uint64(d.TexelSize)
		}
	})
	return in
}

// load is image_load of the first level: 0 outside the image.
func (i *imageInst) load() func(w *wave) {
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		im := i.open(w, false)
		in := i.inside(w, im, m)
		zeros := make([]uint32, bits.OnesCount32(i.mask))
		eachLane(m&^in, func(l int) { i.give(w, l, zeros, false) })
		a := &access{in: i.in, size: uint64(im.desc.TexelSize), effect: effectRead | i.in.coherent()}
		a.move = func(w *wave, from *arena, m uint64) {
			eachLane(m, func(l int) {
				i.give(w, l, i.chosen(im.selected(im.read.texel(im, from.at(w.mem.addr[l])))), im.read.floats)
			})
		}
		a.global(w, in)
	}
}

// store is image_store to the first level: nothing outside the image. Channels that the mask leaves out
// become 0.
func (i *imageInst) store() func(w *wave) {
	return func(w *wave) {
		m := w.exec()
		if m == 0 {
			return
		}
		im := i.open(w, false)
		size := int(im.desc.TexelSize) / im.channels
		if im.read.floats && size != 4 || i.packed {
			w.fail(-1, "a store that converts channels is not emulated: "+strconv.Quote(i.in.text))
		}
		in := i.inside(w, im, m)
		a := &access{in: i.in, size: uint64(im.desc.TexelSize), effect: effectWrite | i.in.coherent()}
		a.move = func(w *wave, to *arena, m uint64) {
			eachLane(m, func(l int) {
				at, k := w.mem.addr[l]-to.base, 0
				for c := range im.channels {
					v := uint32(0)
					if i.mask>>c&1 != 0 {
						v = w.reg(i.data.file, i.data.reg+k)[l]
						k++
					}
					for b := range size {
						to.bytes[at+uint64(c*size+b)] = byte(v >> (8 * b))
					}
				}
			})
		}
		a.global(w, in)
	}
}
