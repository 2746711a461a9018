package conformance

import (
	"bytes"
	"regexp"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/vector"
)

// copies is a kernel that moves one element for each thread.
func copies[T any](dst, src []T) {
	i := dsl.GlobalIdx().X
	dst[i] = src[i]
}

// staged is copies by way of shared memory.
func staged[T any](dst, src []T) {
	tile := dsl.Shared[[64]T]()
	t := dsl.ThreadIdx().X
	i := dsl.GlobalIdx().X
	tile[t] = src[i]
	dsl.SyncThreads()
	dst[i] = tile[63-t]
}

// added is arithmetic on whole vectors.
func added(dst, src []vector.Float4, by vector.Float4) {
	i := dsl.GlobalIdx().X
	dst[i] = src[i].Mul(by).Add(dst[i])
}

// checked has the checks that indices get.
func checked(dst, src []vector.Float4) {
	if i := dsl.GlobalIdx().X; i < len(src) && i < len(dst) {
		dst[i] = src[i].Add(src[i])
	}
}

type wide8 [8]vector.Half

// rows are words of a program's own, 16 bytes each.
type rows struct{ Key, Count, First, Last uint32 }

// Sixteen bytes that are aligned are loaded and stored by one instruction of 128 bits.
func TestWide(t *testing.T) {
	needLLVM(t)
	const (
		global = `\b(?:global_load_dwordx4|global_load_b128|ld\.global(?:\.\w+)?\.(?:v4\.[fbu]32|v2\.[fbu]64|b128))\b`
		put    = `\b(?:global_store_dwordx4|global_store_b128|st\.global\.(?:v4\.[fbu]32|v2\.[fbu]64|b128))\b`
		narrow = `\b(?:(?:global|flat|buffer)_(?:load|store)_\w+|(?:ld|st)\.global[.\w]*)\b`
		shared = `\b(?:ds_(?:read|write|load|store)_b128|(?:ld|st)\.shared\.(?:v4\.[fbu]32|v2\.[fbu]64|b128))\b`
		anyLDS = `\b(?:ds_(?:read|write|load|store)\w+|(?:ld|st)\.shared[.\w]*)\b`
	)
	var captured []vector.Float4
	for _, c := range []struct {
		name string
		fn   any
		n    [3]int // loads, stores, accesses to shared memory
	}{
		{"Float4", copies[vector.Float4], [3]int{1, 1, 0}},
		{"Int4", copies[vector.Int4], [3]int{1, 1, 0}},
		{"Double2", copies[vector.Double2], [3]int{1, 1, 0}},
		{"Short4 twice", copies[[2]vector.Short4], [3]int{1, 1, 0}},
		{"16 bytes", copies[[4]vector.Uchar4], [3]int{1, 1, 0}},
		{"8 Halves", copies[wide8], [3]int{1, 1, 0}},
		{"struct", copies[rows], [3]int{1, 1, 0}},
		{"Double4", copies[vector.Double4], [3]int{2, 2, 0}},
		{"arithmetic", added, [3]int{2, 1, 0}},
		{"bounds", checked, [3]int{1, 1, 0}},
		{"captured", func(dst []vector.Float4) { dst[dsl.GlobalIdx().X] = captured[dsl.ThreadIdx().X] }, [3]int{1, 1, 0}},
		{"pointer", func(dst, src *[64]vector.Float4) { dst[dsl.ThreadIdx().X] = src[dsl.ThreadIdx().X].Neg() }, [3]int{1, 1, 0}},
		{"shared Float4", staged[vector.Float4], [3]int{1, 1, 2}},
	} {
		k := kernel.NewWith(c.fn, kernel.Options{NoBounds: c.name != "bounds"})
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "sm_70", "sm_90"} {
			var b bytes.Buffer
			if err := k.Dump(&b, arch, 0, kernel.Asm); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAll(b.Bytes(), -1)) }
			have := [3]int{count(global), count(put), count(shared)}
			if have != c.n || count(narrow) != c.n[0]+c.n[1] || count(anyLDS) != c.n[2] {
				t.Errorf("%s on %s: %v loads, stores, accesses to shared memory are of 128 bits, %d of global and %d of shared memory there are; want %v\n%s",
					c.name, arch, have, count(narrow), count(anyLDS), c.n, b.Bytes())
			}
		}
	}
}
