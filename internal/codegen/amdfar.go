package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file takes apart addresses that are a constant behind another one which is too large for an instruction, where many are made ahead of a loop that
// has been unrolled. Each would take two registers of each lane all the time:
//
//	%p = getelementptr i8, ptr addrspace(1) %in, i64 (zext i32 %o)      %far = getelementptr i8, ptr addrspace(1) %in, i64 4096
//	%q = getelementptr i8, ptr addrspace(1) %p, i64 4352           ->   a block later:
//	a block later: %x = load float, ptr addrspace(1) %q                 %o2 = freeze i32 %o
//	                                                                    %p2 = getelementptr i8, ptr addrspace(1) %far, i64 (zext i32 %o2)
//	                                                                    %q2 = getelementptr i8, ptr addrspace(1) %p2, i64 256
//
// Lanes share %far, and the rest is a load's own address.

const (
	farStep  = 4096 // what constants of loads and stores are below
	leastFar = 8    // such addresses of a block: a few cost no registers that are missed
	mostFar  = 8    // addresses that lanes share
)

var (
	farAddress = lazy.Regexp{Expr: `^getelementptr (?:inbounds |nuw |nusw )*i8, ptr addrspace\(1\) (` + valueName + `), i64 (\d{4,6})(?:,|$)`}
	farUsed    = lazy.Regexp{Expr: `^ +(?:` + valueName + ` = (?:load|atomicrmw|cmpxchg) |store )[^\n]*?ptr addrspace\(1\) (` + valueName + `)(?:,|$)`}
)

// hasFarOffsets reports whether a processor's loads and stores add constants below farStep, and none above.
func hasFarOffsets(cpu string) bool {
	return strings.HasPrefix(cpu, "gfx9") || strings.HasPrefix(cpu, "gfx11")
}

// A farPlace is an address far behind that of each lane.
type farPlace struct {
	lane   string // that one
	base   string // what lanes share of it
	offset string // the rest, of 64 bits
	by     int
}

// partFar takes such addresses apart.
func partFar(text string) (parted string, ok bool) {
	n := 0
	parted = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " amdgpu_kernel ") || !strings.Contains(body, " = zext ") {
			return body
		}
		r := &remaker{flow: parseFlow(body), n: &n, names: "%heddle.far."}
		before := n
		for _, r.block = range r.blocks {
			r.made = map[string]string{}
			r.partBlock()
		}
		if n == before {
			return body
		}
		return strings.Join(r.lines, "\n")
	})
	return parted, n > 0
}

// partBlock does that to what a block uses.
func (r *remaker) partBlock() {
	found, shared := map[string]map[string]bool{}, map[string]map[int]bool{}
	for i := r.block.begin; i < r.block.end; i++ {
		if name, p := r.farAt(i); p != nil {
			if found[p.lane] == nil {
				found[p.lane], shared[p.lane] = map[string]bool{}, map[int]bool{}
			}
			found[p.lane][name], shared[p.lane][p.by/farStep] = true, true
		}
	}
	for i := r.block.begin; i < r.block.end; i++ {
		name, p := r.farAt(i)
		if p == nil || len(found[p.lane]) < leastFar || len(shared[p.lane]) > mostFar {
			continue
		}
		r.ahead = nil
		line := replaceOperand(" = "+r.lines[i], name, r.nearPart(p))[len(" = "):]
		r.lines[i] = strings.Join(append(r.ahead, line), "\n")
	}
}

// farAt is the address that a line loads from or stores to, if it is far and has been made in another block.
func (r *remaker) farAt(i int) (name string, p *farPlace) {
	m := farUsed.Get().FindStringSubmatch(r.lines[i])
	if m == nil || r.values[m[1]] == nil || r.values[m[1]].block == r.block {
		return "", nil
	}
	far := farAddress.Get().FindStringSubmatch(r.values[m[1]].text)
	if far == nil || r.values[far[1]] == nil {
		return "", nil
	}
	by, err := strconv.Atoi(far[2])
	lane := laneAddress.Get().FindStringSubmatch(r.values[far[1]].text)
	if err != nil || by < farStep || lane == nil || r.values[lane[2]] != nil || r.values[lane[3]] == nil || !laneOffset.Get().MatchString(r.values[lane[3]].text) {
		return "", nil
	}
	return m[1], &farPlace{lane: far[1], base: lane[2], offset: lane[3], by: by}
}

// nearPart makes a far address of what lanes share, which is made where the address of each lane is, and the rest.
func (r *remaker) nearPart(p *farPlace) string {
	k := p.by / farStep * farStep
	behind := r.values[p.lane].line
	shared := fmt.Sprintf("%%heddle.far.%d.at.%d", behind, k)
	if line := fmt.Sprintf("  %s = getelementptr i8, ptr addrspace(1) %s, i64 %d", shared, p.base, k); !strings.Contains(r.lines[behind], line) {
		r.lines[behind] += "\n" + line
	}
	near := r.again(shared, func() string {
		return "RESULT = getelementptr i8, ptr addrspace(1) " + shared + ", i64 " + r.offset(p.offset)
	})
	return r.again(fmt.Sprint(p.lane, " ", p.by), func() string {
		return fmt.Sprintf("RESULT = getelementptr i8, ptr addrspace(1) %s, i64 %d", near, p.by-k)
	})
}
