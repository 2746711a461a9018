// Package lazy makes values when they are first used. A table at package level
// that only some runs of a program need costs all of them something at the start;
// one of these costs nothing there, whereas sync.OnceValue allocates.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// A Value is made when it is first used. As a package variable with a composite
// literal it is in the binary as it stands:
//
//	var hints = lazy.Value[map[string]string]{Make: func() map[string]string {
//		return map[string]string{"map": "use a slice"}
//	}}
//
// It is safe for concurrent use and must not be copied.
type Value[T any] struct {
	// Make makes the value. It is called once and must not panic.
	Make func() T

	once  sync.Once
	value T
}

// Get is the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.value = v.Make() })
	return v.value
}

// A Regexp is a regular expression that is compiled when it is first used. It is
// safe for concurrent use and must not be copied.
type Regexp struct {
	// Expr is the expression, in the syntax of package regexp. It must be right.
	Expr string

	once sync.Once
	re   *regexp.Regexp
}

// Get is the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.Expr) })
	return r.re
}

// A Words is a set of words that is made when it is first used, from their text with
// white space between. It is safe for concurrent use and must not be copied.
type Words struct {
	// Text holds the words.
	Text string

	once sync.Once
	set  map[string]bool
}

// Has reports whether a word is in the set.
func (w *Words) Has(word string) bool { return w.Get()[word] }

// Get is the set.
func (w *Words) Get() map[string]bool {
	w.once.Do(func() { w.set = Set(w.Text) })
	return w.set
}

// Set is the set of a text's words, which white space separates.
func Set(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}
