package launch

import (
	"reflect"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
)

// This file takes the arguments of a typed launch (package typed): Go's compiler has checked
// their number and their types.

// packWords fills dst as pack does.
func (p *plan) packWords(dst []byte, s *Stream, g *given) error {
	clear(dst)
	g.frame.Copy(dst, g.words)
	for i := range p.params {
		q := &p.params[i]
		if q.Size == 0 {
			continue
		}
		value := dst[q.Offset : q.Offset+q.Size]
		if q.elem == nil {
			for _, o := range q.Pointers {
				if err := q.checkAddress(value, o, s); err != nil {
					return err
				}
			}
			continue
		}
		if at := *(*uintptr)(unsafe.Pointer(&value[0])); !isNowhere(at) && s.dev.mem.at(at) == nil {
			if err := q.foreignWord(at, s.dev); err != nil {
				return err
			}
		}
		if err := q.checkAddress(value, 0, s); err != nil {
			return err
		}
	}
	return p.packCaptures(dst, s, g.captures)
}

// foreignWord is the error of a slice or a pointer that is not memory of d, nil where
// checkAddress has a better one.
func (q *param) foreignWord(at uintptr, d *Device) error {
	owner, b := memoryAt(at)
	switch {
	case owner == nil:
		return errs.F("%w, and pass its Device()", q.upload(q.typ))
	case owner == d && b != nil:
		return nil
	}
	return errs.F("%s is memory of %s, the launch on %s; copy it: launch.Upload(dev, %s)", q.what, owner.Name(), d.besides(owner), q.Name)
}

// inBlock are the arguments that are packed in block, whose device memory is in use.
func (p *plan) inBlock(block []byte) []any {
	all := make([]any, len(p.params))
	for i := range p.params {
		q := &p.params[i]
		v := reflect.New(q.typ)
		if q.Class != abi.Zero {
			copy(unsafe.Slice((*byte)(v.UnsafePointer()), q.Size), block[q.Offset:])
		}
		all[i] = v.Elem().Interface()
	}
	return all
}

// failed makes an error of a typed launch, which cannot return it, the stream's.
func (s *Stream) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil {
		return // a loop of calls that fail has one error
	}
	if !reflect.TypeOf(err).Comparable() { // a list of errors
		err = errs.F("%w", err)
	}
	s.fail(err)
}
