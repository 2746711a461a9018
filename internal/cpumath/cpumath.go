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
	"compress/flate"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// packed is lib as one DEFLATE stream, a twelfth of its size, for programs to
// carry: the functions have parts in common, which a stream holds once. Before
// each text is a line with its name and its length in bytes, "sin.f32 12180".
//
//go:embed lib.deflate
var packed string

// texts are the modules by the names of their functions. All are inflated when
// the first one is asked for.
var texts = sync.OnceValues(func() (map[string]string, error) { return unpack(packed) })

func unpack(packed string) (map[string]string, error) {
	var b strings.Builder
	if _, err := io.Copy(&b, flate.NewReader(strings.NewReader(packed))); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for rest := b.String(); rest != ""; {
		head, body, _ := strings.Cut(rest, "\n")
		name, length, _ := strings.Cut(head, " ")
		size, err := strconv.Atoi(length)
		if err != nil || size < 0 || size > len(body) {
			return nil, fmt.Errorf("%q is no name and length of a text in the %d bytes after it", head, len(body))
		}
		all[name], rest = body[:size], body[size:]
	}
	return all, nil
}

// Prefix begins the symbols of the functions.
const Prefix = "heddle.math."

// Text is the module that defines a function, "sin.f32"; false if there is none.
func Text(name string) ([]byte, bool) {
	all, err := texts()
	text, ok := all[name]
	if err != nil || !ok {
		return nil, false
	}
	return []byte(text), true
}

// Version tells libraries apart.
var Version = sync.OnceValue(func() string {
	h := sha256.Sum256([]byte(packed))
	return string(h[:])
})
