package launch

import (
	"context"
	"runtime"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// CopyRegion copies src to dst, boxes of one size in memory of a device or of the host
// (hipMemcpy2D, hipMemcpy3D; rectangles are boxes of one plane). It waits for the work that uses
// the Buffers, and returns its errors instead of copying. The two may not overlap, and one at
// least is a Buffer's; between two devices there is [Buffer.CopyPeer].
func CopyRegion[T any](dst, src Region[T]) error {
	return copyRegion(context.Background(), &dst.region, &src.region)
}

// CopyRegionAsync queues the copy on s and may return before it is done (hipMemcpy2DAsync,
// hipMemcpy3DAsync). Memory of the host must be left alone until s has been waited for; see
// [Buffer.UploadAsync].
func CopyRegionAsync[T any](s *Stream, dst, src Region[T]) error {
	return copyRegionAsync(s, &dst.region, &src.region)
}

// Fill queues on s the setting of every element of r to v (hipMemset2DAsync, hipMemset3DAsync).
func (r Region[T]) Fill(s *Stream, v T) error { return r.region.fill(s, bytesOf(&v)) }

// check says whether src can be copied to dst.
func (dst *region) check(call string, src *region) error {
	for _, r := range []*region{dst, src} {
		if r.bad != nil {
			return r.bad
		}
		if r.elem == nil {
			return errs.F("launch: %s: zero Region; make one with Buffer.Region or launch.HostRegion", call)
		}
	}
	d, s := dst.layout, src.layout
	switch {
	case d.Width != s.Width || d.Height != s.Height || d.Depth != s.Depth:
		return errs.F("launch: %s of %d x %d x %d elements to %d x %d x %d; use Box", call, s.Width, s.Height, s.Depth, d.Width, d.Height, d.Depth)
	case dst.h == nil && src.h == nil:
		return errs.F("launch: %s: both regions are memory of the host; use copy", call)
	case dst.h != nil && src.h != nil && dst.h.dev != src.h.dev:
		return errs.F("launch: %s from %s to %s; use CopyPeer, or copy through the host", call, src.h.dev.Name(), dst.h.dev.besides(src.h.dev))
	case !dst.empty() && dst.meets(src):
		return errs.F("launch: %s: the two regions overlap", call)
	}
	return nil
}

// box is the copy as a driver takes it.
func (dst *region) box(src *region) *driver.Box {
	size := int(dst.elem.Size())
	return &driver.Box{
		Dst: dst.at, DstHost: dst.h == nil, DstPitch: dst.layout.Stride * size, DstRows: dst.layout.Rows,
		Src: src.at, SrcHost: src.h == nil, SrcPitch: src.layout.Stride * size, SrcRows: src.layout.Rows,
		Width: dst.layout.Width * size, Height: dst.layout.Height, Depth: dst.layout.Depth,
	}
}

// device is the Buffer of the one that has one, dst first.
func (dst *region) device(src *region) *header {
	if dst.h != nil {
		return dst.h
	}
	return src.h
}

func copyRegion(ctx context.Context, dst, src *region) error {
	if err := dst.check("CopyRegion", src); err != nil {
		return err
	}
	d := dst.device(src).dev
	for _, r := range []*region{dst, src} {
		if r.h == nil {
			if err := r.hostIn(d); err != nil {
				return err
			}
			continue
		}
		if err := r.h.enter("CopyRegion"); err != nil {
			return err
		}
		defer r.h.leave()
		if err := d.waitFor(ctx, r.h.own.b); err != nil {
			return err
		}
	}
	if dst.empty() {
		return nil
	}
	can, ok := d.service.(driver.BoxCopier)
	if !ok {
		return errs.F("launch: CopyRegion: %s copies no regions; copy row by row", d.info.Name)
	}
	err := can.CopyBox(dst.box(src))
	if err == nil {
		err = d.service.Sync()
	}
	runtime.KeepAlive(dst.at)
	runtime.KeepAlive(src.at)
	return d.vendor(err)
}

// hostIn says whether memory of the host is that, and no device's; work with it is waited for.
func (r *region) hostIn(d *Device) error {
	owner, b := memoryOf(r.at)
	switch {
	case owner == nil || r.empty():
		return nil
	case b.host == nil:
		return errs.F("launch: HostRegion: the memory is of %s; use the Region of its Buffer", owner.Name())
	}
	return owner.waitFor(context.Background(), b)
}

func copyRegionAsync(s *Stream, dst, src *region) error {
	const call = "CopyRegionAsync"
	if err := dst.check(call, src); err != nil {
		return err
	}
	return s.queue(call, dst.device(src), func() error {
		if err := s.now(call); err != nil {
			return err
		}
		for _, r := range []*region{dst, src} {
			if err := s.useRegion(call, r); err != nil {
				return err
			}
		}
		if dst.empty() {
			return nil
		}
		can, ok := s.drv.(driver.BoxCopier)
		if !ok {
			return errs.F("launch: %s: %s copies no regions; copy row by row", call, s.dev.Name())
		}
		return s.vendor(can.CopyBox(dst.box(src)))
	})
}

// useRegion makes the stream's next piece of work a user of the region's memory; s.mu is held.
func (s *Stream) useRegion(call string, r *region) error {
	if r.empty() {
		return nil
	}
	if r.h != nil {
		if err := r.h.usable(); err != nil {
			return errs.F("launch: %s: %w", call, err)
		}
		if !r.h.own.b.note(s, s.seq+1) {
			return errs.F("launch: %s: %v is closed", call, r.h.own.b)
		}
		return nil
	}
	owner, b := memoryOf(r.at)
	switch {
	case owner == nil:
		s.keep = append(s.keep, r.at)
		return nil
	case b.host == nil:
		return errs.F("launch: %s: HostRegion of memory of %s; use the Region of its Buffer", call, owner.Name())
	}
	return s.useHosted(call, owner, b, r.at, r.bytes())
}

// fill queues the filling of a region of a Buffer.
func (r *region) fill(s *Stream, value []byte) error {
	switch {
	case r.bad != nil:
		return r.bad
	case r.h == nil:
		return errs.F("launch: Fill: the region is memory of the host; use a loop")
	}
	return s.queue("Fill", r.h, func() error {
		if r.empty() {
			return nil
		}
		number, size := pattern(value)
		can, ok := s.drv.(driver.BoxCopier)
		if !ok || size == 0 || uintptr(r.at)%uintptr(size) != 0 || int(r.elem.Size())*r.layout.Stride%size != 0 {
			return r.fillRows(s, value)
		}
		l := &r.layout
		row := int(r.elem.Size()) * l.Stride
		for z := range l.Depth {
			at := unsafe.Add(r.at, z*l.Rows*row)
			if err := can.FillRows(at, row, number, size, l.Width*int(r.elem.Size())/size, l.Height); err != nil {
				return s.vendor(err)
			}
		}
		return nil
	})
}

// fillRows fills with a value that the libraries have no function for, row by row; s.mu is held.
func (r *region) fillRows(s *Stream, value []byte) error {
	first := uintptr(r.at)
	for n := range r.layout.Height * r.layout.Depth {
		if err := s.fill(unsafe.Add(r.at, r.row(n)-first), value, r.layout.Width); err != nil {
			return err
		}
	}
	return nil
}
