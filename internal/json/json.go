// Package json reads and writes the JSON of heddle's own records: the descriptions
// of compiled kernels in the disk cache and in archives, the indices of archives and
// bundles, and what go list prints. It makes the same of them as encoding/json, which
// would be a tenth of a megabyte and more in every program: that knows every type,
// and its interfaces keep the methods of many others.
//
// Records are structs with exported fields, bools, integers, strings, pointers,
// slices, maps with string keys, and any, which is written only if it is nil and
// never read. Embedded structs and the options "-" and omitempty are encoding/json's.
// Names of fields are exact, and slices of bytes are lists of numbers.
package json

import (
	"reflect"
	"strings"
)

// A field is one that a record has in JSON.
type field struct {
	name  string
	index []int // for reflect's FieldByIndex
	empty bool  // left out if it is empty
}

// fieldsOf are the fields of a struct type, those of embedded structs included.
func fieldsOf(t reflect.Type) (all []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && f.Type.Kind() == reflect.Struct && name == "" {
			for _, in := range fieldsOf(f.Type) {
				in.index = append([]int{i}, in.index...)
				all = append(all, in)
			}
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		all = append(all, field{name, []int{i}, option == "omitempty"})
	}
	return all
}

// isEmpty says what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
