package codegen

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file makes shuffles of which LLVM knows the lanes while compiling, once it has
// unrolled loops and folded constants, data-parallel primitives: v_mov_b32 with DPP, which
// LLVM makes a part of the next operation where it can, v_permlane*, v_readlane, or at
// least ds_swizzle, in place of ds_bpermute, which wants addresses and a wait. Which lane
// each lane reads is not told from the form of the address: it is computed, for each lane
// of the warp.

var (
	permuteCall = lazy.Regexp{Expr: `(?m)^( +)(` + valueName + `) = (?:[a-z]+ )*call (?:[a-z]+ )*i32 @llvm\.amdgcn\.ds\.bpermute\(i32 (?:noundef )?(` + valueName + `|-?\d+), i32 (?:noundef )?(` + valueName + `|-?\d+)\)( #\d+| convergent)?(.*)$`}
	laneResult  = lazy.Regexp{Expr: `(?m)^ +(` + valueName + `) = (.*)$`}
)

// leaveLanes leaves shuffles as they are, for a test.
var leaveLanes bool

// A shuffler makes the code of shuffles for one kind of processor.
type shuffler struct {
	gen, warp int
	half      bool // ds_bpermute stays within 32 lanes of a warp of 64
	uses      map[string]bool
	names     int
}

// directLanes rewrites a module's text.
func (r *Request) directLanes(text string) (direct string, ok bool) {
	if leaveLanes || !strings.Contains(text, "@llvm.amdgcn.ds.bpermute(i32 ") || r.WarpSize == 0 {
		return text, false
	}
	isa, err := isaVersion(r.CPU)
	if err != nil {
		return text, false
	}
	s := &shuffler{gen: isa / 1000, warp: r.WarpSize, uses: map[string]bool{}}
	s.half = s.warp == 64 && (s.gen == 10 || s.gen == 11)
	if direct = eachFunction(text, s.function); direct == text {
		return text, false
	}
	for _, d := range laneFuncs {
		if fn, _, _ := strings.Cut(d, "("); s.uses[d] && !declaresLane(direct, fn) {
			direct += "\ndeclare " + d + "\n"
		}
	}
	return direct, true
}

// declaresLane reports whether a module declares a function, perhaps with its type in
// its name, as newer releases of LLVM have it; then calls go by that name.
func declaresLane(text, fn string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "declare ") && strings.Contains(line, fn+"(") {
			return true
		}
	}
	return false
}

// The functions of LLVM that stand for what is used here. Older releases know those with
// no type in their name by them, and newer ones bring them up to date.
const (
	dppMove      = "i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)"
	dpp8Move     = "i32 @llvm.amdgcn.mov.dpp8.i32(i32, i32 immarg)"
	permlane16   = "i32 @llvm.amdgcn.permlane16(i32, i32, i32, i32, i1 immarg, i1 immarg)"
	permlanex16  = "i32 @llvm.amdgcn.permlanex16(i32, i32, i32, i32, i1 immarg, i1 immarg)"
	permlane64   = "i32 @llvm.amdgcn.permlane64(i32)"
	readLane     = "i32 @llvm.amdgcn.readlane(i32, i32)"
	swizzleLanes = "i32 @llvm.amdgcn.ds.swizzle(i32, i32 immarg)"
	lowLanes     = "i32 @llvm.amdgcn.mbcnt.lo(i32, i32)"
	highLanes    = "i32 @llvm.amdgcn.mbcnt.hi(i32, i32)"
)

var laneFuncs = []string{dppMove, dpp8Move, permlane16, permlanex16, permlane64, readLane, swizzleLanes, lowLanes, highLanes}

func (s *shuffler) function(body string) string {
	if !strings.Contains(body, "@llvm.amdgcn.ds.bpermute(") {
		return body
	}
	known := &laneValues{warp: s.warp, lines: map[string]string{}, done: map[string]*lanesOf{}}
	for _, m := range laneResult.Get().FindAllStringSubmatch(body, -1) {
		known.lines[m[1]] = m[2]
	}
	return permuteCall.Get().ReplaceAllStringFunc(body, func(line string) string {
		m := permuteCall.Get().FindStringSubmatch(line)
		addr := known.operand("i32", m[3], 0)
		if addr == nil || m[4][0] != '%' {
			return line
		}
		c := &shuffleCall{shuffler: s, v: m[4], attrs: m[5], rest: m[6], indent: m[1]}
		for l := range s.warp {
			from := int(addr.v[l]>>2) & (s.warp - 1)
			if s.half {
				from = l&32 | from&31
			}
			c.from = append(c.from, from)
		}
		if !c.place(m[2]) {
			return line
		}
		return strings.Join(c.lines, "\n")
	})
}

// A shuffleCall is one ds_bpermute: lane l reads v of lane from[l].
type shuffleCall struct {
	*shuffler
	v                   string
	from                []int // -1 where any lane will do
	attrs, rest, indent string
	lines               []string
}

// anyLane stands in from for a lane whose value is not wanted.
const anyLane = -1

// place writes the code, which ends with the result of that name; not ok if there is
// nothing better than ds_bpermute.
func (c *shuffleCall) place(name string) bool {
	if c.all(func(l int) int { return l }) {
		c.emit(name, holdLanes+c.v+") convergent nounwind readnone")
		return true
	}
	if c.inRegisters(name, c.v) || c.parted(name) {
		return true
	}
	return c.swizzled(name)
}

// emit writes one instruction.
func (c *shuffleCall) emit(name, text string) {
	_, dbg, _ := strings.Cut(c.rest, "!dbg ")
	line := c.indent + name + " = " + text
	if strings.HasPrefix(text, "call ") && !strings.HasPrefix(text, holdLanes) {
		line += c.attrs
	}
	if dbg != "" {
		line += ", !dbg " + dbg
	}
	c.lines = append(c.lines, line)
}

// call writes a call of one of the functions.
func (c *shuffleCall) call(name, declared, format string, args ...any) {
	c.uses[declared] = true
	fn, _, _ := strings.Cut(declared, "(")
	c.emit(name, "call "+fn+"("+fmt.Sprintf(format, args...)+")")
}

// held is call for instructions that LLVM 19 does not know to need all lanes (MachineSink
// takes v_permlane* and DPP8 into a branch, where the lanes they read may not be active):
// an assembly of no instructions, which it leaves where it is, has the result.
func (c *shuffleCall) held(name, declared, format string, args ...any) {
	free := c.fresh()
	c.call(free, declared, format, args...)
	c.emit(name, holdLanes+free+") convergent nounwind readnone")
}

const holdLanes = `call i32 asm "", "=v,0"(i32 `

func (c *shuffleCall) fresh() string {
	c.names++
	return fmt.Sprintf("%%heddle.lane.%d", c.names)
}

// all reports whether every lane reads the lane that f says, or may.
func (c *shuffleCall) all(f func(l int) int) bool {
	for l, from := range c.from {
		if from != anyLane && from != f(l) {
			return false
		}
	}
	return true
}

// repeated is the pattern of a run of n lanes if all runs have it, each within itself: of
// the run itself, or of the one whose number differs in the bits of across.
func (c *shuffleCall) repeated(n, across int) ([]int, bool) {
	pattern := make([]int, n)
	for i := range pattern {
		pattern[i] = anyLane
	}
	for l, from := range c.from {
		p := &pattern[l%n]
		switch {
		case from == anyLane:
		case from&^(n-1) != l&^(n-1)^across, *p != anyLane && *p != from%n:
			return nil, false
		default:
			*p = from % n
		}
	}
	for i, p := range pattern {
		if p == anyLane {
			pattern[i] = i
		}
	}
	return pattern, true
}

// packed has the numbers of a pattern side by side, each of some bits.
func packed(pattern []int, each int) (n uint64) {
	for i, p := range pattern {
		n |= uint64(p) << (i * each)
	}
	return n
}

// inRegisters is for what one instruction of the vector unit does.
func (c *shuffleCall) inRegisters(name, v string) bool {
	first := c.from[0]
	if first != anyLane && c.all(func(int) int { return first }) {
		c.call(name, readLane, "i32 %s, i32 %d", v, first)
		return true
	}
	if control, own := c.dpp(); control >= 0 {
		old := "poison"
		if own { // lanes that read none keep what they have
			old = v
		}
		c.call(name, dppMove, "i32 %s, i32 %s, i32 %d, i32 15, i32 15, i1 %t", old, v, control, !own)
		return true
	}
	if c.gen < 10 {
		return false
	}
	if p, ok := c.repeated(8, 0); ok {
		c.held(name, dpp8Move, "i32 %s, i32 %d", v, packed(p, 3))
		return true
	}
	for _, row := range []struct {
		across int
		fn     string
	}{{0, permlane16}, {16, permlanex16}} {
		if p, ok := c.repeated(16, row.across); ok {
			n := packed(p, 4)
			c.held(name, row.fn, "i32 poison, i32 %s, i32 %d, i32 %d, i1 false, i1 false", v, int32(n), int32(n>>32))
			return true
		}
	}
	if c.gen >= 11 && c.warp == 64 && c.all(func(l int) int { return l ^ 32 }) {
		c.held(name, permlane64, "i32 %s", v)
		return true
	}
	return false
}

// The controls of DPP. Source: AMD's ISA documents, DPP_CTRL.
const (
	rowShl        = 0x100
	rowShr        = 0x110
	rowRor        = 0x120
	waveShl       = 0x130
	waveShr       = 0x138
	rowMirror     = 0x140
	rowHalfMirror = 0x141
	rowXmask      = 0x160 // from GFX10 on
)

// dpp is the control that does it, -1 if there is none. own: lanes that read no lane by
// it keep their own value.
func (c *shuffleCall) dpp() (control int, own bool) {
	if p, ok := c.repeated(4, 0); ok {
		return int(packed(p, 2)), false
	}
	row := func(l, from int) int { return l&^15 | from&15 }
	for _, p := range []struct {
		control int
		f       func(l int) int
	}{{rowHalfMirror, func(l int) int { return l ^ 7 }}, {rowMirror, func(l int) int { return l ^ 15 }}} {
		if c.all(p.f) {
			return p.control, false
		}
	}
	for n := 1; n < 16; n++ {
		switch {
		case c.all(func(l int) int { return row(l, l-n) }):
			return rowRor + n, false
		case c.gen >= 10 && c.all(func(l int) int { return l ^ n }):
			return rowXmask + n, false
		case c.all(func(l int) int { return inRun(l, l-n, 16) }):
			return rowShr + n, true
		case c.all(func(l int) int { return inRun(l, l+n, 16) }):
			return rowShl + n, true
		}
	}
	if c.gen < 10 {
		if c.all(func(l int) int { return inRun(l, l-1, 64) }) {
			return waveShr, true
		}
		if c.all(func(l int) int { return inRun(l, l+1, 64) }) {
			return waveShl, true
		}
	}
	return -1, false
}

// inRun is a lane if it is in l's run of n lanes, else l.
func inRun(l, from, n int) int {
	if from < 0 || from&^(n-1) != l&^(n-1) {
		return l
	}
	return from
}

// parted is for lanes of which some keep their own value, some read within their row of 16,
// and some in the row beside it: each group's is made for all lanes, and one is chosen.
func (c *shuffleCall) parted(name string) bool {
	var group [3][]int // own, row, beside
	var lanes [3]uint64
	for g := range group {
		group[g] = slices.Repeat([]int{anyLane}, c.warp)
	}
	for l, from := range c.from {
		g := 0
		switch {
		case from == l:
		case from&^15 == l&^15:
			g = 1
		case from&^15 == l&^15^16:
			g = 2
		default:
			return false
		}
		lanes[g] |= 1 << l
		group[g][l] = from
	}
	return c.shifted(name, lanes[0], group[2]) || lanes[1] != 0 && c.chosen(name, []choice{{lanes[0] | lanes[1], both(group[0], group[1])}, {lanes[2], group[2]}}) ||
		c.chosen(name, []choice{{lanes[0], nil}, {lanes[1], group[1]}, {lanes[2], group[2]}})
}

// shifted is for lanes that are shifted across the end of a row, into the row beside it or
// not: DPP leaves those that read beyond their row what they have, which is made first.
func (c *shuffleCall) shifted(name string, own uint64, beside []int) bool {
	for n := 1; n < 16; n++ {
		for _, p := range []struct{ control, by int }{{rowShl, n}, {rowShr, -n}} {
			beyond := uint64(0)
			fits := true
			for l, from := range c.from {
				to := l + p.by
				if to&^15 != l&^15 {
					beyond |= 1 << l
					fits = fits && (from == l || beside[l] != anyLane)
				} else {
					fits = fits && from == to
				}
			}
			if !fits {
				continue
			}
			rows := uint64(0) // all of whose lanes may have what is beside
			for row := uint64(0xffff); row != 0; row <<= 16 {
				switch {
				case own&beyond&row == 0:
					rows |= row
				case beyond&^own&row != 0:
					return false
				}
			}
			part := *c
			part.lines, part.from = nil, beside
			old := c.fresh()
			if !part.inRegisters(old, c.v) {
				return false
			}
			if rows &= 1<<(c.warp-1)<<1 - 1; bits.OnesCount64(rows) < c.warp {
				value := c.fresh()
				part.emit(value, fmt.Sprintf("select i1 %s, i32 %s, i32 %s", part.within(rows), old, c.v))
				old = value
			}
			part.call(name, dppMove, "i32 %s, i32 %s, i32 %d, i32 15, i32 15, i1 false", old, c.v, p.control+n)
			c.lines = part.lines
			return true
		}
	}
	return false
}

// A choice is the lanes that read what from says, nil: their own.
type choice struct {
	lanes uint64
	from  []int
}

// both has the lanes of two patterns that no lane has in common.
func both(x, y []int) []int {
	all := make([]int, len(x))
	for l := range all {
		all[l] = max(x[l], y[l])
	}
	return all
}

// chosen makes each of the choices for all lanes, and selects.
func (c *shuffleCall) chosen(name string, choices []choice) bool {
	choices = slices.DeleteFunc(choices, func(p choice) bool { return p.lanes == 0 })
	out, lines := "", []string(nil)
	for i, p := range choices {
		part := *c
		part.lines, part.from = nil, p.from
		value := c.v
		if p.from != nil {
			if value = c.fresh(); !part.inRegisters(value, c.v) {
				return false
			}
		}
		if i > 0 {
			cond, chosen := part.within(p.lanes), name
			if i < len(choices)-1 {
				chosen = c.fresh()
			}
			part.emit(chosen, fmt.Sprintf("select i1 %s, i32 %s, i32 %s", cond, value, out))
			value = chosen
		}
		out = value
		lines = append(lines, part.lines...)
	}
	c.lines = lines
	return out == name
}

// within is whether the caller's lane is one of a set.
func (c *shuffleCall) within(set uint64) string {
	lane := c.fresh()
	c.call(lane, lowLanes, "i32 -1, i32 0")
	if c.warp == 64 {
		low := lane
		lane = c.fresh()
		c.call(lane, highLanes, "i32 -1, i32 %s", low)
	}
	let := func(format string, args ...any) string {
		name := c.fresh()
		c.emit(name, fmt.Sprintf(format, args...))
		return name
	}
	period := 64
	for period > 1 && (c.warp < period || set>>(period/2) == set&(1<<(period/2)-1)) {
		period /= 2
		set &= 1<<period - 1
	}
	in := lane
	if period < c.warp {
		in = let("and i32 %s, %d", lane, period-1)
	}
	n := bits.OnesCount64(set)
	switch {
	case set == 1<<n-1:
		return let("icmp ult i32 %s, %d", in, n)
	case set == (1<<n-1)<<(period-n):
		return let("icmp uge i32 %s, %d", in, period-n)
	case set == (1<<n-1)<<bits.TrailingZeros64(set):
		return let("icmp ult i32 %s, %d", let("sub i32 %s, %d", in, bits.TrailingZeros64(set)), n)
	case period <= 32:
		return let("trunc i32 %s to i1", let("lshr i32 %d, %s", int32(set), in))
	}
	return let("trunc i64 %s to i1", let("lshr i64 %d, %s", int64(set), let("zext i32 %s to i64", in)))
}

// swizzled is ds_swizzle: within 32 lanes, each bit of the lane's number kept, flipped,
// set or cleared. It moves data as ds_bpermute does, but wants no addresses.
func (c *shuffleCall) swizzled(name string) bool {
	and, xor := 0, c.from[0]
	for bit := 1; bit < 32; bit *= 2 {
		if (c.from[bit]^c.from[0])&bit != 0 {
			and |= bit
		}
	}
	if xor > 31 || !c.all(func(l int) int { return l&32 | l&and ^ xor }) {
		return false
	}
	c.call(name, swizzleLanes, "i32 %s, i32 %d", c.v, and|xor<<10)
	return true
}
