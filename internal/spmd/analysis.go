package spmd

import (
	"slices"
	"strings"

	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// An analysis is what is known of one function in one variant: the shapes of
// its values and where its lanes part.
type analysis struct {
	*cfg
	lanes    int
	warpSize int
	// rows: the gang is complete and lies along x, so that thread.x is linear and
	// the other axes are uniform.
	rows bool
	// tile: it consists of so many rows of tileRow threads, beginning with x = 0.
	tile     int
	params   map[*ll.Param]shape
	shapes   map[*ll.Inst]shape
	private  map[*ll.Inst]*privateVar
	patterns map[string][]int64 // by their names
	// meets marks blocks where lanes come together by different ways.
	meets []bool
	// parted holds the conditional branches at which lanes go different ways.
	parted map[*ll.Block]bool
}

// analyse finds the shapes of f's values. Parameters have the given shapes.
func analyse(f *ll.Func, lanes, warpSize int, rows bool, tile int, params map[*ll.Param]shape) *analysis {
	a := &analysis{cfg: newCFG(f), lanes: lanes, warpSize: warpSize, rows: rows, tile: tile, params: params,
		shapes: map[*ll.Inst]shape{}, private: map[*ll.Inst]*privateVar{},
		meets: make([]bool, len(f.Blocks)), parted: map[*ll.Block]bool{}}
	a.findPrivate()
	for changed := true; changed; {
		changed = false
		for _, b := range a.order {
			for _, i := range b.Insts {
				if old := a.shapes[i]; old != isVarying && i.Typ.Kind != ll.Void {
					s := old.join(a.compute(i))
					if s.constant() { // alignment may only fall
						s.align = max(1, s.align)
					}
					if s != old {
						a.shapes[i], changed = s, true
					}
				}
			}
			if !a.parted[b] && a.parts(b) {
				a.part(b)
				changed = true
			}
		}
	}
	return a
}

// isCheck reports whether a conditional branch leads to a dead end on one side:
// a check that ends the launch if any lane fails it, and parts no lanes.
//
//go:noinline
func (c *cfg) isCheck(b *ll.Block) (dead int, ok bool) {
	t := b.Term()
	if len(t.Args) == 0 || t.Op != "br" || c.dead[b.Index] {
		return 0, false
	}
	for i, s := range t.Blocks {
		if c.dead[s.Index] && !c.dead[t.Blocks[1-i].Index] {
			return i, true
		}
	}
	return 0, false
}

// parts reports whether lanes may go different ways at the end of b. In dead
// ends they do not: one lane's way is enough to end the launch.
func (a *analysis) parts(b *ll.Block) bool {
	t := b.Term()
	if t.Op != "br" || len(t.Args) == 0 || t.Blocks[0] == t.Blocks[1] || a.dead[b.Index] {
		return false
	}
	if _, ok := a.isCheck(b); ok {
		return false
	}
	s := a.shapeOf(t.Args[0])
	return s.kind != uniform && s.kind != unknown
}

// part notes what follows from lanes parting at the end of b: they meet again
// at the blocks that different ways lead to, up to the one that all of them come
// to in this iteration of the loop around. If there is none, they leave the loop
// at different times, and part once more by its exits in the loop around that.
func (a *analysis) part(b *ll.Block) {
	a.parted[b] = true
	l := a.loops[b.Index]
	ways := b.Succs()
	if l != nil {
		ways = slices.DeleteFunc(slices.Clone(ways), func(s *ll.Block) bool { return s == l.header })
	}
	end := a.ipdom(l, b)
	for {
		a.spread(ways, l, end, a.dead[b.Index])
		if l == nil || end != nil {
			return
		}
		l.divergent = true
		ways = l.exits()
		for _, s := range ways {
			if len(s.Preds) > 1 { // whoever leaves early waits where the others come
				a.meets[s.Index] = true
			}
		}
		inner := l
		l = l.parent
		for end = a.ipdom(l, b); end != nil && inner.has(end); {
			end = a.ipdom(l, end)
		}
	}
}

// spread marks the blocks of a loop (nil: of the function) where lanes meet that
// take different ways, up to the block end. Each block has the way by which all
// its lanes come: a block where ways meet begins one of its own. (This is how
// LLVM's SyncDependenceAnalysis finds joins.)
func (a *analysis) spread(ways []*ll.Block, l *loop, end *ll.Block, dead bool) {
	way := map[*ll.Block]*ll.Block{}
	var work []*ll.Block // in layout order, which is topological
	come := func(s, by *ll.Block) {
		if !l.has(s) || a.dead[s.Index] && !dead {
			return
		}
		switch old := way[s]; {
		case old == nil:
			way[s] = by
			at, _ := slices.BinarySearchFunc(work, s, func(x, y *ll.Block) int { return a.place[y.Index] - a.place[x.Index] })
			work = append(work, s) // the next one is the last
			copy(work[at+1:], work[at:])
			work[at] = s
		case old != by:
			way[s] = s
			a.meets[s.Index] = true
		}
	}
	for _, s := range ways {
		come(s, s)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == end {
			continue
		}
		for _, s := range b.Succs() {
			if !a.isBack(b, s) {
				come(s, way[b])
			}
		}
	}
}

// A privateVar is an alloca: memory that each lane has of its own.
type privateVar struct {
	size, align int
	// grain is not 0 if all accesses are of that many bytes at multiples of it:
	// then the lanes' grains lie side by side, and a uniform index gives
	// consecutive addresses. Otherwise one lane's whole variable follows another's.
	grain int
}

func (p *privateVar) shape() shape {
	if p.grain > 0 {
		return linearBy(int64(p.grain), 1)
	}
	return linearBy(int64(p.size), 1)
}

func (a *analysis) findPrivate() {
	for _, b := range a.order {
		for _, i := range b.Insts {
			if i.Op == "alloca" {
				align := max(i.Align, i.Elem.Align())
				p := &privateVar{align: align, size: (i.Elem.Size() + align - 1) / align * align}
				p.grain = a.grainOf(i)
				a.private[i] = p
			}
		}
	}
}

// users are the instructions that use a value.
func (c *cfg) users(v ll.Value) []*ll.Inst {
	if c.uses == nil {
		c.uses = map[ll.Value][]*ll.Inst{}
		for _, b := range c.order {
			for _, i := range b.Insts {
				for n, x := range i.Args {
					if !slices.Contains(i.Args[:n], x) {
						c.uses[x] = append(c.uses[x], i)
					}
				}
			}
		}
	}
	return c.uses[v]
}

// grainOf finds whether all uses of an alloca are accesses of one size.
func (a *analysis) grainOf(root *ll.Inst) int {
	grain := 0
	var copied []int64 // bytes
	work := []*ll.Inst{root}
	var addresses []*ll.Inst
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		for _, u := range a.users(p) {
			size := 0
			switch u.Op {
			case "load":
				size = u.Typ.Size()
			case "store":
				if u.Args[0] == ll.Value(p) {
					return 0
				}
				size = u.Args[0].Type().Size()
			case "getelementptr":
				addresses = append(addresses, u)
				work = append(work, u)
				continue
			case "call":
				if strings.HasPrefix(u.Callee, "llvm.lifetime.") {
					continue
				}
				if n := copiedBytes(u); n > 0 {
					copied = append(copied, n)
					continue
				}
				if strings.HasPrefix(u.Callee, "llvm.memset.") && p == root {
					if n := constant(u.Args[2]); n != nil && int(*n) == root.Elem.Size() && *n%8 == 0 {
						continue
					}
				}
				return 0
			default:
				return 0
			}
			if size == 0 || grain != 0 && size != grain {
				return 0
			}
			grain = size
		}
	}
	if grain == 0 || grain > 8 || grain&(grain-1) != 0 || root.Elem.Size()%grain != 0 {
		return 0
	}
	for _, n := range copied {
		if n%int64(grain) != 0 {
			return 0
		}
	}
	for _, g := range addresses {
		for _, t := range gepTerms(g) {
			if t.offset%int64(grain) != 0 {
				return 0
			}
		}
	}
	return grain
}

// copiedBytes is how many bytes a memcpy of constant size copies, 0 for other calls.
func copiedBytes(i *ll.Inst) int64 {
	if !strings.HasPrefix(i.Callee, "llvm.memcpy.") {
		return 0
	}
	if n := constant(i.Args[2]); n != nil && *n > 0 {
		return *n
	}
	return 0
}

// grainAt is the grain of the private array that an address is in, 0 if there is none.
func (a *analysis) grainAt(p ll.Value) int {
	if i, ok := rootOf(p).(*ll.Inst); ok && i.Op == "alloca" {
		return a.private[i].grain
	}
	return 0
}

// rootOf follows address computations to where a pointer comes from.
//
//go:noinline
func rootOf(v ll.Value) ll.Value {
	for {
		i, ok := v.(*ll.Inst)
		if !ok || i.Op != "getelementptr" {
			return v
		}
		v = i.Args[0]
	}
}

// scale is what offsets from a pointer are multiplied by: the lanes that share
// a private array whose grains lie side by side.
//
//go:noinline
func (a *analysis) scale(v ll.Value) int64 {
	if i, ok := rootOf(v).(*ll.Inst); ok && i.Op == "alloca" {
		if p := a.private[i]; p != nil && p.grain > 0 {
			return int64(a.lanes)
		}
	}
	return 1
}

// isShared reports whether a pointer is into the block's shared memory, which
// only this thread of the host touches.
//
//go:noinline
func isShared(v ll.Value) bool {
	i, ok := rootOf(v).(*ll.Inst)
	return ok && i.Op == "call" && ops.Of(i.Callee).Shared()
}

func (a *analysis) callShape(i *ll.Inst) shape {
	switch name := i.Callee; {
	case name == "heddle.thread.x":
		if a.tile > 0 {
			return a.places(func(l int) int { return l % tileRow }, 1<<30)
		}
		if a.rows {
			return linearBy(1, int64(a.lanes)) // rows begin at multiples of the gang
		}
		return isVarying
	case name == "heddle.thread.y" && a.tile > 0:
		return a.places(func(l int) int { return l / tileRow }, int64(a.tile))
	case name == "heddle.thread.y", name == "heddle.thread.z":
		if a.rows {
			return isUniform
		}
		return isVarying
	case name == "heddle.lane":
		if a.lanes > a.warpSize {
			return isVarying
		}
		return linearBy(1, int64(a.lanes))
	case name == "heddle.shared":
		return shape{kind: uniform, align: min(64, alignOf(constant(i.Args[0])))} // see abi.NativeWorker
	case name == "heddle.dynamic":
		return shape{kind: uniform, align: 16}
	case ops.Of(name).Result > ops.Thread, name == "llvm.readcyclecounter":
		return isUniform
	case name == "heddle.shuffle.idx" && a.shapeOf(i.Args[1]).kind == uniform && a.isWarp(i.Args[2]):
		return isUniform // one lane's value
	case strings.HasPrefix(name, "heddle.shuffle.") && a.shapeOf(i.Args[0]).kind == uniform:
		return isUniform // whichever lane's
	case strings.HasPrefix(name, "heddle.shuffle."), isElementwise(name):
		for _, x := range i.Args {
			if s := a.shapeOf(x); s.kind != uniform && s.kind != unknown {
				return isVarying
			}
		}
		return isUniform
	}
	return isVarying
}

// places is the shape of coordinates that exceed lane 0's, a multiple of align, by what at says.
func (a *analysis) places(at func(l int) int, align int64) shape {
	offs := make([]int64, a.lanes)
	for l := range offs {
		offs[l] = int64(at(l))
	}
	return a.patternOf(offs, align)
}

// isWarp reports whether v is the constant warp size.
func (a *analysis) isWarp(v ll.Value) bool {
	n := constant(v)
	return n != nil && *n == int64(a.warpSize)
}
