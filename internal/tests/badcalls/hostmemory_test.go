package badcalls

import (
	"math"
	"unsafe"

	"heddle/internal/errs"
	"heddle/launch"
)

// with calls do with a Buffer of a hundred numbers.
func with(do func(dev *launch.Device, b *launch.Buffer[int32]) error) func(*launch.Device) error {
	return func(dev *launch.Device) error {
		b, err := launch.Upload(dev, make([]int32, 100))
		if err != nil {
			return err
		}
		defer b.Close()
		return do(dev, b)
	}
}

// only is the error of a call whose result nobody wants.
func only[T interface{ Close() error }](v T, err error) error {
	if err != nil {
		return err
	}
	return v.Close()
}

var spare [4096]int32

// hostMemoryCalls are wrong calls about pinned, registered, managed and pooled memory, regions,
// views and peers.
var hostMemoryCalls = []badCall{
	{name: "pinned of negative length", do: func(dev *launch.Device) error {
		return only(launch.NewPinned[int32](dev, -2))
	}, want: "launch: NewPinned of -2 elements"},
	{name: "pinned of more than there is", do: func(dev *launch.Device) error {
		return only(launch.NewPinned[[1024]int64](dev, math.MaxInt/100))
	}, want: "launch: NewPinned of 92233720368547758 elements of 8192 bytes: more than there are addresses"},
	{name: "pinned strings", do: func(dev *launch.Device) error {
		return only(launch.NewPinned[string](dev, 1))
	}, want: "launch: no Buffer of string"},
	{name: "pinned on no device", do: func(*launch.Device) error {
		return only(launch.NewPinned[int32](nil, 1))
	}, want: "launch: nil Device"},
	{name: "copy of pinned memory to itself", do: func(dev *launch.Device) error {
		p, err := launch.NewPinned[int32](dev, 4)
		if err != nil {
			return err
		}
		defer p.Close()
		return p.DownloadAsync(dev.Stream(), p.Host())
	}, want: "launch: DownloadAsync: the two overlap within a pinned buffer of 4 int32"},
	{name: "copy past the end of pinned memory", do: func(dev *launch.Device) error {
		p, err := launch.NewPinned[int32](dev, 4)
		if err != nil {
			return err
		}
		defer p.Close()
		b, err := launch.Alloc[int32](dev, 8)
		if err != nil {
			return err
		}
		defer b.Close()
		return b.UploadAsync(dev.Stream(), unsafe.Slice(&p.Host()[0], 8))
	}, want: "launch: UploadAsync: 32 bytes reach past the end of a pinned buffer of 4 int32"},
	{name: "register nothing", do: func(dev *launch.Device) error {
		return only(launch.Register(dev, []float64(nil)))
	}, want: "launch: Register of 0 float64: there is no memory to lock"},
	{name: "register pointers", do: func(dev *launch.Device) error {
		return only(launch.Register(dev, make([]*int32, 5)))
	}, want: "launch: Register of *int32: its pointers are for Go's collector"},
	{name: "register twice", do: func(dev *launch.Device) error {
		b, err := launch.Register(dev, spare[:])
		if err != nil {
			return err
		}
		defer b.Close()
		return only(launch.Register(dev, spare[100:200]))
	}, want: "launch: Register: the memory is registered already, as registered buffer of 4096 int32"},
	{name: "register a neighbour", do: func(dev *launch.Device) error {
		b, err := launch.Register(dev, spare[:100])
		if err != nil {
			return err
		}
		defer b.Close()
		return only(launch.Register(dev, spare[101:102]))
	}, want: "launch: Register: the memory shares a page of"},
	{name: "register device memory", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.Register(dev, b.Device()))
	}), want: "launch: Register: the memory is a device's already: buffer of 100 int32"},
	{name: "wrap address 0", do: func(dev *launch.Device) error {
		return only(launch.Wrap[int32](dev, nil, 3, nil))
	}, want: "launch: Wrap of 3 int32 at address 0"},
	{name: "wrap an odd address", do: func(dev *launch.Device) error {
		return only(launch.Wrap[int32](dev, unsafe.Add(unsafe.Pointer(&spare), 1), 3, nil))
	}, want: "the address is no multiple of 4"},
	{name: "wrap a Buffer", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.Wrap[int32](dev, unsafe.Pointer(&b.Device()[0]), 100, nil))
	}), want: "launch: Wrap: the memory is a Buffer's already"},
	{name: "prefetch what does not move", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Prefetch(dev.Stream())
	}), want: "launch: Prefetch: buffer of 100 int32"},
	{name: "advise on what does not move", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Advise(launch.ReadMostly, nil)
	}), want: "launch: Advise: buffer of 100 int32"},
	{name: "advice that there is not", do: func(dev *launch.Device) error {
		m, err := launch.NewManaged[int32](dev, 10)
		if err != nil {
			return err
		}
		defer m.Close()
		return m.Advise(99, nil)
	}, want: "launch: Advise: there is no advice 99"},
	{name: "prefetch of closed memory", do: func(dev *launch.Device) error {
		m, err := launch.NewManaged[int32](dev, 10)
		if err != nil {
			return err
		}
		return errs.Join(m.Close(), m.PrefetchHost(dev.Stream()))
	}, want: "launch: PrefetchHost: managed buffer of 10 int32"},
	{name: "view of a size that does not divide", do: with(func(_ *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.View[[3]int32](b))
	}), want: "launch: View of 100 int32 as [3]int32: 400 bytes are no multiple of 12; use Slice"},
	{name: "view that is not aligned", do: with(func(_ *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.View[int64](b.Slice(1, 3)))
	}), want: "launch: View of int32 as int64: the first element is at no multiple of 8 bytes"},
	{name: "view as pointers", do: with(func(_ *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.View[[]int32](b))
	}), want: "launch: View of int32 as []int32: []int32 holds addresses"},
	{name: "view as bools", do: with(func(_ *launch.Device, b *launch.Buffer[int32]) error {
		return only(launch.View[struct{ Yes bool }](b))
	}), want: "not every byte is a bool"},
	{name: "view of nothing", do: func(*launch.Device) error {
		return only(launch.View[int64]((*launch.Buffer[int32])(nil)))
	}, want: "launch: View: nil Buffer"},
}

// regionCalls are wrong calls about boxes of memory.
var regionCalls = []badCall{
	{name: "pitched of no rows", do: func(dev *launch.Device) error {
		return only(launch.AllocPitched[int32](dev, 10, 0))
	}, want: "launch: AllocPitched of 10 x 0 x 1 elements; each is at least 1"},
	{name: "pitched of more than there is", do: func(dev *launch.Device) error {
		return only(launch.AllocPitched3D[int32](dev, 1<<30, 1<<30, 1<<30))
	}, want: "launch: AllocPitched3D of 1073741824 x 1073741824 x 1073741824 elements of 4 bytes: more than there are addresses"},
	{name: "rows that overlap", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: 10, Height: 2, Stride: 9}).Fill(dev.Stream(), 1)
	}), want: "launch: Region: a stride of 9 elements for rows of 10: rows would overlap"},
	{name: "planes that overlap", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: 2, Height: 3, Depth: 2, Rows: 2}).Fill(dev.Stream(), 1)
	}), want: "launch: Region: planes of 3 rows that are 2 rows apart"},
	{name: "a region past the end", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: 10, Height: 10, Stride: 11}).Fill(dev.Stream(), 1)
	}), want: "with a stride of 11 and 10 rows a plane needs 109 elements; there are 100"},
	{name: "a layout of more than there is", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: 1, Height: math.MaxInt, Stride: 2}).Fill(dev.Stream(), 1)
	}), want: "with a stride of 2 and 9223372036854775807 rows a plane: more than there are addresses"},
	{name: "a negative layout", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: -1}).Fill(dev.Stream(), 1)
	}), want: "launch: Region: a layout of -1 x 0 x 0 elements"},
	{name: "a box out of its region", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.Region(launch.Layout{Width: 10, Height: 10}).Rect(4, 4, 7, 1).Fill(dev.Stream(), 1)
	}), want: "launch: Rect: [7 1 1] elements at [4 4 0] of a region of 10 x 10 x 1: out of range"},
	{name: "boxes of two sizes", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		r := b.Region(launch.Layout{Width: 10, Height: 10})
		return launch.CopyRegion(r.Rect(0, 0, 2, 2), r.Rect(5, 5, 2, 3))
	}), want: "launch: CopyRegion of 2 x 3 x 1 elements to 2 x 2 x 1; use Box"},
	{name: "boxes that overlap", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		r := b.Region(launch.Layout{Width: 10, Height: 10})
		return launch.CopyRegionAsync(dev.Stream(), r.Rect(0, 0, 3, 3), r.Rect(2, 2, 3, 3))
	}), want: "launch: CopyRegionAsync: the two regions overlap"},
	{name: "boxes of the host", do: func(*launch.Device) error {
		r := launch.HostRegion(spare[:], launch.Layout{Width: 64, Height: 64})
		return launch.CopyRegion(r.Rect(0, 0, 3, 3), r.Rect(20, 20, 3, 3))
	}, want: "launch: CopyRegion: both regions are memory of the host; use copy"},
	{name: "a box of the host that is a device's", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		r := launch.HostRegion(b.Device(), launch.Layout{Width: 3})
		return launch.CopyRegion(b.Region(launch.Layout{Width: 50}).Rect(10, 0, 3, 1), r)
	}), want: "use the Region of its Buffer"},
	{name: "a box of closed memory", do: func(dev *launch.Device) error {
		p, err := launch.AllocPitched[int32](dev, 10, 10)
		if err != nil {
			return err
		}
		r := p.Region()
		return errs.Join(p.Close(), r.Fill(dev.Stream(), 1))
	}, want: "launch: Fill: buffer of 1280 int32"},
	{name: "pixels of another size", do: func(dev *launch.Device) error {
		p, err := launch.AllocPitched[int32](dev, 10, 10)
		if err != nil {
			return err
		}
		defer p.Close()
		return p.Upload(make([]int32, 99))
	}, want: "launch: HostRegion: a layout of 10 x 10 x 1 elements with a stride of 10 and 10 rows a plane needs 100 elements; there are 99"},
}

// poolCalls are wrong calls about pools and peers.
var poolCalls = []badCall{
	{name: "a negative limit", do: func(dev *launch.Device) error {
		return only(dev.NewPool(launch.PoolOptions{Limit: -1}))
	}, want: "launch: NewPool with a threshold of 0 and a limit of -1 bytes"},
	{name: "an exhausted pool", do: func(dev *launch.Device) error {
		p, err := dev.NewPool(launch.PoolOptions{Limit: 100})
		if err != nil {
			return err
		}
		_, err = launch.AllocFrom[int32](p, dev.Stream(), 26)
		return errs.Join(err, p.Close())
	}, want: "is exhausted: 104 bytes wanted, 0 in use, the limit is 100"},
	{name: "more than the device has", do: func(dev *launch.Device) error {
		return only(launch.AllocAsync[byte](dev.Stream(), 1<<45))
	}, want: "is exhausted: 35184372088832 bytes wanted"},
	{name: "a closed pool", do: func(dev *launch.Device) error {
		p, err := dev.NewPool()
		if err != nil {
			return err
		}
		if err := p.Close(); err != nil {
			return err
		}
		return only(launch.AllocFrom[int32](p, dev.Stream(), 1))
	}, want: "launch: AllocFrom: the pool of"},
	{name: "a pool in use", do: func(dev *launch.Device) error {
		p, err := dev.NewPool()
		if err != nil {
			return err
		}
		b, err := launch.AllocFrom[int32](p, dev.Stream(), 25)
		if err != nil {
			return err
		}
		err = p.Close()
		return errs.Join(err, b.CloseAsync(dev.Stream()), p.Close())
	}, want: "with 1 open Buffers of 100 bytes; close them"},
	{name: "no pool", do: func(dev *launch.Device) error {
		return only(launch.AllocFrom[int32](nil, dev.Stream(), 1))
	}, want: "launch: AllocFrom: nil Pool"},
	{name: "no stream", do: func(*launch.Device) error {
		return only(launch.AllocAsync[int32](nil, 1))
	}, want: "launch: nil Stream"},
	{name: "fewer than no uncleared elements", do: func(dev *launch.Device) error {
		return only(launch.AllocUncleared[int32](dev.Stream(), -1))
	}, want: "launch: AllocUncleared of -1 elements"},
	{name: "memory of no pool given back in order", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		return b.CloseAsync(dev.Stream())
	}), want: "is device memory; close it with Close"},
	{name: "a negative rest", do: func(dev *launch.Device) error {
		p, err := dev.Pool()
		if err != nil {
			return err
		}
		return p.Trim(-5)
	}, want: "launch: Trim to -5 bytes"},
	{name: "a pool of another device", do: func(dev *launch.Device) error {
		other, err := launch.Open("sim:64")
		if err != nil {
			return err
		}
		defer other.Close()
		p, err := other.Pool()
		if err != nil {
			return err
		}
		return only(launch.AllocFrom[int32](p, dev.Stream(), 1))
	}, want: "launch: AllocFrom: the pool is of sim:64, the stream of"},
	{name: "a peer of itself", do: func(dev *launch.Device) error { return dev.EnablePeer(dev) }, want: "is no peer of itself"},
	{name: "no access to take back", do: func(dev *launch.Device) error {
		other, err := launch.Open("sim:64")
		if err != nil {
			return err
		}
		defer other.Close()
		return dev.DisablePeer(other)
	}, want: "has no access to memory of sim:64"},
	{name: "a peer's stream", do: with(func(dev *launch.Device, b *launch.Buffer[int32]) error {
		far, err := launch.Open("sim:64")
		if err != nil {
			return err
		}
		defer far.Close()
		third, err := launch.Open("sim:64")
		if err != nil {
			return err
		}
		defer third.Close()
		from, err := launch.Alloc[int32](far, 100)
		if err != nil {
			return err
		}
		return b.CopyPeer(third.Stream(), from)
	}), want: "on a stream of sim:64; take one of either device"},
}
