package codegen

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file makes addresses once more in the blocks that use them. AMDGPU's loads and stores, from GFX9 on, add an offset of 32 bits, of each lane, to an
// address that lanes share, and a constant. Instruction selection sees a block: an address from another one is 64 bits in each lane, and so is an
// offset that has been extended there.
//
//	%n = zext i32 %o to i64                                  a block later, in each that uses %p:
//	%p = getelementptr i8, ptr addrspace(1) %in, i64 %n      %o2 = freeze i32 %o;  %n2 = zext i32 %o2 to i64
//	%x = load i32, ptr addrspace(1) %p                       %p2 = getelementptr i8, ptr addrspace(1) %in, i64 %n2
//	...                                                      %q = getelementptr i8, ptr addrspace(1) %p2, i64 4
//	%q = getelementptr i8, ptr addrspace(1) %p, i64 4        %y = load i32, ptr addrspace(1) %q
//	%y = load i32, ptr addrspace(1) %q
//
// LLVM's GVN, which follows, would make one of both, but not of a freeze and what is frozen.

var (
	laneAddress   = lazy.Regexp{Expr: `^(getelementptr (?:inbounds |nuw |nusw )*i8, ptr addrspace\(1\) )(` + valueName + `), i64 (` + valueName + `)(?:,|$)`}
	nearbyAddress = lazy.Regexp{Expr: `^(getelementptr (?:inbounds |nuw |nusw )*i8, ptr addrspace\(1\) )(` + valueName + `), i64 (-?\d{1,3})(?:,|$)`}
	laneOffset    = lazy.Regexp{Expr: `^zext (?:nneg )?i32 (` + valueName + `) to i64(?:,|$)`}
	addressUsed   = lazy.Regexp{Expr: `^ +(?:` + valueName + ` = (?:load|atomicrmw|cmpxchg|getelementptr) |store )[^\n]*?ptr addrspace\(1\) (` + valueName + `)(?:, i64 -?\d{1,3})?(?:,|$)`}
)

// hasLaneOffsets reports whether a processor's loads and stores take such offsets.
func hasLaneOffsets(cpu string) bool {
	return !strings.HasPrefix(cpu, "gfx6") && !strings.HasPrefix(cpu, "gfx7") && !strings.HasPrefix(cpu, "gfx8")
}

// remakeAddresses makes such addresses in the blocks that use them.
func remakeAddresses(text string) (made string, ok bool) {
	n := 0
	made = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " amdgpu_kernel ") || !strings.Contains(body, " = zext ") {
			return body
		}
		r := &remaker{flow: parseFlow(body), n: &n, names: "%heddle.near."}
		r.nest(r.blocks, nil)
		r.findDiffering()
		before := n
		for _, r.block = range r.blocks {
			r.made = map[string]string{}
			for i := r.block.begin; i < r.block.end; i++ {
				r.line(i)
			}
		}
		if n == before {
			return body
		}
		return strings.Join(r.lines, "\n")
	})
	return made, n > 0
}

// A remaker makes addresses once more, in one block after the other.
type remaker struct {
	*flow
	n     *int   // values that have been made in the module
	names string // what theirs begin with
	block *flowBlock
	made  map[string]string // in the block, by what they are made for
	ahead []string          // lines that are to stand before the one that is looked at
}

// line makes what a line uses.
func (r *remaker) line(i int) {
	r.ahead = nil
	line := r.lines[i]
	name, _, isValue := strings.Cut(strings.TrimSpace(line), " = ")
	if m := addressUsed.Get().FindStringSubmatch(line); m != nil && r.isLane(m[1]) && r.isApart(m[1]) {
		line = replaceOperand(" = "+line, m[1], r.address(m[1]))[len(" = "):]
	} else if isValue && r.isLane(name) {
		if m := laneAddress.Get().FindStringSubmatch(r.values[name].text); m != nil && r.isApart(m[3]) {
			line = replaceOperand(line, m[3], r.offset(m[3]))
		}
	}
	if line != r.lines[i] {
		r.lines[i] = strings.Join(append(r.ahead, line), "\n")
	}
}

// isLane reports whether a value is an address that is a parameter and an offset of each lane, and perhaps a constant.
func (r *remaker) isLane(name string) bool {
	v := r.values[name]
	if v == nil {
		return false
	}
	if m := nearbyAddress.Get().FindStringSubmatch(v.text); m != nil {
		return r.values[m[2]] != nil && laneAddress.Get().MatchString(r.values[m[2]].text) && r.isLane(m[2])
	}
	m := laneAddress.Get().FindStringSubmatch(v.text)
	if m == nil || r.values[m[2]] != nil || r.values[m[3]] == nil {
		return false
	}
	low := laneOffset.Get().FindStringSubmatch(r.values[m[3]].text)
	return low != nil && r.differs[low[1]] // others are computed once for all lanes
}

// isApart reports whether a value has been made in another block, and not ahead of a loop: LLVM would make it ahead of that again.
func (r *remaker) isApart(name string) bool {
	from := r.values[name].block
	return from != r.block && !slices.ContainsFunc(r.block.loops, func(l *flowLoop) bool { return !l.blocks[from] })
}

// address makes an address, and what it needs.
func (r *remaker) address(name string) string {
	text := r.values[name].text
	if m := nearbyAddress.Get().FindStringSubmatch(text); m != nil {
		return r.again(name, func() string { return "RESULT = " + m[1] + r.address(m[2]) + ", i64 " + m[3] })
	}
	m := laneAddress.Get().FindStringSubmatch(text)
	return r.again(name, func() string { return "RESULT = " + m[1] + m[2] + ", i64 " + r.offset(m[3]) })
}

// offset makes an offset.
func (r *remaker) offset(name string) string {
	low := laneOffset.Get().FindStringSubmatch(r.values[name].text)[1]
	return r.again(name, func() string { return "RESULT.low = freeze i32 " + low + "\n  RESULT = zext i32 RESULT.low to i64" })
}

// again is what has been made of a value in the block; else it is made.
func (r *remaker) again(name string, text func() string) string {
	if r.made[name] == "" {
		line := text() // which may make others
		*r.n++
		r.made[name] = fmt.Sprint(r.names, *r.n)
		r.ahead = append(r.ahead, "  "+strings.ReplaceAll(line, "RESULT", r.made[name]))
	}
	return r.made[name]
}
