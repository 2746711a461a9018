package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"heddle/internal/llvm"
	"heddle/launch"
	_ "heddle/launch/emu"
)

func TestRun(t *testing.T) {
	for _, d := range launch.Devices() {
		if err := run(io.Discard, d.Name, iterate(r, steps)); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

func TestTimings(t *testing.T) {
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
	var b bytes.Buffer
	if err := timings(&b, iterate(r, steps)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 4 {
		t.Errorf("%d lines instead of 4:\n%s", n, &b)
	}
}

func TestHotLoop(t *testing.T) {
	const asm = `	.text
k:
.Lfunc_begin0:
	s_load_dword s0, s[4:5], 0x0
.LBB0_1: ; %entry
	.loc	1 2 3
	v_add_f32 v0, v0, v1 ; comment
	s_cbranch_scc1 .LBB0_3
	s_branch .LBB0_1
.LBB0_3:
	s_endpgm
`
	want := []string{".LBB0_1:", "\tv_add_f32 v0, v0, v1", "\ts_cbranch_scc1 .LBB0_3", "\ts_branch .LBB0_1"}
	if got := hotLoop(asm); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := hotLoop("\ts_endpgm\n"); len(got) != 1 {
		t.Errorf("without a loop: %q", got)
	}
}
