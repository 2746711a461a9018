package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"heddle/launch"
)

// fill12 has a size that no library function sets memory to.
type fill12 struct{ A, B, C uint32 }

func TestPitched(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		p := must(launch.AllocPitched3D[int32](dev, 100, 7, 3))(t)
		defer p.Close()
		if p.Width() != 100 || p.Height() != 7 || p.Depth() != 3 || p.Stride() != 128 || p.Pitch() != 512 || p.Buffer().Len() != 128*7*3 {
			t.Error(p.Width(), p.Height(), p.Depth(), p.Stride(), p.Pitch(), p.Buffer().Len())
		}
		src, got := count(2100), make([]int32, 2100)
		ok(t, p.Upload(src))
		ok(t, double.Launch(dev.Stream(), launch.Linear(p.Buffer().Len(), 256), p))
		ok(t, p.Download(got))
		equal(t, "rows", got, times(src, 2))
		whole := make([]int32, p.Buffer().Len())
		ok(t, p.Buffer().Download(whole))
		equal(t, "between rows", whole[100:128], make([]int32, 28))
		equal(t, "second row", whole[128:130], []int32{202, 204})
		odd := must(launch.AllocPitched[fill12](dev, 100, 2))(t)
		defer odd.Close()
		if odd.Stride() != 128 {
			t.Errorf("a stride of %d elements of 12 bytes", odd.Stride())
		}
	})
}

// A volume is a region and what it has to hold, with its layout's gaps.
type volume struct {
	region launch.Region[int32]
	want   []int32
	layout launch.Layout
	load   func() []int32
}

// Random boxes of random layouts are copied between the host and a device and on the device,
// and compared with loops.
func TestRegions(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		random := rand.New(rand.NewPCG(1, 2))
		stream := must(dev.NewStream())(t)
		defer stream.Close()
		var closers []func() error
		for round := range 60 {
			size := [3]int{1 + random.IntN(40), 1 + random.IntN(6), 1 + random.IntN(4)}
			a := newVolume(t, dev, &closers, random, size, round%3)
			b := newVolume(t, dev, &closers, random, size, 1+2*(round%2))
			var box, from, to [3]int
			for i := range 3 {
				box[i] = random.IntN(size[i] + 1)
				from[i], to[i] = random.IntN(size[i]-box[i]+1), random.IntN(size[i]-box[i]+1)
			}
			src := a.region.Box(from[0], from[1], from[2], box[0], box[1], box[2])
			dst := b.region.Box(to[0], to[1], to[2], box[0], box[1], box[2])
			if random.IntN(2) == 0 {
				ok(t, launch.CopyRegion(dst, src))
			} else {
				ok(t, launch.CopyRegionAsync(stream, dst, src))
				ok(t, stream.Sync())
			}
			for z := range box[2] {
				for y := range box[1] {
					for x := range box[0] {
						b.want[b.at(x+to[0], y+to[1], z+to[2])] = a.want[a.at(x+from[0], y+from[1], z+from[2])]
					}
				}
			}
			what := fmt.Sprintf("round %d: %v of %v from %v to %v", round, box, size, from, to)
			equal(t, what, b.load(), b.want)
			equal(t, what+", the source", a.load(), a.want)
			back := newVolume(t, dev, &closers, random, size, 0)
			ok(t, launch.CopyRegion(back.region, b.region))
			for z := range size[2] {
				for y := range size[1] {
					for x := range size[0] {
						back.want[back.at(x, y, z)] = b.want[b.at(x, y, z)]
					}
				}
			}
			equal(t, what+", and back", back.load(), back.want)
		}
		for _, c := range closers {
			ok(t, c())
		}
	})
}

func (v *volume) at(x, y, z int) int { return (z*v.layout.Rows+y)*v.layout.Stride + x }

// newVolume makes a volume of the host (kind 0), of a device (1), or pinned, as memory of the host
// (2) or as a Buffer (3).
func newVolume(t *testing.T, dev *launch.Device, closers *[]func() error, random *rand.Rand, size [3]int, kind int) *volume {
	v := &volume{layout: launch.Layout{
		Width: size[0], Height: size[1], Depth: size[2],
		Stride: size[0] + random.IntN(9), Rows: size[1] + random.IntN(3),
	}}
	v.want = make([]int32, v.layout.Rows*v.layout.Stride*size[2])
	for i := range v.want {
		v.want[i] = random.Int32()
	}
	host := append([]int32(nil), v.want...)
	switch kind {
	case 0:
		v.region, v.load = launch.HostRegion(host, v.layout), func() []int32 { return host }
		return v
	case 1:
		b := must(launch.Upload(dev, host))(t)
		v.region, v.load = b.Region(v.layout), func() []int32 { ok(t, b.Download(host)); return host }
		*closers = append(*closers, b.Close)
	case 2, 3:
		b := must(launch.NewPinned[int32](dev, len(host)))(t)
		copy(b.Host(), host)
		v.region, v.load = launch.HostRegion(b.Host(), v.layout), func() []int32 { return b.Host() }
		if kind == 3 {
			v.region = b.Region(v.layout)
		}
		*closers = append(*closers, b.Close)
	}
	return v
}

func TestFill(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		fillAs[uint8](t, dev, 0xA5)
		fillAs[uint16](t, dev, 0x1234)
		fillAs[float32](t, dev, 1.5)
		fillAs[float64](t, dev, 0)
		fillAs[float64](t, dev, 1.1)
		fillAs[uint64](t, dev, 0x0123456701234567)
		fillAs(t, dev, fill12{1, 2, 3})
		fillAs(t, dev, [3]uint8{4, 5, 6})
		fillAs(t, dev, [2]uint8{4, 5})
		// An odd address takes no pattern of two bytes.
		b := must(launch.Alloc[uint8](dev, 9))(t)
		defer b.Close()
		odd := must(launch.View[[2]uint8](b.Slice(1, 7)))(t)
		ok(t, odd.Fill(dev.Stream(), [2]uint8{1, 2}))
		got := make([]uint8, 9)
		ok(t, b.Download(got))
		equal(t, "odd", got, []uint8{0, 1, 2, 1, 2, 1, 2, 0, 0})
	})
}

func fillAs[T comparable](t *testing.T, dev *launch.Device, v T) {
	t.Helper()
	s := dev.Stream()
	const width, height, depth, stride, rows = 33, 4, 3, 40, 5
	b := must(launch.Alloc[T](dev, stride*rows*depth))(t)
	defer b.Close()
	want, got := make([]T, b.Len()), make([]T, b.Len())
	r := b.Region(launch.Layout{Width: width, Height: height, Depth: depth, Stride: stride, Rows: rows})
	ok(t, r.Box(1, 1, 1, width-2, height-1, depth-1).Fill(s, v))
	for z := 1; z < depth; z++ {
		for y := 1; y < height; y++ {
			for x := 1; x < width-1; x++ {
				want[(z*rows+y)*stride+x] = v
			}
		}
	}
	ok(t, b.Download(got))
	equal(t, fmt.Sprintf("%T in a box", v), got, want)
	ok(t, b.Slice(1, len(want)).Fill(s, v))
	for i := range want[1:] {
		want[i+1] = v
	}
	var zero T
	want[0] = zero
	ok(t, b.Download(got))
	equal(t, fmt.Sprintf("%T", v), got, want)
}

func TestRegionErrors(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		b := must(launch.Upload(dev, count(100)))(t)
		defer b.Close()
		r := b.Region(launch.Layout{Width: 10, Height: 10})
		// Boxes that do not meet although their rows lie between each other's.
		ok(t, launch.CopyRegion(r.Rect(5, 0, 5, 10), r.Rect(0, 0, 5, 10)))
		fails(t, launch.CopyRegion(r.Rect(4, 3, 5, 5), r.Rect(0, 0, 5, 5)), "the two regions overlap")
		ok(t, launch.CopyRegion(r.Rect(4, 5, 5, 5), r.Rect(0, 0, 5, 5)))
		fails(t, launch.CopyRegion(launch.Region[int32]{}, r), "zero Region")
		fails(t, r.Rect(8, 0, 3, 1).Fill(dev.Stream(), 1), "out of range")
		ok(t, launch.CopyRegion(r.Rect(0, 0, 0, 3), r.Rect(2, 2, 0, 3)))
	})
}
