// Package cpumath holds the mathematics of the cpu device as LLVM IR: for each
// function and width one text, lib/sin.f32.ll, that defines heddle.math.sin.f32
// for one thread. What a text declares, another one defines.
//
// The functions themselves are here in Go, as SinF32 and SinF64; go generate
// compiles them with heddle's own compiler. They are written for code that runs
// many arguments at once: no tables and few branches, polynomials, and choices
// between values instead of between computations. An if that holds a
// computation is one that arguments rarely need: where none does, it is skipped.
//
// A device may fuse x*y + z, or not: results are within their bounds both ways.
// Where an error has to be computed, the products in it are of numbers so short
// that they are exact.
//
// Polynomials are minimax approximations of the relative error, from Remez'
// algorithm with 50 digits; where their coefficients' rounding matters, the others
// are fitted anew after the lowest ones are rounded.
package cpumath

//go:generate go run ./gen lib lib.deflate

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"strings"
	"sync"

	"heddle/internal/zips"
)

// packed is lib as one stream, a seventeenth of its size, for programs to carry. What the
// functions have in common is in it once: a text that has a number for its name is a
// definition or declaration, one with a function's name lists the numbers of its module's.
//
//go:embed lib.deflate
var packed string

// texts are the texts of packed by their names. All are inflated when the first one is
// asked for.
var texts = sync.OnceValues(func() (map[string]string, error) { return zips.Unpack(packed) })

// Prefix begins the symbols of the functions.
const Prefix = "heddle.math."

// Text is the module that defines a function, "sin.f32"; false if there is none.
func Text(name string) ([]byte, bool) {
	all, err := texts()
	list := strings.Fields(all[name])
	for i, number := range list {
		part, ok := all[number]
		if !ok {
			return nil, false
		}
		list[i] = part
	}
	return []byte(strings.Join(list, "\n")), err == nil && len(list) > 0
}

// Estimated is a module's text that calls another function in place of estimateRsqrt32.
func Estimated(text []byte, callee string) []byte {
	const own = "call float @heddle_heddle_internal_cpumath_estimateRsqrt32("
	if !bytes.Contains(text, []byte(own)) {
		return text
	}
	text = bytes.ReplaceAll(text, []byte(own), []byte("call float @"+callee+"("))
	return append(text, "\ndeclare float @"+callee+"(float) nounwind readnone\n"...)
}

// Version tells libraries apart.
var Version = sync.OnceValue(func() string {
	h := sha256.Sum256([]byte(packed))
	return string(h[:])
})
