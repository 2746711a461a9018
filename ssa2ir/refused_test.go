package ssa2ir

import (
	"strings"
	"testing"

	"heddle/internal/module"
)

func TestLibraryOf(t *testing.T) {
	for _, test := range []struct {
		path, own string
		want      bool
	}{
		{"math/rand", "example.com/user", true},
		{"fmt", "main", true},
		{"fmt", "command-line-arguments", true},
		{module.Launch, "example.com/user", true},
		{module.DSL, "main", true},
		{module.Launch, module.Internal + "tests/conformance", false},
		{"fmt", module.Internal + "tests/conformance", true},
		{"example.com/user/util", "example.com/user", false},
		{"user/util", "user/kernels", false},
		{"main", "main", false},
		{"", "main", false},
	} {
		if got := libraryOf(test.path, test.own); got != test.want {
			t.Errorf("%q is a library's package for a kernel of %q: %t", test.path, test.own, got)
		}
	}
}

// A constant that becomes a pointer is refused; go vet does not let it stand in a Go file.
func TestConstantAddress(t *testing.T) {
	const src = "package p\n\nimport \"unsafe\"\n\nfunc K(s []int) { s[0] = *(*int)(unsafe.Pointer(uintptr(8))) }\n"
	_, err := Check(kernelOf(t, buildSource(t, "k.go", src), "K"))
	if err == nil || !strings.HasPrefix(err.Error(), "k.go:5:") || !strings.Contains(err.Error(), "conversion between a pointer and an integer in kernel (index slices)") {
		t.Error(err)
	}
}
