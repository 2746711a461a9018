package ssa2ir

import (
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
		{module.Launch, module.Internal + "conformance", false},
		{"fmt", module.Internal + "conformance", true},
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
