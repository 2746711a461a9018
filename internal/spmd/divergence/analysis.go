package divergence

import (
	"slices"
	"strings"

	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// An Analysis is what is known of one function in one variant: the shapes of
// its values and where its lanes part.
type Analysis struct {
	*CFG
	Lanes    int
	WarpSize int
	// Rows: the gang is complete and lies along x, so that thread.x is linear and
	// the other axes are uniform.
	Rows bool
	// Tile: it consists of so many rows of tileRow threads, beginning with x = 0.
	Tile     int
	params   map[*ll.Param]Shape
	Shapes   map[*ll.Inst]Shape
	Private  map[*ll.Inst]*privateVar
	patterns map[string][]int64 // by their names
	// Meets marks blocks where lanes come together by different ways.
	Meets []bool
	// Parted holds the conditional branches at which lanes go different ways.
	Parted map[*ll.Block]bool
}

// Analyse finds the shapes of f's values. Parameters have the given shapes.
func Analyse(f *ll.Func, lanes, warpSize int, rows bool, tile int, params map[*ll.Param]Shape) *Analysis {
	a := &Analysis{CFG: NewCFG(f), Lanes: lanes, WarpSize: warpSize, Rows: rows, Tile: tile, params: params,
		Shapes: map[*ll.Inst]Shape{}, Private: map[*ll.Inst]*privateVar{},
		Meets: make([]bool, len(f.Blocks)), Parted: map[*ll.Block]bool{}}
	a.findPrivate()
	for a.grow() || a.begin() {
	}
	return a
}

// grow computes each shape once more, and reports whether any has changed.
func (a *Analysis) grow() (changed bool) {
	for _, b := range a.Order {
		for _, i := range b.Insts {
			if old := a.Shapes[i]; old != IsVarying && i.Typ.Kind != ll.Void {
				s := old.join(a.compute(i))
				if s.Constant() { // alignment may only fall
					s.Align = max(1, s.Align)
				}
				if s != old {
					a.Shapes[i], changed = s, true
				}
			}
		}
		if !a.Parted[b] && a.parts(b) {
			a.part(b)
			changed = true
		}
	}
	return changed
}

// begin begins with a variable of a loop whose first value is undefined, and whose others all depend on it: they have waited
// for each other. What is undefined may be the same in all lanes.
func (a *Analysis) begin() bool {
	for _, b := range a.Order {
		for _, i := range b.Insts {
			if i.Op == "phi" && a.Shapes[i].Kind == Unknown {
				a.Shapes[i] = IsUniform
				return true
			}
		}
	}
	return false
}

// IsCheck reports whether a conditional branch leads to a dead end on one side:
// a check that ends the launch if any lane fails it, and parts no lanes.
//
//go:noinline
func (c *CFG) IsCheck(b *ll.Block) (dead int, ok bool) {
	t := b.Term()
	if len(t.Args) == 0 || t.Op != "br" || c.Dead[b.Index] {
		return 0, false
	}
	for i, s := range t.Blocks {
		if c.Dead[s.Index] && !c.Dead[t.Blocks[1-i].Index] {
			return i, true
		}
	}
	return 0, false
}

// parts reports whether lanes may go different ways at the end of b. In dead
// ends they do not: one lane's way is enough to end the launch.
func (a *Analysis) parts(b *ll.Block) bool {
	t := b.Term()
	if t.Op != "br" || len(t.Args) == 0 || t.Blocks[0] == t.Blocks[1] || a.Dead[b.Index] {
		return false
	}
	if _, ok := a.IsCheck(b); ok {
		return false
	}
	s := a.ShapeOf(t.Args[0])
	return s.Kind != Uniform && s.Kind != Unknown
}

// part notes what follows from lanes parting at the end of b: they meet again
// at the blocks that different ways lead to, up to the one that all of them come
// to in this iteration of the loop around. If there is none, they leave the loop
// at different times, and part once more by its exits in the loop around that.
func (a *Analysis) part(b *ll.Block) {
	a.Parted[b] = true
	l := a.Loops[b.Index]
	ways := b.Succs()
	if l != nil {
		ways = slices.DeleteFunc(slices.Clone(ways), func(s *ll.Block) bool { return s == l.Header })
	}
	end := a.ipdom(l, b)
	for {
		a.spread(ways, l, end, a.Dead[b.Index])
		if l == nil || end != nil {
			return
		}
		l.Divergent = true
		ways = l.Exits()
		for _, s := range ways {
			if len(s.Preds) > 1 { // whoever leaves early waits where the others come
				a.Meets[s.Index] = true
			}
		}
		inner := l
		l = l.Parent
		for end = a.ipdom(l, b); end != nil && inner.Has(end); {
			end = a.ipdom(l, end)
		}
	}
}

// spread marks the blocks of a loop (nil: of the function) where lanes meet that
// take different ways, up to the block end. Each block has the way by which all
// its lanes come: a block where ways meet begins one of its own. (This is how
// LLVM's SyncDependenceAnalysis finds joins.)
func (a *Analysis) spread(ways []*ll.Block, l *Loop, end *ll.Block, dead bool) {
	way := map[*ll.Block]*ll.Block{}
	var work []*ll.Block // in layout order, which is topological
	come := func(s, by *ll.Block) {
		if !l.Has(s) || a.Dead[s.Index] && !dead {
			return
		}
		switch old := way[s]; {
		case old == nil:
			way[s] = by
			at, _ := slices.BinarySearchFunc(work, s, func(x, y *ll.Block) int { return a.Place[y.Index] - a.Place[x.Index] })
			work = append(work, s) // the next one is the last
			copy(work[at+1:], work[at:])
			work[at] = s
		case old != by:
			way[s] = s
			a.Meets[s.Index] = true
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
			if !a.IsBack(b, s) {
				come(s, way[b])
			}
		}
	}
}

// A privateVar is an alloca: memory that each lane has of its own.
type privateVar struct {
	Size, Align int
	// Grain is not 0 if all accesses are of that many bytes at multiples of it:
	// then the lanes' grains lie side by side, and a uniform index gives
	// consecutive addresses. Otherwise one lane's whole variable follows another's.
	Grain int
}

func (p *privateVar) shape() Shape {
	if p.Grain > 0 {
		return linearBy(int64(p.Grain), 1)
	}
	return linearBy(int64(p.Size), 1)
}

func (a *Analysis) findPrivate() {
	for _, b := range a.Order {
		for _, i := range b.Insts {
			if i.Op == "alloca" {
				align := max(i.Align, i.Elem.Align())
				p := &privateVar{Align: align, Size: (i.Elem.Size() + align - 1) / align * align}
				if a.Lanes > 1 {
					p.Grain = a.grainOf(i)
				}
				a.Private[i] = p
			}
		}
	}
}

// Users are the instructions that use a value.
func (c *CFG) Users(v ll.Value) []*ll.Inst {
	if c.uses == nil {
		c.uses = map[ll.Value][]*ll.Inst{}
		for _, b := range c.Order {
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
func (a *Analysis) grainOf(root *ll.Inst) int {
	grain := 0
	var copied []int64 // bytes
	work := []*ll.Inst{root}
	var addresses []*ll.Inst
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		for _, u := range a.Users(p) {
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
				if n := CopiedBytes(u); n > 0 {
					copied = append(copied, n)
					continue
				}
				if strings.HasPrefix(u.Callee, "llvm.memset.") && p == root {
					if n := Constant(u.Args[2]); n != nil && int(*n) == root.Elem.Size() && *n%8 == 0 {
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
		for _, t := range GepTerms(g) {
			if t.Offset%int64(grain) != 0 {
				return 0
			}
		}
	}
	return grain
}

// CopiedBytes is how many bytes a memcpy of constant size copies, 0 for other calls.
func CopiedBytes(i *ll.Inst) int64 {
	if !strings.HasPrefix(i.Callee, "llvm.memcpy.") {
		return 0
	}
	if n := Constant(i.Args[2]); n != nil && *n > 0 {
		return *n
	}
	return 0
}

// GrainAt is the grain of the private array that an address is in, 0 if there is none.
func (a *Analysis) GrainAt(p ll.Value) int {
	if i, ok := rootOf(p).(*ll.Inst); ok && i.Op == "alloca" {
		return a.Private[i].Grain
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

// Scale is what offsets from a pointer are multiplied by: the lanes that share
// a private array whose grains lie side by side.
//
//go:noinline
func (a *Analysis) Scale(v ll.Value) int64 {
	if i, ok := rootOf(v).(*ll.Inst); ok && i.Op == "alloca" {
		if p := a.Private[i]; p != nil && p.Grain > 0 {
			return int64(a.Lanes)
		}
	}
	return 1
}

// IsShared reports whether a pointer is into the block's shared memory, which
// only this thread of the host touches.
//
//go:noinline
func IsShared(v ll.Value) bool {
	i, ok := rootOf(v).(*ll.Inst)
	return ok && i.Op == "call" && ops.Of(i.Callee).Shared()
}

func (a *Analysis) callShape(i *ll.Inst) Shape {
	switch name := i.Callee; {
	case name == "heddle.thread.x":
		if a.Tile > 0 {
			return a.places(func(l int) int { return l % TileRow }, 1<<30)
		}
		if a.Rows {
			return linearBy(1, int64(a.Lanes)) // rows begin at multiples of the gang
		}
		return IsVarying
	case name == "heddle.thread.y" && a.Tile > 0:
		return a.places(func(l int) int { return l / TileRow }, int64(a.Tile))
	case name == "heddle.thread.y", name == "heddle.thread.z":
		if a.Rows {
			return IsUniform
		}
		return IsVarying
	case name == "heddle.lane":
		switch {
		case a.Lanes > a.WarpSize && a.Rows: // gangs begin with a warp
			return a.places(func(l int) int { return l % a.WarpSize }, 1<<30)
		case a.Lanes > a.WarpSize:
			return IsVarying
		}
		return linearBy(1, int64(a.Lanes))
	case name == "heddle.warp" && a.Lanes > a.WarpSize && a.Rows: // a gang of several warps
		return a.places(func(l int) int { return l / a.WarpSize }, int64(a.Lanes/a.WarpSize))
	case name == "heddle.warp" && a.Lanes > a.WarpSize:
		return IsVarying
	case name == "heddle.shared":
		return Shape{Kind: Uniform, Align: min(64, alignOf(Constant(i.Args[0])))} // see abi.NativeWorker
	case name == "heddle.dynamic":
		return Shape{Kind: Uniform, Align: 16}
	case ops.Of(name).Result > ops.Thread, name == "llvm.readcyclecounter":
		return IsUniform
	case name == "heddle.shuffle.idx" && a.Lanes <= a.WarpSize && a.ShapeOf(i.Args[1]).Kind == Uniform && a.isWarp(i.Args[2]):
		return IsUniform // one lane's value
	case strings.HasPrefix(name, "heddle.shuffle.") && a.ShapeOf(i.Args[0]).Kind == Uniform:
		return IsUniform // whichever lane's
	case strings.HasPrefix(name, "heddle.shuffle."), IsElementwise(name):
		for _, x := range i.Args {
			if s := a.ShapeOf(x); s.Kind != Uniform && s.Kind != Unknown {
				return IsVarying
			}
		}
		return IsUniform
	}
	return IsVarying
}

// places is the shape of coordinates that exceed lane 0's, a multiple of align, by what at says.
func (a *Analysis) places(at func(l int) int, align int64) Shape {
	offs := make([]int64, a.Lanes)
	for l := range offs {
		offs[l] = int64(at(l))
	}
	return a.patternOf(offs, align)
}

// isWarp reports whether v is the constant warp size.
func (a *Analysis) isWarp(v ll.Value) bool {
	n := Constant(v)
	return n != nil && *n == int64(a.WarpSize)
}
