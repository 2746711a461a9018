package launch

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/foreign"
)

// A ModuleKernel is a kernel of a [Module] (hipFunction_t).
type ModuleKernel struct {
	m    *Module
	f    *function
	info foreign.Kernel
}

// A ModuleParam is a parameter of a ModuleKernel, in bytes.
type ModuleParam struct {
	Name         string // "" where the code does not tell
	Offset, Size int
	Pointer      bool // it is known to be an address
}

// Name is the kernel's symbol in the module.
func (k *ModuleKernel) Name() string { return k.info.Name }

// Params are the kernel's parameters, in order.
func (k *ModuleKernel) Params() []ModuleParam {
	var all []ModuleParam
	for _, p := range k.info.Params {
		all = append(all, ModuleParam{p.Name, p.Offset, p.Size, p.Pointer})
	}
	return all
}

// signature lays the parameters out. What may be an address is listed as one: graphs look for
// the buffers that they are of.
func (k *ModuleKernel) signature() abi.Signature {
	sig := abi.Signature{Size: k.info.Size}
	for _, p := range k.info.Params {
		own := abi.Param{Name: p.Name, Class: abi.Aggregate, Offset: p.Offset, Size: p.Size, Align: 1}
		for o := 0; o+pointerSize <= p.Size; o += pointerSize {
			own.Pointers = append(own.Pointers, o)
		}
		sig.Params = append(sig.Params, own)
	}
	return sig
}

// Launch queues the kernel (hipModuleLaunchKernel). args are checked against the parameters'
// sizes, and kinds where the code tells them: for an address a Buffer, what its Device
// returned or a part of that, a pointer to an element, or nil; for a value a number, an array
// or a struct of exactly its size. A Go int has 8 bytes, C's has 4: write int32(n).
func (k *ModuleKernel) Launch(s *Stream, cfg Config, args ...any) error {
	if k == nil {
		return errors.New("launch: nil ModuleKernel")
	}
	if err := k.m.enter(); err != nil {
		return err
	}
	defer k.m.dev.leave()
	return s.put(context.Background(), k.f, nil, cfg, given{foreign: func(s *Stream) error { return k.pack(s, args) }})
}

// pack fills the stream's argument block; s.mu is held.
func (k *ModuleKernel) pack(s *Stream, args []any) error {
	if len(args) != len(k.info.Params) {
		return errs.F("have %d arguments, want %d: %s", len(args), len(k.info.Params), k.wants())
	}
	if cap(s.args) < k.info.Size {
		s.args = make([]byte, max(k.info.Size, 256))
	}
	s.args = s.args[:k.info.Size]
	clear(s.args)
	for i, a := range args {
		p := &k.info.Params[i]
		what := fmt.Sprintf("argument %d", i+1)
		if p.Name != "" {
			what += " (" + p.Name + ")"
		}
		if err := packForeign(s, p, what, a, s.args[p.Offset:p.Offset+p.Size]); err != nil {
			return err
		}
	}
	return nil
}

// wants lists the parameters.
func (k *ModuleKernel) wants() string {
	text := "("
	for i, p := range k.info.Params {
		if i > 0 {
			text += ", "
		}
		text += describe(&p)
	}
	return text + ")"
}

func describe(p *foreign.Param) string {
	switch {
	case p.Pointer:
		return "an address"
	case p.Value:
		return fmt.Sprintf("%d bytes", p.Size)
	}
	return fmt.Sprintf("an address or %d bytes", p.Size)
}

// packForeign puts one argument in its place.
func packForeign(s *Stream, p *foreign.Param, what string, a any, to []byte) error {
	address := func(at uintptr) error {
		if p.Value || p.Size != pointerSize {
			return errs.F("%s: have %T, want %s", what, a, describe(p))
		}
		*(*uintptr)(unsafe.Pointer(&to[0])) = at
		return nil
	}
	if a == nil {
		return address(0)
	}
	if b, ok := a.(headed); ok {
		h := b.head()
		if err := h.usable(); err != nil {
			return errs.F("%s: %w", what, err)
		}
		if h.dev != s.dev {
			return errs.F("%s: %v is on %s, the launch on %s", what, h.own.b, h.dev.Name(), s.dev.besides(h.dev))
		}
		if !h.own.b.note(s, s.seq+1) {
			return errs.F("%s: %v is closed", what, h.own.b)
		}
		return address(uintptr(h.ptr))
	}
	v := reflect.ValueOf(a)
	t := v.Type()
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		at, err := useAddress(s, what, v.Pointer())
		if err != nil {
			return err
		}
		return address(at)
	}
	if where, bad := hostOnly(t, what); bad != nil {
		return errs.F("%s has type %s, which is host memory", where, bad)
	}
	if p.Pointer || int(t.Size()) != p.Size {
		hint := ""
		if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
			hint = fmt.Sprintf("; C's int has 4 bytes: write %s32(%v)", t, a)
		}
		return errs.F("%s: have %s of %d bytes, want %s%s", what, t, t.Size(), describe(p), hint)
	}
	own := reflect.New(t)
	own.Elem().Set(v)
	copy(to, unsafe.Slice((*byte)(own.UnsafePointer()), p.Size))
	for _, o := range pointerOffsets(t, 0, nil) {
		at := (*uintptr)(unsafe.Pointer(&to[o]))
		used, err := useAddress(s, what+fieldAt(t, o), *at)
		if err != nil {
			return err
		}
		*at = used
	}
	return nil
}

// useAddress makes the stream's next work a user of the device memory at an address, and returns the address
// as a module takes it: 0 for that of no memory.
func useAddress(s *Stream, what string, at uintptr) (uintptr, error) {
	if isNowhere(at) {
		return 0, nil
	}
	if b := s.dev.mem.at(at); b != nil && b.note(s, s.seq+1) {
		return at, nil
	}
	if d, _ := memoryAt(at); d != nil && d != s.dev {
		return 0, errs.F("%s is memory of %s, the launch on %s", what, d.Name(), s.dev.besides(d))
	}
	return 0, errs.F("%s is not memory of %s; upload it: launch.Upload(dev, ...)", what, s.dev.Name())
}
