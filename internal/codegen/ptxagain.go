package codegen

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file computes an address anew behind a long loop that does not use it. LLVM computes the address of `x[i]` once for a load ahead
// of the loop and a store behind it, and ptxas keeps it in two registers all the while. The slice's own address is a parameter,
// which needs none.
//
//	add.s64 %rd6, %rd13, %rd31;         add.s64 %rd6, %rd13, %rd31;
//	ld.global.f64 %fd1, [%rd6];         ld.global.f64 %fd1, [%rd6];
//	... a loop                     ->   ... a loop
//	st.global.f64 [%rd6], %fd2;         add.s64 %again0, %rd13, %rd31;
//	                                    st.global.f64 [%again0], %fd2;

// longLoop is how many instructions a loop has that may want the registers.
const longLoop = 64

var (
	ptxSum      = lazy.Regexp{Expr: `^\s*add\.s64\s+(%rd\d+), (%rd\d+), (%rd\d+);`}
	ptxParam    = lazy.Regexp{Expr: `^\s*ld\.param\.u64\s+(%rd\d+), \[\w+\];`}
	ptxDefined  = lazy.Regexp{Expr: `^\s*(?:@!?%p\d+\s+)?[a-z][\w.:]*\s+(\{[^}]*\}|%\w+(?:\|%\w+)?)`}
	ptxRegister = lazy.Regexp{Expr: `%rd\d+`}
)

// A ptxAgain is what is known of a function whose addresses are to be computed anew.
type ptxAgain struct {
	blocks []ptxBlock
	flow   ptxFlow
	times  map[string]int   // how often a register is defined
	where  map[string]int   // the block of its only definition
	param  map[string]bool  // it is a parameter
	uses   map[string][]int // the blocks that use it, in order
	sums   []ptxAddress
	names  int
}

// A ptxAddress is a sum of a parameter and an offset.
type ptxAddress struct{ to, base, offset string }

// computeAgain is a module's text in which addresses do not wait for loops to end.
func computeAgain(text []byte) []byte {
	if !bytes.Contains(text, []byte("ld.param.u64")) || bytes.Contains(text, []byte("brx.")) {
		return text
	}
	return eachPTX(text, computeAgainIn)
}

// computeAgainIn is computeAgain for the lines of a function.
func computeAgainIn(lines []string) []string {
	a := &ptxAgain{blocks: ptxBlocks(lines), times: map[string]int{}, where: map[string]int{}, param: map[string]bool{}, uses: map[string][]int{}}
	a.flow = flowOfPTX(a.blocks)
	if !slices.ContainsFunc(a.flow.loops, func(l ptxLoop) bool { return l.size >= longLoop }) {
		return lines
	}
	for b := range a.blocks {
		for _, line := range a.blocks[b].lines {
			a.read(b, line)
		}
	}
	for _, l := range a.flow.loops {
		if l.size >= longLoop {
			a.spare(l)
		}
	}
	if a.names == 0 {
		return lines
	}
	out := []string{fmt.Sprintf("\t.reg .b64 \t%%again<%d>;\n", a.names)}
	for _, b := range a.blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		out = append(out, b.lines...)
	}
	return out
}

// read notes what a line defines and uses.
func (a *ptxAgain) read(b int, line string) {
	if strings.HasPrefix(strings.TrimSpace(line), "{") || strings.Count(line, ";") > 1 { // an assembly: it may define what it names
		for _, r := range ptxRegister.Get().FindAllString(line, -1) {
			a.times[r] += 2
		}
	}
	defined := ptxRegister.Get().FindAllString(definedBy(line), -1)
	for _, r := range defined {
		a.times[r]++
		a.where[r] = b
	}
	for _, r := range ptxRegister.Get().FindAllString(line, -1) {
		if known := a.uses[r]; !slices.Contains(defined, r) && (len(known) == 0 || known[len(known)-1] != b) {
			a.uses[r] = append(known, b)
		}
	}
	if m := ptxParam.Get().FindStringSubmatch(line); m != nil {
		a.param[m[1]] = true
	}
	if m := ptxSum.Get().FindStringSubmatch(line); m != nil {
		a.sums = append(a.sums, ptxAddress{m[1], m[2], m[3]}, ptxAddress{m[1], m[3], m[2]})
	}
}

// definedBy is the part of a line that names what it defines: what stands in brackets or is stored is used.
func definedBy(line string) string {
	m := ptxDefined.Get().FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(strings.TrimSpace(line), "st.") || strings.HasPrefix(strings.TrimSpace(line), ".") {
		return ""
	}
	return m[1]
}

// spare computes anew what only waits for a loop to end: two addresses of one offset or more, or one whose offset is used
// in the loop or behind it anyhow.
func (a *ptxAgain) spare(l ptxLoop) {
	of := map[string][]ptxAddress{}
	var offsets []string
	for _, s := range a.sums {
		if a.waits(s, l) {
			if of[s.offset] == nil {
				offsets = append(offsets, s.offset)
			}
			of[s.offset] = append(of[s.offset], s)
		}
	}
	for _, offset := range offsets {
		lives := slices.ContainsFunc(a.uses[offset], func(b int) bool { return l.has[b] || a.flow.reaches(l, b) })
		if len(of[offset]) == 1 && !lives {
			continue
		}
		for _, s := range of[offset] {
			a.anew(s, l)
		}
	}
}

// waits reports whether an address is computed ahead of a loop, once, and used behind it, and nowhere in a loop from there on.
func (a *ptxAgain) waits(s ptxAddress, l ptxLoop) bool {
	for _, r := range []string{s.to, s.base, s.offset} {
		if a.times[r] != 1 {
			return false
		}
	}
	d := a.where[s.to]
	if !a.param[s.base] || a.param[s.offset] || a.flow.loopOf[d] >= 0 || !a.flow.leads(d, l.first) {
		return false
	}
	behind := false
	for _, b := range a.uses[s.to] {
		switch {
		case l.has[b]:
			return false
		case !a.flow.reaches(l, b):
		case a.flow.loopOf[b] >= 0:
			return false
		default:
			behind = true
		}
	}
	return behind
}

// anew computes an address once more in each block behind the loop that uses it.
func (a *ptxAgain) anew(s ptxAddress, l ptxLoop) {
	name := regexp.MustCompile(regexp.QuoteMeta(s.to) + `\b`)
	kept := a.uses[s.to][:0:0]
	for _, b := range a.uses[s.to] {
		if !a.flow.reaches(l, b) {
			kept = append(kept, b)
			continue
		}
		again := fmt.Sprintf("%%again%d", a.names)
		a.names++
		lines := a.blocks[b].lines
		first := slices.IndexFunc(lines, name.MatchString)
		for i := first; i < len(lines); i++ {
			lines[i] = name.ReplaceAllLiteralString(lines[i], again)
		}
		a.blocks[b].lines = slices.Insert(lines, first, fmt.Sprintf("\tadd.s64 \t%s, %s, %s;\n", again, s.base, s.offset))
	}
	a.uses[s.to] = kept
}
