package lazy

import (
	"sync"
	"sync/atomic"
	"testing"
)

var made atomic.Int32

var table = Value[map[string]int]{Make: func() map[string]int {
	made.Add(1)
	return map[string]int{"one": 1}
}}

// A value is made at its first use, once for all goroutines.
func TestValue(t *testing.T) {
	if made.Load() != 0 {
		t.Error("made before it was used")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if table.Get()["one"] != 1 {
				t.Error("another value")
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
}

func TestRegexp(t *testing.T) {
	re := Regexp{Expr: `^v(\d+)$`}
	first := re.Get()
	if m := first.FindStringSubmatch("v42"); len(m) != 2 || m[1] != "42" {
		t.Error(m)
	}
	if re.Get() != first {
		t.Error("compiled twice")
	}
}

func TestWords(t *testing.T) {
	w := Words{Text: "add sub\n\tmul"}
	if !w.Has("add") || !w.Has("mul") || w.Has("div") || w.Has("") || len(w.Get()) != 3 {
		t.Error(w.Get())
	}
}
