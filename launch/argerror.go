package launch

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"heddle/internal/errs"
)

// countError says which arguments a launch must have.
func (p *plan) countError(have int) error {
	var want []string
	for i := range p.params {
		want = append(want, p.params[i].Name+" "+p.params[i].wants())
	}
	return errs.F("have %d arguments, want %d: (%s)", have, len(want), strings.Join(want, ", "))
}

// wants is the type of what the host passes.
func (q *param) wants() string {
	if q.elem != nil {
		return "*launch.Buffer[" + q.typ.Elem().String() + "]"
	}
	return q.typ.String()
}

// mismatch says what is wrong with an argument of another type than the
// parameter's, or of host memory, and what to write instead; the launch is on d.
func (q *param) mismatch(typ, data unsafe.Pointer, d *Device) error {
	have := typeOf(typ)
	if have == nil {
		return errs.F("%s is nil, want %s", q.what, q.wants())
	}
	text := fmt.Sprintf("%s: have %s, want %s", q.what, have, q.wants())
	switch {
	case q.elem == nil && isNumber(have) && isNumber(q.typ):
		return errs.F("%s; write %s(%v)", text, q.typ, numberAt(have, data))
	case q.elem == nil:
		return errs.F("%s", text)
	case reflect.PointerTo(have).Implements(reflect.TypeFor[headed]()) && have.Kind() == reflect.Struct:
		return errs.F("%s; pass the pointer", text)
	case have.Implements(reflect.TypeFor[headed]()):
		return errs.F("%s", text)
	case have.Kind() == reflect.Pointer || have.Kind() == reflect.Slice:
		return q.hostError(have, data, d, text)
	case have.Kind() == reflect.Array:
		return q.upload(have)
	}
	return errs.F("%s", text)
}

// upload is the error of an argument in host memory: how to upload it, where its
// elements are what the kernel takes, else what that is.
func (q *param) upload(have reflect.Type) error {
	elem, text := q.typ.Elem(), ""
	if len(pointerOffsets(elem, 0, nil)) > 0 && have.Kind() == reflect.Slice && have.Elem() == elem {
		return q.uploadParts(have)
	}
	switch kind := have.Kind(); {
	case kind == reflect.Slice && have.Elem() == elem:
		text = q.Name
	case kind == reflect.Array && have.Elem() == elem:
		text = q.Name + "[:]"
	case kind == reflect.Pointer && have.Elem() == elem:
		text = fmt.Sprintf("[]%s{*%s}", elem, q.Name)
	case kind == reflect.Pointer && have.Elem().Kind() == reflect.Slice && have.Elem().Elem() == elem:
		text = "*" + q.Name
	case kind == reflect.Pointer && have.Elem().Kind() == reflect.Array && have.Elem().Elem() == elem:
		text = q.Name + "[:]"
	default:
		return errs.F("%s is host memory (%s), want %s", q.what, have, q.wants())
	}
	return errs.F("%s is host memory (%s); upload it: launch.Upload(dev, %s)", q.what, have, text)
}

// uploadParts is upload for a slice whose elements hold addresses: what they point to
// has to be on the device first.
func (q *param) uploadParts(have reflect.Type) error {
	elem := have.Elem()
	switch elem.Kind() {
	case reflect.Slice:
		return errs.F("%s is host memory (%s); upload each %s[i] and then their slices: launch.Upload(dev, %s{row.Device(), ...}), or all of it as one %s",
			q.what, have, q.Name, have, elem)
	case reflect.Pointer:
		return errs.F("%s is host memory (%s); upload what it points to and then the addresses: launch.Upload(dev, %s{&b.Device()[0], ...})", q.what, have, have)
	}
	at := pointerOffsets(elem, 0, nil)[0]
	return errs.F("%s is host memory (%s); upload it when %s[i]%s is device memory: Device() of a buffer of its own", q.what, have, q.Name, fieldAt(elem, at))
}

// hostError is the error of a slice or pointer that cannot be the argument: as a
// rule one of host memory.
func (q *param) hostError(have reflect.Type, data unsafe.Pointer, d *Device, text string) error {
	p := data // an interface holds a pointer itself
	if have.Kind() == reflect.Slice {
		p = *(*unsafe.Pointer)(data)
	}
	switch owner, b := memoryOf(p); {
	case owner == d && b != nil: // of the wrong type
		return errs.F("%s", text)
	case owner != nil && have.Kind() == reflect.Slice:
		return errs.F("%s is memory of %s, the launch on %s; copy it: launch.Upload(dev, %s)", q.what, owner.Name(), d.besides(owner), q.Name)
	case owner != nil:
		return errs.F("%s is memory of %s, the launch on %s; copy it there first", q.what, owner.Name(), d.besides(owner))
	}
	return q.upload(have)
}

func isNumber(t reflect.Type) bool {
	return reflect.Int <= t.Kind() && t.Kind() <= reflect.Complex128
}

// numberAt is the number of type t at an address that must not be kept.
func numberAt(t reflect.Type, at unsafe.Pointer) any {
	v := reflect.New(t)
	size := int(t.Size())
	copy(unsafe.Slice((*byte)(v.UnsafePointer()), size), unsafe.Slice((*byte)(at), size))
	return v.Elem().Interface()
}
