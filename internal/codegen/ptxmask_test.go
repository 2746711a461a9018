package codegen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Lanes that a mask names come to its operation together, with the same mask, in random
// control flow: what waits for others does not wait for ever.
func TestMasks(t *testing.T) {
	votes, told := 0, 0
	for seed := range uint64(3000) {
		g := &maskGen{r: rand.New(rand.NewPCG(seed, 7)), preds: map[string][]string{}}
		text := g.kernel()
		placed, _ := placeMasks(text)
		votes += g.votes
		told += g.votes - strings.Count(placed, "activemask")
		if why := runLanes(placed, seed); why != "" {
			t.Fatalf("seed %d: %s in\n%s\nof\n%s", seed, why, placed, text)
		}
	}
	t.Logf("masks of %d of %d operations are told", told, votes)
	if told*5 < votes*3 { // the others are below breaks and returns within branches
		t.Errorf("masks of only %d of %d operations are told", told, votes)
	}
}

// What the masks are, and where they are left to the GPU.
func TestMasksOf(t *testing.T) {
	const head = "\ndefine ptx_kernel void @k(ptr readonly byval([4 x i64]) align 8 %u) {\n"
	const vote = `  %a = tail call i32 asm sideeffect "activemask.b32 $0;", "=r"() #0
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 %a, i1 true)
`
	for _, test := range []struct{ name, text, want string }{
		{"after a loop", head + "  br label %1\n\n1:   ; preds = %2, %0\n  %c = call i1 @cond(i32 1)\n  br i1 %c, label %2, label %3\n\n2:   ; preds = %1\n  br label %1\n\n3:   ; preds = %1\n" + vote + "  ret void\n}\n",
			"  %a = bitcast i32 -1 to i32"},
		{"below a branch", head + "  %c = call i1 @cond(i32 1)\n  br i1 %c, label %1, label %2\n\n1:   ; preds = %0\n  br label %2\n\n2:   ; preds = %1, %0\n  br i1 %c, label %3, label %4\n\n3:   ; preds = %2\n" + vote + "  ret void\n\n4:   ; preds = %2\n  ret void\n}\n",
			"  %heddle.lanes.1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)\n  br i1 %c, label %3, label %4"},
		{"below one for all", head + "  %p = getelementptr inbounds i8, ptr %u, i64 8\n  %n = load i64, ptr %p, align 8\n  %c = icmp eq i64 %n, 0\n  br i1 %c, label %1, label %2\n\n1:   ; preds = %0\n" + vote + "  br label %2\n\n2:   ; preds = %1, %0\n  ret void\n}\n",
			"  %a = bitcast i32 -1 to i32"},
		{"below a panic", head + "  %c = call i1 @cond(i32 1)\n  br i1 %c, label %1, label %2\n\n1:   ; preds = %0\n" + vote + "  ret void\n\n2:   ; preds = %0\n  unreachable\n}\n",
			"  %a = bitcast i32 -1 to i32"},
		{"below a switch", head + "  %n = call i32 @cond(i32 1)\n  switch i32 %n, label %2 [\n    i32 1, label %1\n    i32 2, label %3\n  ]\n\n1:   ; preds = %0\n" + vote + "  br i1 true, label %2, label %3\n\n2:   ; preds = %1, %0\n  ret void\n\n3:   ; preds = %1, %0\n  ret void\n}\n",
			"asm sideeffect"},
		{"without an end", head + "  br i1 true, label %1, label %2\n\n1:   ; preds = %1, %0\n" + vote + "  br label %1\n\n2:   ; preds = %0\n  ret void\n}\n",
			"asm sideeffect"},
		{"a number that is used", head + "  br i1 true, label %1, label %1\n\n1:   ; preds = %0\n" + vote + "  %w = add i32 %a, 0\n  ret void\n}\n",
			"  %a = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)\n"},
		{"no kernel", strings.Replace(head, "ptx_kernel ", "", 1) + "  br i1 true, label %1, label %1\n\n1:   ; preds = %0\n" + vote + "  ret void\n}\n",
			"asm sideeffect"},
	} {
		if got, _ := placeMasks(test.text); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q in%s", test.name, test.want, got)
		}
	}
}

// A maskGen writes kernels of random control flow.
type maskGen struct {
	r     *rand.Rand
	b     strings.Builder
	preds map[string][]string // of labels
	here  string              // the current block
	n     int
	votes int
}

func (g *maskGen) label() string {
	g.n++
	return "b" + strconv.Itoa(g.n)
}

func (g *maskGen) line(format string, args ...any) { fmt.Fprintf(&g.b, "  "+format+"\n", args...) }

// jump ends the current block.
func (g *maskGen) jump(cond string, to ...string) {
	for _, l := range to {
		g.preds[l] = append(g.preds[l], g.here)
	}
	if len(to) == 1 {
		g.line("br label %%%s", to[0])
	} else {
		g.line("br i1 %s, label %%%s, label %%%s", cond, to[0], to[1])
	}
}

// begin begins a block; its predecessors are known at the end.
func (g *maskGen) begin(label string) {
	g.here = label
	fmt.Fprintf(&g.b, "\n%s:   ; preds = <%s>\n", label, label)
}

// cond is a condition that differs between lanes, or does not.
func (g *maskGen) cond() string {
	if g.r.IntN(4) == 0 {
		return "%u" + strconv.Itoa(g.r.IntN(2))
	}
	g.n++
	g.line("%%c%d = call i1 @cond(i32 %d)", g.n, g.n)
	return "%c" + strconv.Itoa(g.n)
}

func (g *maskGen) vote() {
	g.n++
	g.votes++
	g.line(`%%a%d = tail call i32 asm sideeffect "activemask.b32 $0;", "=r"() #0`, g.n)
	g.line("%%v%d = call i32 @llvm.nvvm.vote.ballot.sync(i32 %%a%d, i1 true)", g.n, g.n)
}

// statements writes some; leave is where a break leads.
func (g *maskGen) statements(depth int, leave string) {
	for range 1 + g.r.IntN(3) {
		if g.r.IntN(3) == 0 {
			g.vote()
		}
		if depth == 0 {
			continue
		}
		switch g.r.IntN(7) {
		case 0, 1: // if
			then, other, end := g.label(), g.label(), g.label()
			g.jump(g.cond(), then, other)
			g.begin(then)
			g.statements(depth-1, leave)
			g.jump("", end)
			g.begin(other)
			if g.r.IntN(2) == 0 {
				g.statements(depth-1, leave)
			}
			g.jump("", end)
			g.begin(end)
		case 2, 3: // loop
			head, body, end := g.label(), g.label(), g.label()
			g.jump("", head)
			before := g.here
			g.begin(head)
			var c string
			if g.r.IntN(3) == 0 { // a count
				g.n++
				g.line("%%i%d = phi i32 [ 0, %%%s ], [ %%j%d, <latch %s> ]", g.n, before, g.n, head)
				g.line("%%j%d = add i32 %%i%d, 1", g.n, g.n)
				g.line("%%c%d = icmp ult i32 %%i%d, 2", g.n, g.n)
				c = "%c" + strconv.Itoa(g.n)
			} else {
				g.n++
				g.line("%%c%d = call i1 @cond(i32 %d)", g.n, g.n)
				c = "%c" + strconv.Itoa(g.n)
			}
			if g.r.IntN(2) == 0 {
				g.vote()
			}
			g.jump(c, body, end)
			g.begin(body)
			g.statements(depth-1, end)
			text := strings.ReplaceAll(g.b.String(), "<latch "+head+">", "%"+g.here)
			g.b.Reset()
			g.b.WriteString(text)
			g.jump("", head)
			g.begin(end)
		case 4: // break
			if leave != "" {
				next := g.label()
				g.jump(g.cond(), next, leave)
				g.begin(next)
			}
		case 5: // return, panic
			to := "end"
			if g.r.IntN(2) == 0 {
				to = "panic"
			}
			next := g.label()
			g.jump(g.cond(), next, to)
			g.begin(next)
		}
	}
	if g.r.IntN(2) == 0 {
		g.vote()
	}
}

func (g *maskGen) kernel() string {
	g.here = "entry"
	g.b.WriteString("\ndefine ptx_kernel void @k(i1 %u0, i1 %u1) {\nentry:\n")
	g.statements(3, "")
	g.jump("%u0", "end", "panic")
	g.begin("end")
	g.line("ret void")
	g.begin("panic")
	g.line("unreachable")
	text := g.b.String() + "}\n"
	for label, preds := range g.preds {
		text = strings.Replace(text, "<"+label+">", "%"+strings.Join(preds, ", %"), 1)
	}
	return text
}

// A lane is a thread of a kernel that is interpreted.
type lane struct {
	label, from string
	lines       []string // what is left of its block
	values      map[string]int64
	asked       map[string]int
	waits       string // at a line
	mask        int64
	done        bool
}

// runLanes runs a kernel for 8 lanes. It says why they cannot have come together where a
// mask has them wait for each other.
func runLanes(text string, seed uint64) string {
	f := parseFlow(text[:strings.LastIndex(text, "\n}")])
	blocks := map[string][]string{}
	for label, b := range f.label {
		if label == "" {
			label = "%entry"
		}
		blocks[label] = f.lines[b.begin : b.end+1]
	}
	lanes := make([]*lane, 8)
	for i := range lanes {
		lanes[i] = &lane{label: "%entry", lines: blocks["%entry"], asked: map[string]int{},
			values: map[string]int64{"true": 1, "%u0": 1, "%u1": int64(seed & 1)}}
	}
	for {
		all := true
		for i, l := range lanes {
			if !l.done && l.waits == "" {
				l.run(i, blocks, seed)
			}
			all = all && l.done
		}
		if all {
			return ""
		}
		moved := false
		for i, l := range lanes {
			if l.done || l.waits == "" {
				continue
			}
			if l.mask>>i&1 == 0 {
				return fmt.Sprintf("lane %d is not of its mask %#x at %s", i, l.mask, l.waits)
			}
			here := true
			for j, o := range lanes {
				if l.mask>>j&1 == 1 && !o.done && (o.waits != l.waits || o.mask != l.mask) {
					here = false
				}
			}
			if here {
				l.vote(lanes)
				moved = true
			}
		}
		if !moved {
			why := "nobody moves:"
			for i, l := range lanes {
				if !l.done {
					why += fmt.Sprintf("\nlane %d waits with %#x at %s", i, l.mask, l.waits)
				}
			}
			return why
		}
	}
}

// vote ends the waiting of all lanes of a mask.
func (l *lane) vote(lanes []*lane) {
	name, rest, _ := strings.Cut(strings.TrimSpace(l.waits), " = ")
	names := namesIn(rest)
	cond := "true"
	if !strings.HasSuffix(rest, "i1 true)") {
		cond = names[len(names)-1]
	}
	var ballot int64
	mask, at := l.mask, l.waits
	for j, o := range lanes {
		if mask>>j&1 == 1 && o.waits == at {
			ballot |= o.values[cond] << j
		}
	}
	for _, o := range lanes {
		if o.waits == at && o.mask == mask {
			o.values[name], o.waits = ballot, ""
		}
	}
}

// run runs a lane to its end, or to where it waits for others.
func (l *lane) run(number int, blocks map[string][]string, seed uint64) {
	value := func(s string) int64 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n & 0xffffffff
		}
		return l.values[s]
	}
	enter := func(label string) {
		l.from, l.label, l.lines = l.label, label, blocks[label]
		now := map[string]int64{}
		for len(l.lines) > 0 && strings.Contains(l.lines[0], " = phi ") {
			name, rest, _ := strings.Cut(strings.TrimSpace(l.lines[0]), " = ")
			_, in, _ := (&flowValue{text: rest}).phi()
			i := slices.IndexFunc(in, func(pair [2]string) bool { return pair[1] == l.from })
			now[name] = value(in[i][0])
			l.lines = l.lines[1:]
		}
		for name, v := range now {
			l.values[name] = v
		}
	}
	for !l.done && l.waits == "" {
		line := strings.TrimSpace(l.lines[0])
		l.lines = l.lines[1:]
		name, rest, isValue := strings.Cut(line, " = ")
		names := namesIn(line)
		switch {
		case !isValue && strings.HasPrefix(line, "br label"):
			enter(names[0])
		case !isValue && strings.HasPrefix(line, "br "):
			if value(names[0]) != 0 {
				enter(names[1])
			} else {
				enter(names[2])
			}
		case !isValue:
			l.done = true
		case strings.Contains(rest, "activemask"):
			l.values[name] = 1 << number
		case strings.Contains(rest, "@cond"):
			n := l.asked[name]
			l.asked[name]++
			r := rand.New(rand.NewPCG(seed, uint64(number*1000+n)^uint64(len(name))<<32^uint64(name[len(name)-1])<<40))
			l.values[name] = int64(b2i(n < 4 && r.IntN(3) > 0))
		case strings.Contains(rest, "vote.ballot"):
			mask, _, _ := strings.Cut(rest[strings.Index(rest, "(i32 ")+5:], ",")
			l.waits, l.mask = line, value(mask)
		case strings.HasPrefix(rest, "xor i1 "):
			l.values[name] = 1 - value(names[1])
		case strings.HasPrefix(rest, "bitcast i32 "):
			l.values[name] = value(strings.Fields(rest)[2])
		case strings.HasPrefix(rest, "add i32 "):
			l.values[name] = value(names[1]) + 1
		case strings.HasPrefix(rest, "icmp ult i32 "):
			l.values[name] = int64(b2i(value(names[1]) < 2))
		default:
			panic("not known here: " + line)
		}
	}
}
