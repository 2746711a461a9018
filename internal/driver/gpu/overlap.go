package gpu

import (
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/env"
)

// This file launches a kernel while the one before it on the stream ends, where the vendor can (CUDA's programmatic dependent
// launch, of compute capability 9.0 and later). Such a kernel waits, before anything else, until the kernels before
// it have ended and their memory is visible: the order is that of any stream, and only the time that a launch takes is saved.

// An Overlap is how a vendor does it.
type Overlap struct {
	// Launch is the function, with the parameters of cuLaunchKernelEx.
	Launch string
	// Attribute is the number of the attribute, whose value is 1.
	Attribute uint32
	// Waits is an object's code, changed so that its kernels wait; nil if they cannot.
	Waits func(code []byte) []byte
}

// overlapping is the code to load for an object, and the address of what launches it; 0 if it is launched as any other.
func (d *Device) overlapping(obj *abi.Object) (code []byte, launch uintptr) {
	o := d.spec.Overlap
	if o == nil || env.Get(env.Overlap) == "off" {
		return obj.Code, 0
	}
	if _, launch = d.lib.address(o.Launch); launch == 0 {
		return obj.Code, 0
	}
	if code = o.Waits(obj.Code); code == nil {
		return obj.Code, 0
	}
	return code, launch
}

// A launchConfig is CUlaunchConfig, with room for one attribute (CUlaunchAttribute).
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	_           uint32
	stream      uintptr
	attributes  unsafe.Pointer
	count       uint32
	_           uint32
	attribute   struct {
		id, _ uint32
		value [16]uint32
	}
}

// launchOverlapping launches f by its launch function; s.mu is held. It allocates nothing but the first time.
func (s *Stream) launchOverlapping(f *Function, c *driver.Config, extra uintptr) error {
	if s.overlap == nil {
		s.overlap = &launchConfig{stream: s.handle, count: 1}
		s.overlap.attributes = unsafe.Pointer(&s.overlap.attribute)
		s.overlap.attribute.id, s.overlap.attribute.value[0] = s.dev.spec.Overlap.Attribute, 1
	}
	o := s.overlap
	for i := range 3 {
		o.grid[i], o.block[i] = uint32(c.Grid[i]), uint32(c.Block[i])
	}
	o.shared = uint32(c.Shared)
	s.call = [...]uintptr{0: uintptr(unsafe.Pointer(o)), 1: f.handle, 2: 0, 3: extra, 10: 0}
	code, err := s.dev.call(f.launch, s.call[:4])
	if err == nil && code != codeOK {
		err = s.dev.lib.failure(s.dev.spec.Overlap.Launch, code)
	}
	return err
}
