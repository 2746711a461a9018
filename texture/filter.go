package texture

import "math"

// This file implements the linear filter's arithmetic, as NVIDIA's GPUs do it.

// sum is what has been added up of weighted texels, by channel.
type sum struct {
	numbers  [4]float64 // of formats with floats
	integers [4]int32   // of others, in 1/256 of package wide's unit
}

// widened is how many bits of a channel's integer sum are after the point.
const widened = weightBits + 3

// level adds the texels about a place on a level, whose weight is w in 256.
func (s *sum) level(d *Desc, p point, level, w int32, channels int) {
	var x, y, z taps
	if d.Filter == Point {
		x.i0 = d.nearest(p.x, 0, level)
		if p.axes > 1 {
			y.i0 = d.nearest(p.y, 1, level)
		}
		if p.axes > 2 {
			z.i0 = d.nearest(p.z, 2, level)
		}
		x.i1, y.i1, z.i1 = x.i0, y.i0, z.i0
	} else {
		x = d.around(p.x, 0, level)
		if p.axes > 1 {
			y = d.around(p.y, 1, level)
		}
		if p.axes > 2 {
			z = d.around(p.z, 2, level)
		}
	}
	w1 := part(w, z.k)
	s.plane(d, p.slice, level, z.i0, x, y, w-w1, channels)
	if w1 != 0 {
		s.plane(d, p.slice, level, z.i1, x, y, w1, channels)
	}
}

// part is k/256 of a weight.
func part(w, k int32) int32 { return (w*k + whole/2) >> weightBits }

// plane adds four texels of a plane, whose weight together is w.
//
// It is a function of the compiled code, too: compiled into each of its callers it makes a
// kernel ten times as large.
//
//go:noinline
func (s *sum) plane(d *Desc, slice, level, z int32, x, y taps, w int32, channels int) {
	wx1 := part(w, x.k)
	wx0 := w - wx1
	w11 := part(wx1, y.k)
	w01 := wx0 - part(wx0, whole-y.k) // halves down
	weights := [4]int32{wx0 - w01, wx1 - w11, w01, w11}
	xs, ys := [4]int32{x.i0, x.i1, x.i0, x.i1}, [4]int32{y.i0, y.i0, y.i1, y.i1}
	if d.Format >= Half {
		var t [4]quad
		for i := range t {
			if weights[i] == 0 {
				continue
			}
			if xs[i]|ys[i]|z < 0 {
				t[i] = d.Border
			} else {
				t[i] = d.numbers(d.address(level, slice, xs[i], ys[i], z), channels)
			}
		}
		for c := range channels {
			s.numbers[c] += blend(d.Format, [4]float32{t[0][c], t[1][c], t[2][c], t[3][c]}, weights)
		}
		return
	}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if xs[i]|ys[i]|z < 0 {
			for c := range channels {
				s.integers[c] += w * d.wideBorder(c)
			}
			continue
		}
		p := d.address(level, slice, xs[i], ys[i], z)
		for c := range channels {
			s.integers[c] += w * wide(d.Format, p, c)
		}
	}
}

// full is the integer that stands for 1.
func (d *Desc) full() float32 {
	if d.Format == Int8 || d.Format == Int16 {
		return 32767
	}
	return 65535
}

// wideBorder is the border's channel in the unit of wide.
func (d *Desc) wideBorder(c int) int32 {
	least := float32(0)
	if d.full() == 32767 {
		least = -1
	}
	b := min(max(d.Border[c], least), 1) * d.full()
	if b < 0 {
		return int32(b-0.5) * 8
	}
	return int32(b+0.5) * 8
}

// value is the sum, rounded.
func (s *sum) value(d *Desc) (q quad) {
	if d.Format >= Half {
		return quad{round(d.Format, s.numbers[0]), round(d.Format, s.numbers[1]), round(d.Format, s.numbers[2]), round(d.Format, s.numbers[3])}
	}
	for c := range q {
		q[c] = float32((s.integers[c]+1<<(widened-1))>>widened) / d.full()
	}
	return q
}

// guard is how many bits below the last one of the largest texel count.
const guard = 4

// blend is the sum of floats with weights in 256, each cut to some bits below the largest.
func blend(f Format, t [4]float32, w [4]int32) float64 {
	const fraction, mask = 23, 255
	top := int32(1)
	for i, v := range t {
		if w[i] != 0 && v != 0 {
			top = max(top, int32(math.Float32bits(v)>>fraction&mask))
		}
	}
	if top == mask { // infinities and NaN
		v := float32(0)
		for i := range t {
			if w[i] != 0 {
				v += t[i]
			}
		}
		return float64(v)
	}
	total := int64(0)
	for i, v := range t {
		b := math.Float32bits(v)
		m, e := int64(b&(1<<fraction-1)), int32(b>>fraction&mask)
		if e > 0 {
			m |= 1 << fraction
		}
		m = m << guard >> uint32(min(max(top-max(e, 1), 0), 63))
		if f == Half {
			m &^= 1<<13 - 1
		}
		if b>>31 != 0 {
			m = -m
		}
		total += m * int64(w[i])
	}
	const bias = 1023 - 127 - fraction - guard - weightBits
	return float64(total) * math.Float64frombits(uint64(top+bias)<<52)
}

// round is a sum in the format's precision, halves away from zero.
func round(f Format, v float64) float32 {
	drop := 29
	if f == Half {
		drop = 42
		if v < 0x1p-14 && v > -0x1p-14 { // Half has a last bit of 2^-24 at least
			n := v*0x1p24 + 0.5
			if v < 0 {
				n = v*0x1p24 - 0.5
			}
			return float32(int32(n)) * 0x1p-24
		}
	}
	b := math.Float64bits(v) + 1<<(drop-1)
	return float32(math.Float64frombits(b &^ (1<<drop - 1)))
}
