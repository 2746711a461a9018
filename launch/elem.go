package launch

import (
	"fmt"
	"reflect"
	"strings"

	"heddle/internal/errs"
)

// An element of device memory is bytes that mean the same on both sides. What
// Go's run time would have to look after cannot cross: strings, maps,
// channels, functions, interfaces. Slices and pointers may, as device
// addresses; whoever stores them checks the values (pointerOffsets).

// hostOnly returns the path and type of the first part of t that cannot cross,
// nil if there is none.
func hostOnly(t reflect.Type, path string) (string, reflect.Type) {
	switch t.Kind() {
	case reflect.String, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
		return path, t
	case reflect.Array:
		return hostOnly(t.Elem(), path+"[i]")
	case reflect.Struct:
		for f := range t.Fields() {
			if where, bad := hostOnly(f.Type, path+"."+f.Name); bad != nil {
				return where, bad
			}
		}
	}
	return "", nil
}

// checkElem says whether t can be the element type of a Buffer.
func checkElem(t reflect.Type) error {
	where, bad := hostOnly(t, t.String())
	if bad == nil {
		return nil
	}
	if bad == t {
		return errs.F("launch: no Buffer of %s: that type is host memory; a kernel can use numbers, arrays and structs of them", t)
	}
	return errs.F("launch: no Buffer of %s: %s has type %s, which is host memory", t, where, bad)
}

// pointerOffsets returns where in a value of type t its device addresses lie,
// in bytes: of each pointer, and of each slice's pointer.
func pointerOffsets(t reflect.Type, base int, to []int) []int {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return append(to, base)
	case reflect.Array:
		if len(pointerOffsets(t.Elem(), 0, nil)) > 0 {
			for i := range t.Len() {
				to = pointerOffsets(t.Elem(), base+i*int(t.Elem().Size()), to)
			}
		}
	case reflect.Struct:
		for f := range t.Fields() {
			to = pointerOffsets(f.Type, base+int(f.Offset), to)
		}
	}
	return to
}

// fieldAt names the part of a value of type t at an offset: ".Points[2]", ""
// for the value itself.
func fieldAt(t reflect.Type, offset int) string {
	var b strings.Builder
	for {
		switch t.Kind() {
		case reflect.Array:
			size := int(t.Elem().Size())
			if size == 0 {
				return b.String()
			}
			fmt.Fprintf(&b, "[%d]", offset/size)
			t, offset = t.Elem(), offset%size
		case reflect.Struct:
			f, ok := fieldOf(t, offset)
			if !ok {
				return b.String()
			}
			b.WriteString("." + f.Name)
			t, offset = f.Type, offset-int(f.Offset)
		default:
			return b.String()
		}
	}
}

func fieldOf(t reflect.Type, offset int) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if int(f.Offset) <= offset && offset < int(f.Offset+f.Type.Size()) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
