// Package symbol knows the device variables of the program: package variables that package
// dsl has made on the host, and that kernels name. dsl adds them, the simulator and launch
// look them up.
//
// # Identity
//
// A compiled kernel names a variable by its place in the source, and so does the host: the
// call that makes the variable notes where it stands. Names would not do, since a stripped
// program knows none of its variables'. The place is that of a call in the initialiser of
// one package variable, which the compiler checks.
package symbol

import (
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Kind is what a variable is.
type Kind uint8

// The kinds. Managed memory is the host's, and the same on every device.
const (
	Global Kind = iota
	Constant
	Managed
)

func (k Kind) String() string { return [...]string{"Global", "Constant", "Managed"}[k] }

// A Place is where a variable is made.
type Place struct {
	Package string // its path; of a program's main package "main", of the one under test its path
	File    string // without its directory
	Line    int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// A Variable is a device variable.
type Variable struct {
	Kind Kind
	Type reflect.Type
	Place
	// Value is the variable's initial value; of a managed one the variable itself, in pages
	// of its own.
	Value unsafe.Pointer
}

// Size is how many bytes it has on a device, at least one.
func (v *Variable) Size() int { return max(int(v.Type.Size()), 1) }

var all struct {
	sync.Mutex
	at map[Place]*Variable // nil where two are made in one line
}

// Page is what memory of managed variables is aligned to, and its size a multiple of: the
// largest page of the systems that have GPUs, so that such a page can be given to one.
const Page = 64 << 10

// New adds a variable with a copy of the value at initial. The caller of its caller makes it.
func New(kind Kind, t reflect.Type, initial unsafe.Pointer) *Variable {
	return add(kind, t, initial, caller())
}

// StandIn adds a variable of zeros for one that another program makes at a place: a tool that
// launches the kernels of a program whose initialisers it has not run needs it. It does
// nothing where there is a variable already.
func StandIn(kind Kind, size int, at Place) {
	all.Lock()
	_, known := all.at[at]
	all.Unlock()
	if !known {
		t := reflect.ArrayOf(size, reflect.TypeFor[byte]())
		add(kind, t, reflect.New(t).UnsafePointer(), at)
	}
}

func add(kind Kind, t reflect.Type, initial unsafe.Pointer, at Place) *Variable {
	v := &Variable{Kind: kind, Type: t, Place: at}
	if kind == Managed {
		n := (v.Size() + Page - 1) / Page * Page
		pages := make([]byte, n+Page)
		skip := -uintptr(unsafe.Pointer(&pages[0])) % Page
		v.Value = unsafe.Pointer(&pages[skip])
		copy(pages[skip:], unsafe.Slice((*byte)(initial), t.Size()))
	} else {
		v.Value = reflect.New(t).UnsafePointer()
		reflect.NewAt(t, v.Value).Elem().Set(reflect.NewAt(t, initial).Elem())
	}
	all.Lock()
	defer all.Unlock()
	if all.at == nil {
		all.at = map[Place]*Variable{}
	}
	if _, two := all.at[v.Place]; two {
		all.at[v.Place] = nil
		return v
	}
	all.at[v.Place] = v
	return v
}

// caller is where the function was called that called New.
func caller() Place {
	var pcs [1]uintptr
	runtime.Callers(4, pcs[:])
	f, _ := runtime.CallersFrames(pcs[:]).Next()
	return Place{packageOf(f.Function), path.Base(filepath.ToSlash(f.File)), f.Line}
}

// packageOf is the path of a function's package: the linker writes dots in its last element
// as %2e.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	if dot < 0 {
		return ""
	}
	return unescape(function[:slash+dot])
}

// unescape is an import path from its form in symbols.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			var c byte
			if _, err := fmt.Sscanf(s[i+1:i+3], "%02x", &c); err == nil {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Find is the variable that was made at a place.
func Find(at Place) (*Variable, error) {
	all.Lock()
	defer all.Unlock()
	v, known := all.at[at]
	switch {
	case !known:
		return nil, fmt.Errorf("%v: this program has no device variable there: it was made from other sources than the kernel", at)
	case v == nil:
		return nil, errTwo(at)
	}
	return v, nil
}

// Alone says what is wrong if another variable is made in the same line.
func (v *Variable) Alone() error {
	all.Lock()
	defer all.Unlock()
	if all.at[v.Place] != v {
		return errTwo(v.Place)
	}
	return nil
}

func errTwo(at Place) error {
	return fmt.Errorf("%v: two device variables are made in this line; give each a line of its own", at)
}

// Of is the variable behind a value of one of package dsl's types, nil for their zero values.
func Of(handle any) *Variable {
	v := reflect.ValueOf(handle)
	if v.Kind() != reflect.Struct || v.NumField() != 1 || v.Field(0).Kind() != reflect.UnsafePointer {
		return nil
	}
	return (*Variable)(v.Field(0).UnsafePointer())
}
