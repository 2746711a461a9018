package exe

import (
	"go/types"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// What InterfaceMethods reads is what reflect says.
func TestIMethods(t *testing.T) {
	long := reflect.TypeFor[interface {
		AMethodWhoseNameIsLongerThanOneHundredAndTwentySevenBytesSoThatItsLengthTakesTwoBytesOfAVariableLengthIntegerInTheNameOfTheRunTime(x int) string
	}]()
	for _, r := range []reflect.Type{
		reflect.TypeFor[any](), reflect.TypeFor[error](), reflect.TypeFor[io.ReadWriteCloser](), reflect.TypeFor[reflect.Type](),
		reflect.TypeFor[types.Type](), reflect.TypeFor[http.ResponseWriter](), reflect.TypeFor[getter[[]float32]](), long,
	} {
		var got, want []string
		InterfaceMethods(r, func(name string, typ reflect.Type) { got = append(got, name+" "+typ.String()) })
		for i := range r.NumMethod() {
			m := r.Method(i)
			want = append(want, m.Name+" "+m.Type.String())
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%v: %q, want %q", r, got, want)
		}
	}
}

type getter[T any] interface {
	Get(int) T
	Set(T)
}
