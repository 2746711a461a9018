package ssa2ir

import (
	"go/types"
	"reflect"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestRulesComplete enumerates the types of go/ssa that are instructions: each
// must have a rule, and a rule must either lower or refuse.
func TestRulesComplete(t *testing.T) {
	pkg, err := testImporter().Import("golang.org/x/tools/go/ssa")
	if err != nil {
		t.Fatal(err)
	}
	instr := pkg.Scope().Lookup("Instruction").Type().Underlying().(*types.Interface)
	have := map[string]bool{}
	for typ, r := range rules.Get() {
		have[typ.Elem().Name()] = true
		if r.lower == nil && r.check == nil {
			t.Errorf("the rule of %s neither lowers nor refuses", typ)
		}
	}
	n := 0
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) || !types.Implements(types.NewPointer(tn.Type()), instr) {
			continue
		}
		n++
		if !have[name] {
			t.Errorf("ssa.%s has no rule", name)
		}
	}
	if n != len(rules.Get()) {
		t.Errorf("%d instructions in go/ssa, %d rules", n, len(rules.Get()))
	}
	if _, ok := rules.Get()[reflect.TypeFor[*ssa.Alloc]()]; !ok {
		t.Error("rules are not keyed by pointer types")
	}
}
