package source

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"testing"
)

type getter[T any] interface {
	Get(int) T
	Set(T)
}

// Type arguments are found in the methods of interfaces.
func TestUnifyInterface(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	param := types.NewTypeParam(types.NewTypeName(0, pkg, "T", nil), types.NewInterfaceType(nil, nil))
	method := func(name string, params, results *types.Tuple) *types.Func {
		return types.NewFunc(0, pkg, name, types.NewSignatureType(nil, nil, nil, params, results, false))
	}
	tuple := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewVar(0, pkg, "", t)) }
	for _, c := range []struct {
		set  string
		r    reflect.Type
		want string
	}{
		{"Set", reflect.TypeFor[getter[float32]](), "float32"},
		{"Set", reflect.TypeFor[getter[[]int8]](), "[]int8"},
		{"Put", reflect.TypeFor[getter[float32]](), ""},
		{"Set", reflect.TypeFor[io.ReadWriter](), ""},
	} {
		it := types.NewInterfaceType([]*types.Func{
			method("Get", tuple(types.Typ[types.Int]), tuple(param)), method(c.set, tuple(param), nil),
		}, nil).Complete()
		u := newUnifier()
		got := ""
		if u.underlying(it, c.r) {
			got = fmt.Sprint(u.bind[param])
		}
		if got != c.want {
			t.Errorf("%v with %s: T is %q, want %q", c.r, c.set, got, c.want)
		}
	}
}
