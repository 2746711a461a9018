package amdemu

import (
	"strings"
	"testing"
)

func BenchmarkMemory(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"load", "global_load_dword v8, v[4:5], off"},
		{"loadStrided", "global_load_dword v8, v[4:5], off"},
		{"loadBase", "global_load_dword v8, v6, s[4:5]"},
		{"loadx4", "global_load_dwordx4 v[8:11], v[4:5], off"},
		{"store", "global_store_dword v[4:5], v9, off"},
		{"storex4", "global_store_dwordx4 v[4:5], v[8:11], off"},
		{"ubyte", "global_load_ubyte v8, v[4:5], off"},
		{"flat", "flat_load_dword v8, v[4:5]"},
		{"atomic", "global_atomic_add v[4:5], v9, off"},
		{"lds", "ds_read_b32 v8, v6"},
		{"ldsStrided", "ds_read_b32 v8, v6"},
		{"ldsStore", "ds_write_b32 v6, v8"},
		{"scratch", "scratch_load_dword v8, off, off offset:16"},
		{"buffer", "buffer_store_dword v8, off, s[8:11], 0 offset:16"},
		{"bpermute", "ds_bpermute_b32 v8, v6, v9"},
		{"scalar", "s_load_dwordx4 s[12:15], s[4:5], 0x10"},
	} {
		for name, o := range map[string]Options{"-": {}, "-uninitialised": {Uninitialised: true}, "-races": {Races: true}, "-counters": {Counters: true}, "-all": {true, true, true}} {
			b.Run(c.name+name, func(b *testing.B) {
				x := newBench(b, 64, o)
				stride := 4
				if strings.Contains(c.text, "x4") {
					stride = 16
				}
				if strings.Contains(c.name, "Strided") {
					stride *= 3
				}
				x.w.setAddress(4, func(l int) uint64 { return x.address(stride * l) })
				for l := range lanes {
					x.w.v[6][l] = uint32(stride * l)
				}
				a := x.address(0)
				x.w.s[4], x.w.s[5] = uint32(a), uint32(a>>32)
				x.w.s[8], x.w.s[9], x.w.s[10] = 0, privateBase>>32, 1<<32-1
				for _, s := range [][]byte{x.w.scratch.written, x.w.group.lds.written} {
					fill(s, 1)
				}
				for _, r := range *x.m.regions.Load() {
					fill(r.written, 1)
				}
				f := bindMemory(b, c.text, 9)
				for b.Loop() {
					f(x.w)
				}
			})
		}
	}
}
