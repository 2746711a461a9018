package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/llvm"
	"heddle/kernel"
)

// TestLanes has the lanes of the gangs that the cpu device makes of each kernel: 1 where they part so
// often that plain code is faster, as both forms' times say.
func TestLanes(t *testing.T) {
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
	alone := []string{"queens", "subset", "quicksort", "interpreter", "counts", "rows", "divisors"}
	for _, b := range benches {
		k := kernel.New(b.make(b.small).kernel)
		for _, arch := range []string{"x86-64-v3", "x86-64-v4"} {
			var text strings.Builder
			if err := k.Dump(&text, arch, 32, kernel.Vector); err != nil {
				t.Fatal(err)
			}
			one := !gangType.MatchString(text.String())
			if want := slices.Contains(alone, b.name); one != want {
				t.Errorf("%s for %s: gangs of one lane: %t, want %t", b.name, arch, one, want)
			}
		}
	}
}

// gangType is the type of a value of each lane.
var gangType = regexp.MustCompile(`<(8|16|32|64) x `)
