package launch

import (
	"unsafe"

	"heddle/internal/amdimage"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/texture"
)

// This file implements arrays on AMD's GPUs with image instructions: their texels lie in the linear
// layout of these, which the software form reads too.

// placed says in d where the array's texels lie, and is how many bytes they take where there are gaps.
func (a *array) placed(d *texture.Desc) int64 {
	if a.stride != 0 {
		d.Row[0] = int64(a.stride) * int64(d.TexelSize)
		d.Plane[0] = d.Row[0] * int64(d.Size[1])
	}
	if a.family == amdimage.None {
		return 0
	}
	return amdimage.Place(a.family, a.shape, d)
}

// describeAMD completes a descriptor for kernels with ImageInstructions, or says why it cannot.
func (a *array) describeAMD(d *texture.Desc, v amdimage.View) {
	if a.family != amdimage.None {
		amdimage.Describe(a.family, a.shape, d, a.format, a.chans, v)
		return
	}
	f := amdimage.FamilyOf(a.dev.info.Arch)
	switch {
	case f == amdimage.None:
		d.Refused = int32(texture.RefusedDevice)
	case amdimage.Fits(f, a.shape):
		d.Refused = int32(texture.RefusedLinear)
	default:
		d.Refused = int32(texture.RefusedSize)
	}
}

// eachBox calls f for each copy of rows between the array and packed, memory of the host or of the
// device in which the texels lie without gaps, as Array's doc comment says.
func (a *array) eachBox(packed unsafe.Pointer, host, out bool, f func(*driver.Box) error) error {
	var gaps texture.Desc
	gaps.Levels, gaps.TexelSize = int32(a.shape.Levels), int32(a.elemT.Size())
	a.placed(&gaps)
	for l := range a.shape.Levels {
		one := a.shape.Level(l)
		row, height, slices := one.Width*int(a.elemT.Size()), max(1, one.Height), max(1, one.Depth)*a.shape.Slices()
		b := driver.Box{Dst: unsafe.Add(a.ptr, gaps.Offset[l]), Src: packed, SrcHost: host, DstPitch: int(gaps.Row[l]), SrcPitch: row,
			SrcRows: height, Width: row, Height: height, Depth: slices}
		count := 1
		if plane := gaps.Row[l] * int64(height); plane != gaps.Plane[l] { // slice by slice: no whole rows lie between them
			b.Depth, count = 1, slices
		}
		b.DstRows = height
		for s := range count {
			one := b
			one.Dst = unsafe.Add(b.Dst, int64(s)*gaps.Plane[l])
			one.Src = unsafe.Add(b.Src, s*row*height)
			if out {
				one.Dst, one.Src, one.DstHost, one.SrcHost = one.Src, one.Dst, one.SrcHost, one.DstHost
				one.DstPitch, one.SrcPitch, one.DstRows, one.SrcRows = one.SrcPitch, one.DstPitch, one.SrcRows, one.DstRows
			}
			if err := f(&one); err != nil {
				return err
			}
		}
		packed = unsafe.Add(packed, row*height*slices)
	}
	return nil
}

// boxes queues the copies of eachBox on s.
func (a *array) boxes(packed unsafe.Pointer, host, out bool, s driver.Stream) error {
	can, ok := s.(driver.BoxCopier)
	if !ok {
		return errs.F("launch: %s copies no rows, and the array's have gaps", a.dev.info.Name)
	}
	return a.eachBox(packed, host, out, can.CopyBox)
}

// copyBoxes is boxes for memory of the device; in a capture each row is a copy of its own, since graphs
// have no copies of rows. s.mu is held.
func (a *array) copyBoxes(call string, s *Stream, packed unsafe.Pointer, out bool) error {
	if s.tape == nil {
		return s.vendor(a.boxes(packed, false, out, s.drv))
	}
	return a.eachBox(packed, false, out, func(b *driver.Box) error {
		for i := range b.Height * b.Depth {
			if err := s.copy(call, unsafe.Add(b.Dst, i*b.DstPitch), unsafe.Add(b.Src, i*b.SrcPitch), b.Width); err != nil {
				return err
			}
		}
		return nil
	})
}
