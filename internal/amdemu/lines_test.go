package amdemu

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// symbolize asks llvm-symbolizer where addresses come from.
func symbolize(t *testing.T, path string, addrs []uint64) [][]frame {
	t.Helper()
	args := []string{"--obj=" + path, "--inlines", "--functions=linkage"}
	for _, a := range addrs {
		args = append(args, fmt.Sprintf("%#x", a))
	}
	var all [][]frame
	for block := range strings.SplitSeq(strings.TrimSpace(run(t, tool(t, "llvm-symbolizer"), args...)), "\n\n") {
		var frames []frame
		lines := strings.Split(block, "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			f := frame{function: strings.TrimPrefix(lines[i], "??")}
			place := strings.Split(lines[i+1], ":")
			if n := len(place); n < 3 {
				t.Fatalf("%q", block)
			} else if _, err := fmt.Sscan(place[n-2]+" "+place[n-1], &f.line, &f.column); err != nil {
				t.Fatalf("%q: %v", block, err)
			}
			f.file = strings.TrimPrefix(filepath.Base(place[0]), "??")
			frames = append(frames, f)
		}
		all = append(all, frames)
	}
	if len(all) != len(addrs) {
		t.Fatalf("%d answers for %d addresses", len(all), len(addrs))
	}
	return all
}

// Every instruction is where llvm-symbolizer sees it, calls that are inlined
// included.
func TestWhere(t *testing.T) {
	for _, b := range []build{builds[0], builds[2], builds[6]} {
		path, code := compile(t, b)
		p, err := load(code, inWords)
		if err != nil {
			t.Fatal(err)
		}
		var addrs []uint64
		for _, f := range p.functions {
			for a := f.addr; a < f.addr+uint64(f.size); a += 4 {
				addrs = append(addrs, a-p.base)
			}
		}
		deep, lines := 0, map[int]bool{}
		for i, want := range symbolize(t, path, addrs) {
			got := p.where(p.base + addrs[i])
			if len(got) != len(want) {
				t.Fatalf("%v: %#x: %+v, llvm-symbolizer says %+v", b, addrs[i], got, want)
			}
			for j := range got {
				got[j].file = filepath.Base(got[j].file)
				if want[j].line == 0 { // we take the line before
					got[j].file, got[j].line, got[j].column = want[j].file, 0, want[j].column
				}
				if got[j] != want[j] {
					t.Errorf("%v: %#x: frame %d: %+v, llvm-symbolizer says %+v", b, addrs[i], j, got[j], want[j])
				}
				lines[got[j].line] = true
			}
			deep = max(deep, len(got))
		}
		if deep < 2 || len(lines) < 10 {
			t.Errorf("%v: at most %d frames, and %d lines", b, deep, len(lines))
		}
		for _, pc := range []uint64{0, p.base, p.base + p.low + uint64(len(p.image)) + 4} {
			if got := p.where(pc); len(got) != 1 || got[0] != (frame{}) {
				t.Errorf("%v: %#x is at %+v", b, pc, got)
			}
		}
	}
}

// An instruction without a line has that of the one before it, or of the next where that cannot lead there.
func TestNoLine(t *testing.T) {
	at := func(addr uint64, line int) lineRow { return lineRow{addr: addr, frame: frame{line: line}} }
	table := &lineTable{rows: []lineRow{at(0, 5), at(4, 0), at(8, 9), at(16, 0), at(24, 7), at(28, 0), {addr: 32, end: true}, at(40, 0), {addr: 44, end: true}}}
	leadsTo := func(vaddr uint64) bool { return vaddr != 16 && vaddr != 40 }
	for addr, want := range map[uint64]int{0: 5, 4: 5, 8: 9, 12: 9, 16: 7, 20: 7, 24: 7, 28: 7, 32: 0, 40: 0} {
		if got := table.row(addr, leadsTo).line; got != want {
			t.Errorf("%d: line %d, want %d", addr, got, want)
		}
	}
}

// Without debug information there are the functions' names.
func TestWhereStripped(t *testing.T) {
	p, err := load(linkers["heddle"](t, assemble(t, "gfx90a", addressIR)), inWords)
	if err != nil {
		t.Fatal(err)
	}
	addr, _, _ := p.symbol("square")
	if got := p.where(addr + 4); len(got) != 1 || got[0] != (frame{function: "square"}) {
		t.Errorf("%+v", got)
	}
}
