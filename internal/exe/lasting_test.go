package exe

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func lastingOf(t *testing.T, fn any) (Lasting, bool) {
	t.Helper()
	id, err := Identify(fn)
	if err != nil {
		t.Fatal(err)
	}
	return id.Lasting()
}

func lastingGeneric[T any](x []T) { clear(x) }

// A function is named alike in each process of a binary, by the build ID that the go
// command sees in it, and differently from other functions.
func TestLasting(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells where the binary's notes are")
	}
	n := 0
	literal := func(x []int) { x[0] = n }
	var all []Lasting
	for _, fn := range []any{TestLasting, literal, lastingGeneric[int32], lastingGeneric[string], TestLastingNot} {
		l, ok := lastingOf(t, fn)
		if !ok {
			t.Fatalf("%T does not last", fn)
		}
		for _, other := range all {
			if other == l {
				t.Errorf("two functions are %+v", l)
			}
		}
		all = append(all, l)
		if Absolute(l.PC) != reflect.ValueOf(fn).Pointer() {
			t.Errorf("%T is not where its relative address says", fn)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := buildinfo.ReadFile(exe); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command("go", "tool", "buildid", exe).Output(); err != nil {
		t.Skip(err)
	} else if got := strings.TrimSpace(string(out)); got != all[0].Build {
		t.Errorf("the build ID is %q, go tool buildid says %q", all[0].Build, got)
	}
}

// What is not in the binary does not last.
func TestLastingNot(t *testing.T) {
	id, err := Identify(lastingGeneric[int32])
	if err != nil {
		t.Fatal(err)
	}
	id.Type = reflect.FuncOf([]reflect.Type{reflect.TypeFor[[3]chan int]()}, []reflect.Type{reflect.TypeFor[[17]string]()}, false)
	if l, ok := id.Lasting(); ok {
		t.Errorf("a type that reflect made lasts: %+v", l)
	}
	if goBuildID([]byte{4, 0, 0, 0, 255, 255, 0, 0, 4, 0, 0, 0, 'G', 'o', 0, 0}) != "" {
		t.Error("a note that is cut off has a build ID")
	}
}
