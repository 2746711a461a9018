package launch

import (
	"fmt"
	"math"
	"reflect"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/inside"
)

// A plan is how the arguments of one kernel become its argument block. It is made once
// and serves any number of launches at once.
//
// An argument arrives as an interface. Its type word is compared with the one
// the parameter wants, and its bytes are copied, both by way of package unsafe:
// through reflect or a method of the interface the arguments would escape, and
// every launch would allocate.
type plan struct {
	sig      *abi.Signature
	params   []param // the explicit ones
	captures []param
}

// param is one parameter or captured variable.
type param struct {
	*abi.Param
	what string         // "argument 1 (a)", for errors
	hint string         // what else there is to do about an address of the host
	typ  reflect.Type   // nil for a capture
	word unsafe.Pointer // typ's identity in an interface
	// direct: an interface holds the value itself in place of its address, as
	// it does with one-pointer types.
	direct bool
	// For a Slice or a Pointer: the identity of the element type, and that of
	// *Buffer[element] once one has been seen, since a generic type's instance
	// cannot be had from its type argument.
	elem   unsafe.Pointer
	buffer atomic.Pointer[byte]
}

// eface is an interface value as Go lays it out.
type eface struct {
	typ  unsafe.Pointer
	data unsafe.Pointer
}

// slice is a slice as Go lays it out, on the host and on the device; address
// is the same where Go's collector is not to look at it.
type slice struct {
	ptr      unsafe.Pointer
	len, cap int
}
type address struct {
	ptr      uintptr
	len, cap int
}

const pointerSize = int(unsafe.Sizeof(uintptr(0)))

// words are the two halves of an argument, hidden.
func words(arg *any) (typ, data unsafe.Pointer) {
	e := (*eface)(unsafe.Pointer(arg))
	return inside.Hide(e.typ), inside.Hide(e.data)
}

// typeWord is t's identity as an interface that holds a t has it: the address
// of the type's descriptor, which is also what a reflect.Type points to.
func typeWord(t reflect.Type) unsafe.Pointer { return (*eface)(unsafe.Pointer(&t)).data }

// typeOf is the type with the identity word, nil for none.
func typeOf(word unsafe.Pointer) reflect.Type {
	e := eface{typ: word}
	return reflect.TypeOf(*(*any)(unsafe.Pointer(&e)))
}

// newPlan makes the plan of a kernel whose explicit parameters have the types
// in. A signature that does not fit them is an error.
func newPlan(sig *abi.Signature, in []reflect.Type) (*plan, error) {
	p := &plan{sig: sig}
	explicit := 0
	for i := range sig.Params {
		if !sig.Params[i].Capture {
			explicit++
		}
	}
	if explicit != len(in) {
		return nil, errs.F("launch: the signature has %d parameters, the function %d", explicit, len(in))
	}
	p.params = make([]param, explicit)
	p.captures = make([]param, len(sig.Params)-explicit)
	nth := [2]int{}
	for i := range sig.Params {
		sp := &sig.Params[i]
		if sp.Capture {
			q := &p.captures[nth[1]]
			nth[1]++
			q.Param, q.what = sp, fmt.Sprintf("captured variable %s (%s)", sp.Name, sp.Pos)
			switch sp.Class {
			case abi.Pointer:
				q.hint = "capture the value it points to, or "
			case abi.Slice:
				q.hint = "capture the *launch.Buffer itself, which also keeps its memory, or "
			}
			continue
		}
		q := &p.params[nth[0]]
		t := in[nth[0]]
		nth[0]++
		q.Param, q.typ, q.word = sp, t, typeWord(t)
		q.what = fmt.Sprintf("argument %d (%s)", nth[0], sp.Name)
		if int(t.Size()) != sp.Size || classOf(t) != sp.Class {
			return nil, errs.F("launch: parameter %s: %d bytes of class %s in the signature, %d of %s as %s",
				sp.Name, sp.Size, sp.Class, t.Size(), classOf(t), t)
		}
		if sp.Class == abi.Slice || sp.Class == abi.Pointer {
			q.elem = typeWord(t.Elem())
		}
		q.direct = isDirect(t)
	}
	return p, nil
}

// signatureOf lays out parameters of the types in, called names (nil: p1, p2,
// ...), for a kernel that no compiler has looked at: on the simulator.
func signatureOf(in []reflect.Type, names []string) (*abi.Signature, error) {
	sig := new(abi.Signature)
	for i, t := range in {
		p := abi.Param{
			Name: fmt.Sprintf("p%d", i+1), Type: t.String(), Class: classOf(t),
			Size: int(t.Size()), Align: t.Align(),
		}
		if i < len(names) {
			p.Name = names[i]
		}
		if where, bad := hostOnly(t, p.Name); bad != nil {
			return nil, errs.F("launch: parameter %s has type %s, which is host memory", where, bad)
		}
		switch p.Class {
		case abi.Slice, abi.Pointer:
			if where, bad := hostOnly(t.Elem(), p.Name+"[i]"); bad != nil {
				return nil, errs.F("launch: parameter %s: %s has type %s, which is host memory", p.Name, where, bad)
			}
			p.Elem, p.ElemSize = t.Elem().String(), int(t.Elem().Size())
		case abi.Aggregate:
			p.Pointers = pointerOffsets(t, 0, nil)
		}
		sig.Add(p)
	}
	return sig, nil
}

// classOf is how a value of type t crosses to the device.
func classOf(t reflect.Type) abi.Class {
	switch {
	case t.Kind() == reflect.Slice:
		return abi.Slice
	case t.Kind() == reflect.Pointer:
		return abi.Pointer
	case t.Size() == 0:
		return abi.Zero
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Array:
		return abi.Aggregate
	}
	return abi.Scalar
}

// isDirect finds out by trial: it depends on the Go release which types of one
// pointer an interface holds directly.
func isDirect(t reflect.Type) bool {
	if int(t.Size()) != pointerSize || len(pointerOffsets(t, 0, nil)) != 1 {
		return false
	}
	v := reflect.New(t)
	mark := unsafe.Pointer(new(int))
	*(*unsafe.Pointer)(v.UnsafePointer()) = mark
	i := v.Elem().Interface()
	return (*eface)(unsafe.Pointer(&i)).data == mark
}

// pack fills dst with the arguments of a launch on s and makes s a user of
// the memory they refer to.
func (p *plan) pack(dst []byte, s *Stream, args []any, captures []unsafe.Pointer) error {
	if len(args) != len(p.params) {
		return p.countError(len(args))
	}
	clear(dst)
	for i := range p.params {
		typ, data := words(&args[i])
		if err := p.params[i].pack(dst, s, typ, data); err != nil {
			return err
		}
	}
	return p.packCaptures(dst, s, captures)
}

// packCaptures fills dst with the captured variables.
func (p *plan) packCaptures(dst []byte, s *Stream, captures []unsafe.Pointer) error {
	for i, at := range captures {
		q := &p.captures[i]
		if q.Buffer {
			if err := q.packHeader(dst, s, *(**header)(inside.Hide(at))); err != nil {
				return err
			}
			continue
		}
		if err := q.copy(dst, s, inside.Hide(at)); err != nil {
			return err
		}
	}
	return nil
}

// pack puts the argument {typ, data} in its place in dst.
func (q *param) pack(dst []byte, s *Stream, typ, data unsafe.Pointer) error {
	if q.elem == nil {
		if typ != q.word {
			at, ok, err := q.texture(typ, data)
			if err != nil {
				return err
			}
			if !ok {
				return q.mismatch(typ, data, s.dev)
			}
			data = at
		}
		if q.direct {
			return q.copy(dst, s, unsafe.Pointer(&data))
		}
		return q.copy(dst, s, data)
	}
	if typ == q.word || q.assignable(typ) { // device memory by its address
		return q.packAddress(dst, s, typ, data)
	}
	h, err := q.header(typ, data, s.dev)
	if err != nil {
		return err
	}
	return q.packHeader(dst, s, h)
}

// assignable reports whether an argument of another type than the parameter's,
// a slice or a pointer, can be assigned to it: a []float32 to a type of its own.
func (q *param) assignable(typ unsafe.Pointer) bool {
	if typ == nil || typ == unsafe.Pointer(q.buffer.Load()) {
		return false
	}
	have := typeOf(typ)
	return have.Kind() == q.typ.Kind() && have.AssignableTo(q.typ)
}

// packAddress puts a slice or a pointer of device memory in its place in dst:
// what Device returned, or a part of it.
func (q *param) packAddress(dst []byte, s *Stream, typ, data unsafe.Pointer) error {
	to, from := dst[q.Offset:q.Offset+q.Size], data
	if q.direct {
		from = unsafe.Pointer(&data)
	}
	copy(to, unsafe.Slice((*byte)(from), q.Size))
	if p := *(*uintptr)(unsafe.Pointer(&to[0])); !isNowhere(p) && s.dev.visible(p) == nil {
		return q.mismatch(typ, data, s.dev)
	}
	return q.checkAddress(to, 0, s)
}

// packHeader puts the slice or the pointer that a buffer is on the device in its
// place in dst.
func (q *param) packHeader(dst []byte, s *Stream, h *header) error {
	if err := q.checkBuffer(h, s.dev); err != nil {
		return err
	}
	if !h.own.b.note(s, s.seq+1) {
		return errs.F("%s: %v is closed", q.what, h.own.b)
	}
	at := unsafe.Pointer(&dst[q.Offset])
	if q.Class == abi.Slice {
		*(*address)(at) = address{uintptr(h.ptr), h.len, h.cap}
		if h.ptr == nil && q.Buffer { // the compiler takes it that it is not nil, as what Device returns
			*(*uintptr)(at) = uintptr(unsafe.Pointer(&nowhere))
		}
	} else {
		*(*uintptr)(at) = uintptr(h.ptr)
	}
	return nil
}

// copy copies the value at from into dst and checks the device addresses in it.
func (q *param) copy(dst []byte, s *Stream, from unsafe.Pointer) error {
	if q.Size == 0 {
		return nil
	}
	to := dst[q.Offset : q.Offset+q.Size]
	copy(to, unsafe.Slice((*byte)(from), q.Size))
	if q.Class == abi.Slice || q.Class == abi.Pointer { // captured
		return q.checkAddress(to, 0, s)
	}
	for _, o := range q.Pointers {
		if err := q.checkAddress(to, o, s); err != nil {
			return err
		}
	}
	return nil
}

// isNowhere reports whether p is the address of no memory: nil, or what Device returned of an empty buffer.
func isNowhere(p uintptr) bool { return p == 0 || p == uintptr(unsafe.Pointer(&nowhere)) }

// checkAddress checks the device address at offset o of value, and makes s a
// user of the memory there.
func (q *param) checkAddress(value []byte, o int, s *Stream) error {
	p := *(*uintptr)(unsafe.Pointer(&value[o]))
	if isNowhere(p) {
		return nil
	}
	if b := s.dev.visible(p); b != nil && b.note(s, s.seq+1) {
		if end := p + q.extent(value); end > uintptr(b.base)+uintptr(b.size) || end < p {
			return errs.F("%s reaches %d bytes past the end of its %v", q.what, end-uintptr(b.base)-uintptr(b.size), b)
		}
		return nil
	}
	where := ""
	if q.typ != nil {
		where = fieldAt(q.typ, o)
	}
	switch d, b := memoryAt(p); {
	case d == s.dev && b.freed.Load():
		return errs.F("%s%s is memory of a %v that is closed", q.what, where, b)
	case d == s.dev: // it was closed just now, and its memory is another's since
		return errs.F("%s%s is memory of a buffer that is closed", q.what, where)
	case d != nil:
		return errs.F("%s%s is memory of %s, the launch on %s; copy it: launch.Upload(dev, ...)", q.what, where, d.Name(), s.dev.besides(d))
	}
	return errs.F("%s%s is not memory of %s; %suse the Device() of a Buffer there", q.what, where, s.dev.Name(), q.hint)
}

// extent is how many bytes from its address on a slice or a pointer stands for; 0
// where the parameter only holds such.
func (q *param) extent(value []byte) uintptr {
	switch q.Class {
	case abi.Slice:
		a := (*address)(unsafe.Pointer(&value[0]))
		if q.ElemSize > 0 && a.cap > math.MaxInt/q.ElemSize {
			return math.MaxInt
		}
		return uintptr(a.cap * q.ElemSize)
	case abi.Pointer:
		return uintptr(q.ElemSize)
	}
	return 0
}

// header is the header of the Buffer that an argument is.
func (q *param) header(typ, data unsafe.Pointer, d *Device) (*header, error) {
	if typ != nil && typ == unsafe.Pointer(q.buffer.Load()) {
		return (*header)(data), nil
	}
	e := eface{typ, data}
	b, ok := (*(*any)(unsafe.Pointer(&e))).(headed)
	if !ok {
		return nil, q.mismatch(typ, data, d)
	}
	h := b.head()
	if h != nil && h.elem != q.elem && h.elem != nil {
		return nil, q.mismatch(typ, data, d)
	}
	// A type that embeds a *Buffer elsewhere is no use as a short cut.
	if h != nil && h.elem != nil && unsafe.Pointer(h) == data {
		q.buffer.Store((*byte)(typ))
	}
	return h, nil
}

// checkBuffer says whether h can be used on d as this argument.
func (q *param) checkBuffer(h *header, d *Device) error {
	if err := h.usable(); err != nil {
		return errs.F("%s: %w", q.what, err)
	}
	if h.dev != d && !d.seesBlock(h.dev, h.own.b) {
		return errs.F("%s: %v is on %s, the launch on %s", q.what, h.own.b, h.dev.Name(), d.besides(h.dev))
	}
	if q.Class == abi.Pointer && h.len == 0 {
		return errs.F("%s: the buffer is empty; a pointer needs an element to point to", q.what)
	}
	return nil
}

// values are the arguments as the kernel's own Go function takes them: device
// memory as the slices and pointers that it is on the simulator. pack has
// checked them.
func (p *plan) values(args []any) []any {
	all := make([]any, len(args))
	for i := range p.params {
		q := &p.params[i]
		typ, data := words(&args[i])
		v := reflect.New(q.typ)
		if typ != q.word && q.elem == nil {
			data, _, _ = q.texture(typ, data)
		}
		switch {
		case q.elem == nil && q.direct:
			*(*unsafe.Pointer)(v.UnsafePointer()) = data
		case q.elem == nil:
			v.Elem().Set(reflect.NewAt(q.typ, data).Elem())
		case typ == q.word || q.assignable(typ):
			at := data
			if q.direct {
				at = unsafe.Pointer(&data)
			}
			v.Elem().Set(reflect.NewAt(q.typ, at).Elem())
		default:
			h, err := q.header(typ, data, nil)
			if err != nil {
				panic("launch: an argument that was packed is no Buffer: " + err.Error())
			}
			if q.Class == abi.Slice {
				*(*slice)(v.UnsafePointer()) = slice{h.ptr, h.len, h.cap}
			} else {
				*(*unsafe.Pointer)(v.UnsafePointer()) = h.ptr
			}
		}
		all[i] = v.Elem().Interface()
	}
	return all
}
