package symbol

import (
	"reflect"
	"testing"
	"unsafe"
)

// Symbols spell the last element of a path in a way of their own.
func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"main.init":                         "main",
		"heddle/dsl.init.0":                 "heddle/dsl",
		"gopkg.in/yaml%2ev3.init":           "gopkg.in/yaml.v3",
		"example.com/a.b/c%22d.glob..func1": `example.com/a.b/c"d`,
		"example.com/bad%zz.init":           "example.com/bad%zz",
		"":                                  "",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("packageOf(%q) is %q, want %q", function, got, want)
		}
	}
}

func made(kind Kind) *Variable {
	x := 7
	return New(kind, reflect.TypeFor[int](), unsafe.Pointer(&x))
}

// A variable is where it is made: two in one place are none.
func TestPlaces(t *testing.T) {
	all.at = nil // of a run before
	v := made(Global)
	w := made(Managed)
	if got, err := Find(v.Place); got != v || err != nil || v.Alone() != nil || v.File != "symbol_test.go" || w.Line != v.Line+1 {
		t.Errorf("%v is found as %v, %v", v.Place, got, err)
	}
	if a := uintptr(w.Value); a%Page != 0 || *(*int)(w.Value) != 7 {
		t.Errorf("managed memory is at %#x", a)
	}
	twice := [2]*Variable{}
	for i := range twice {
		twice[i] = made(Constant)
	}
	for _, v := range twice {
		if _, err := Find(v.Place); err == nil || v.Alone() == nil {
			t.Errorf("%v is found", v.Place)
		}
	}
	if _, err := Find(Place{"main", "nowhere.go", 1}); err == nil {
		t.Error("what was not made is found")
	}
}
