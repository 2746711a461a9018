package spmd

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

var (
	claims     = flag.Int("claims", 6000, "random functions whose analysis is held against their values")
	claimsSeed = flag.Uint64("claims.seed", 0, "the seed of the first of them; 0: a fresh one")
)

// A form is one in which a kernel is compiled, and where its threads then are.
type form struct {
	lanes, warp int
	rows        bool
	tile        int
}

var forms = []form{
	{8, 32, true, 0}, {16, 32, true, 0}, {32, 32, true, 0}, {64, 32, true, 0}, {64, 64, true, 0},
	{8, 32, false, 0}, {32, 32, false, 0}, {64, 64, false, 0},
	{32, 32, true, 2}, {64, 32, true, 4},
	{128, 32, true, 0}, {256, 64, true, 0}, {128, 64, true, 8}, {256, 32, true, 16},
}

// machine is a place in a grid for a gang of the form, and the lanes that have threads.
func (f form) machine(r *rand.Rand) (m *Machine, lanes []int) {
	interesting := func() uint64 {
		switch r.IntN(4) {
		case 0:
			return uint64(r.IntN(70))
		case 1:
			return uint64(1)<<r.IntN(64) - uint64(r.IntN(3))
		case 2:
			return -uint64(r.IntN(70))
		}
		return r.Uint64()
	}
	m = &Machine{Params: map[string]uint64{}}
	for _, p := range RandomParams {
		m.Params[p.Name] = interesting()
		if p.Type == "ptr" {
			m.Params[p.Name] = (1 << 20) + r.Uint64N(1<<20)
		}
	}
	var x, y, z [usualBlock]uint64
	var thread func(l int) uint64 // in the block
	n := uint64(f.lanes)
	for l := range f.lanes {
		lanes = append(lanes, l)
	}
	dim, height := uint64(0), uint64(1)
	switch {
	case f.tile > 0:
		dim, height = divergence.TileRow, 64
		row := r.Uint64N(max(1, 64/uint64(f.tile))) * uint64(f.tile)
		for l := range n {
			x[l], y[l], z[l] = l%divergence.TileRow, row+l/divergence.TileRow, 0
		}
		thread = func(l int) uint64 { return row*divergence.TileRow + uint64(l) }
	case f.rows:
		dim = n * (1 + r.Uint64N(1024/n))
		height = 1024 / dim
		first, row, plane := r.Uint64N(dim/n)*n, r.Uint64N(1024/dim), uint64(0)
		for l := range n {
			x[l], y[l], z[l] = first+l, row, plane
		}
		thread = func(l int) uint64 { return row*dim + first + uint64(l) }
	default:
		dim = 1 + r.Uint64N(20)
		height = 1 + r.Uint64N(5)
		first := r.Uint64N(4) * n
		for l := range n {
			i := first + l
			x[l], y[l], z[l] = i%dim, i/dim%height, i/dim/height%64
		}
		lanes = lanes[:1+r.IntN(len(lanes))]
		thread = func(l int) uint64 { return first + uint64(l) }
	}
	block := r.Uint64N(1<<31 - 1)
	m.Call = func(name string, l int) (uint64, bool) {
		switch name {
		case "heddle.thread.x":
			return x[l], true
		case "heddle.thread.y":
			return y[l], true
		case "heddle.thread.z":
			return z[l], true
		case "heddle.lane":
			return thread(l) % uint64(f.warp), true
		case "heddle.warp":
			return thread(l) / uint64(f.warp), true
		case "heddle.block.x":
			return block, true
		case "heddle.dim.x":
			return dim, true
		case "heddle.dim.y":
			return height, true
		}
		return 0, false
	}
	m.Store = func(int, uint64, Val, int) {}
	m.Load = func(p uint64, size int) (uint64, bool) { return (p*0x9e3779b97f4a7c15 + uint64(size)) >> 7, true }
	return m, lanes
}

// TestClaims holds what the analyses say of random functions against what their values are.
func TestClaims(t *testing.T) {
	seed := *claimsSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-claims.seed=%d", seed)
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // it makes much garbage and keeps nothing
	var next, tested, failed atomic.Int64
	var mu sync.Mutex
	shapes := map[string]int{}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			count := map[string]int{}
			for failed.Load() < 3 {
				n := uint64(next.Add(1) - 1)
				if n >= uint64(*claims) {
					break
				}
				bad, ran := claimsOf(seed+n, count)
				tested.Add(int64(ran))
				if bad != "" {
					failed.Add(1)
					t.Errorf("-claims=1 -claims.seed=%d:\n%s", seed+n, bad)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for k, n := range count {
				shapes[k] += n
			}
		})
	}
	workers.Wait()
	t.Logf("%d runs of %d functions; values by shape: %v", tested.Load(), *claims, shapes)
	if failed.Load() == 0 && tested.Load() < int64(*claims) {
		t.Error("too few functions have a meaning")
	}
}

// claimsOf tests one function, in some forms, and describes what is wrong. It counts shapes.
func claimsOf(seed uint64, count map[string]int) (bad string, ran int) {
	r := rand.New(rand.NewPCG(seed, 11))
	text, _ := RandomFunc(r, RandomOptions{Control: seed%2 == 0, LLVM: 22})
	mod, err := ll.Parse(text)
	if err != nil {
		return fmt.Sprintf("%s%v", text, err), 0
	}
	f := mod.Func("k")
	for range 2 {
		o := forms[r.IntN(len(forms))]
		why, err := refuteOnce(f, o, r, count)
		if err != nil {
			continue
		}
		ran++
		if why != "" {
			return fmt.Sprintf("%sin gangs of %+v: %s", text, o, why), ran
		}
	}
	return "", ran
}

// refuteOnce runs f for a gang of the form somewhere in a grid and says what of its
// analysis is wrong, "" if nothing. The error is Interpret's. It counts shapes.
func refuteOnce(f *ll.Func, o form, r *rand.Rand, count map[string]int) (why string, err error) {
	params := map[*ll.Param]divergence.Shape{}
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
	}
	a := divergence.Analyse(f, o.lanes, o.warp, o.rows, o.tile, params)
	m, lanes := o.machine(r)
	trace, err := Interpret(f, m, lanes, o.lanes)
	if err != nil {
		return "", err
	}
	for n, i := range trace.Insts {
		count[word(a.Shapes[i])]++
		if why := refute(a, trace, n, i); why != "" {
			return fmt.Sprintf("%%%s: %s", i.Name, why), nil
		}
	}
	return "", nil
}

// word is a shape without its numbers.
func word(s divergence.Shape) string {
	if s.Rows {
		return "rows"
	}
	word, _, _ := strings.Cut(s.Describe(), " ")
	return word
}

// refute says what a trace shows against what the analysis says of an instruction, "" if nothing.
func refute(a *divergence.Analysis, t *Trace, n int, i *ll.Inst) string {
	if why := illFormed(a, i); why != "" {
		return why
	}
	for at := t.first[n] * t.Lanes; at < t.first[n+1]*t.Lanes; at += t.Lanes {
		values := t.Cells[at : at+t.Lanes]
		for l := range values {
			values[l].Any = values[l].Any || !t.Ran[at+l]
		}
		if why := refuteShape(a, i, values); why != "" {
			return why
		}
	}
	return ""
}

// illFormed says what no shape of an instruction may be, whatever its values.
func illFormed(a *divergence.Analysis, i *ll.Inst) string {
	s := a.Shapes[i]
	moves := s.Kind == divergence.Linear || s.Kind == divergence.Patterned || s.Rows
	switch n := i.Typ.Bits; {
	case moves && i.Typ.Kind == ll.Int && (n < 8 || n > 64), moves && i.Typ.Kind != ll.Int && i.Typ.Kind != ll.Ptr:
		return fmt.Sprintf("a %s is %s: emission knows only uniform ones and vectors", i.Typ, s.Describe())
	case s.Align&(s.Align-1) != 0 || s.Constant() && s.Align < 1:
		return fmt.Sprintf("its alignment is %d", s.Align)
	}
	return ""
}

// refuteShape does so for the values of one instance, by lane. Those of lanes that did not
// come there are any.
func refuteShape(a *divergence.Analysis, i *ll.Inst, values []Val) string {
	s := a.Shapes[i]
	show := func(why string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s (align %d, rows %v, stride %d) %s:", s.Describe(), s.Align, s.Rows, s.Stride, why)
		for l, v := range values {
			if !v.Any {
				fmt.Fprintf(&b, " %d:%x", l, v.Lo)
			}
		}
		return b.String()
	}
	if offs, row := claimed(a, s), len(values); offs != nil {
		if s.Rows {
			row = divergence.TileRow
		}
		m, r := a.Congruence(i, 8)
		base := Val{Any: true}
		for l, v := range values {
			if l%row == 0 {
				base.Any = true
			}
			if v.Any {
				continue
			}
			if v.Two == nil {
				v = cut(add(v, neg(signed(offs[l]))), width(i.Typ))
			}
			if base.Any {
				base = v
			}
			if !same(v, base) {
				return show("but")
			}
			if v.Two == nil && s.Constant() && v.Lo&uint64(s.Align-1)&maskOf(i.Typ) != 0 {
				return show("is not aligned")
			}
			if v.Two == nil && s.Constant() && (v.Lo^uint64(r))&uint64(m-1)&maskOf(i.Typ) != 0 {
				return show(fmt.Sprintf("is not %d mod %d", r, m))
			}
		}
	}
	if r := a.Interval(i, 12); r != nil && i.Typ.Kind == ll.Int && i.Typ.Bits <= 64 {
		for _, v := range values {
			x := int64(extend(v, i.Typ.Bits).Lo)
			if !v.Any && (r[0] < 0 && (x < r[0] || x > r[1]) || r[0] >= 0 && (v.Lo < uint64(r[0]) || v.Lo > uint64(r[1]))) {
				return show(fmt.Sprintf("is not in %d", *r))
			}
		}
	}
	return ""
}

// claimed are by how much values of shape s exceed lane 0's, or the first of their row; nil for any.
func claimed(a *divergence.Analysis, s divergence.Shape) []int64 {
	if !s.Rows {
		return a.Offsets(s)
	}
	offs := make([]int64, a.Lanes)
	for l := range offs {
		offs[l] = int64(l%divergence.TileRow) * s.Stride
	}
	return offs
}

func signed(n int64) Val { return Val{Hi: uint64(n >> 63), Lo: uint64(n)} }

func maskOf(t *ll.Type) uint64 { return cut(Val{Lo: ^uint64(0)}, width(t)).Lo }
