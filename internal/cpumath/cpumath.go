// Package cpumath holds the mathematics of the cpu device as LLVM IR: for each
// function and width one text, lib/sin.f32.ll, that defines heddle.math.sin.f32
// for one thread. What a text declares, another one defines.
package cpumath

import (
	"crypto/sha256"
	"embed"
	"io/fs"
	"sync"
)

//go:embed lib
var files embed.FS

// Prefix begins the symbols of the functions.
const Prefix = "heddle.math."

// Text is the module that defines a function, "sin.f32"; false if there is none.
func Text(name string) ([]byte, bool) {
	text, err := files.ReadFile("lib/" + name + ".ll")
	return text, err == nil
}

// Version tells libraries apart; it is "" if there is no function at all.
var Version = sync.OnceValue(func() string {
	names, err := fs.Glob(files, "lib/*.ll")
	if err != nil || names == nil {
		return ""
	}
	h := sha256.New()
	for _, name := range names {
		text, _ := files.ReadFile(name)
		h.Write([]byte(name))
		h.Write(text)
	}
	return string(h.Sum(nil))
})
