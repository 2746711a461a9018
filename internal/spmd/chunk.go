package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file accesses memory whose addresses form a pattern or have a stride: in
// chunks, which are vectors of consecutive elements, and by shuffles between
// chunks and lanes.

// strip is stripped as text, for an address that is not varying: that of lane 0 is
// the text plus c bytes.
func (e *emitter) strip(p ll.Value) (text string, c int64) {
	root, terms, c := e.Stripped(p)
	text = e.get(root)
	for _, t := range terms {
		text = e.let("getelementptr i8, ptr %s, i64 %s", text, e.let("mul i64 %s, %d", e.get(t.Index), t.Offset))
	}
	return text, c
}

// A grid is chunks of memory that the lanes' elements lie in.
type grid struct {
	elem   *ll.Type
	size   int64    // bytes of an element
	width  int      // elements of a chunk
	base   string   // address
	starts []int64  // of the chunks, in bytes from base
	align  int      // of the chunks
	at     [][2]int // chunk and place in it, of each lane
}

// grid finds the chunks of a pattern. It is nil where there would be too many, or they would
// reach beyond what the lanes access, where that may be no memory.
func (e *emitter) grid(t *ll.Type, p place, align int, loading bool) *grid {
	if p.ptr == nil || !e.ShapeOf(p.ptr).Constant() || t.Kind != ll.Int && t.Kind != ll.Float || t.Size()&(t.Size()-1) != 0 {
		return nil
	}
	g := &grid{elem: t, size: int64(t.Size()), align: align}
	g.width = min(registersOf(e.o.ISA).bytes/t.Size(), e.n)
	offs := e.Offsets(e.ShapeOf(p.ptr))
	low, high := slices.Min(offs), slices.Max(offs)
	for _, n := range offs {
		if (n-low)%g.size != 0 {
			return nil
		}
	}
	bytes := int64(g.width) * g.size
	if high-low > 4*int64(e.n)*g.size {
		return nil
	}
	var c int64
	m, r := e.Congruence(p.ptr, 8)
	g.base, c = e.strip(p.ptr)
	shift := c + int64(p.off)
	low, high = low+shift, high+shift
	switch r += int64(p.off); {
	case p.shared && m >= bytes && r%g.size == 0: // it begins with a multiple of bytes and ends with room for a chunk
		g.align = int(bytes)
		first := low - (r+low-shift)&(bytes-1)
		for at := first; at <= high; at += bytes {
			g.starts = append(g.starts, at)
		}
	case high-low+g.size < bytes:
		return nil
	default:
		if e.ShapeOf(p.ptr).Kind == divergence.Linear && p.off == 0 && loading {
			from, to := e.loaded(p.ptr, t)
			low, high = low+from, high+to
		}
		for at := low; at+bytes <= high+g.size; at += bytes {
			g.starts = append(g.starts, at)
		}
		if last := high + g.size - bytes; last != g.starts[len(g.starts)-1] {
			g.starts = append(g.starts, last)
		}
	}
	for _, n := range offs {
		k := len(g.starts) - 1
		for g.starts[k] > n+shift {
			k--
		}
		g.at = append(g.at, [2]int{k, int((n + shift - g.starts[k]) / g.size)})
	}
	return g
}

//go:noinline
func (g *grid) vec() string { return fmt.Sprintf("<%d x %s>", g.width, g.elem.Text) }

//go:noinline
func (e *emitter) chunkAddress(g *grid, k int) string {
	return e.let("getelementptr i8, ptr %s, i64 %d", g.base, g.starts[k])
}

func (e *emitter) loadChunk(g *grid, k int) string {
	return e.let("load %s, ptr %s, align %d", g.vec(), e.chunkAddress(g, k), g.align)
}

// maxSources is from how many chunks a vector is put together: more are gathered.
const maxSources = 4

// sources are the vectors, by their number, that elements are wanted from.
//
//go:noinline
func sourcesOf(want [][2]int) []int {
	var out []int
	for _, w := range want {
		if w[0] >= 0 && !slices.Contains(out, w[0]) {
			out = append(out, w[0])
		}
	}
	return out
}

// assemble makes a vector of elements of others: want has, for each, the source's
// number and the place in it, or a negative number for none.
func (e *emitter) assemble(vec string, want [][2]int, source func(k int) string) string {
	list := sourcesOf(want)
	if len(list) == 0 {
		return "poison"
	}
	acc := source(list[0])
	shuffle := func(other string, index func(n int, w [2]int) int) {
		var b strings.Builder
		for n, w := range want {
			if k := index(n, w); k < 0 {
				b.WriteString(", i32 undef")
			} else {
				fmt.Fprintf(&b, ", i32 %d", k)
			}
		}
		acc = e.let("shufflevector %s %s, %s %s, <%d x i32> <%s>", vec, acc, vec, other, len(want), b.String()[2:])
	}
	if len(list) == 1 {
		shuffle("poison", func(_ int, w [2]int) int { return pick(w[0] >= 0, w[1], -1) })
		return acc
	}
	done := map[int]bool{}
	for j, k := range list[1:] {
		shuffle(source(k), func(n int, w [2]int) int {
			switch {
			case w[0] == k:
				return len(want) + w[1]
			case j == 0 && w[0] == list[0]:
				return w[1]
			case j > 0 && (done[w[0]] || w[0] == list[0]):
				return n
			}
			return -1
		})
		done[k] = true
	}
	return acc
}

func pick[T any](cond bool, x, y T) T {
	if cond {
		return x
	}
	return y
}

// laneNumbers is the vector first, first+1, ... for a shuffle.
func laneNumbers(first, n int) string {
	var b strings.Builder
	for l := range n {
		fmt.Fprintf(&b, ", i32 %d", first+l)
	}
	return "<" + b.String()[2:] + ">"
}

// concat joins vectors of equal widths.
func (e *emitter) concat(elem string, width int, parts []string) string {
	for len(parts) > 1 {
		var next []string
		for n := 0; n < len(parts); n += 2 {
			v := fmt.Sprintf("<%d x %s>", width, elem)
			next = append(next, e.let("shufflevector %s %s, %s %s, <%d x i32> %s", v, parts[n], v, parts[n+1], 2*width, laneNumbers(0, 2*width)))
		}
		parts, width = next, 2*width
	}
	return parts[0]
}

// loadChunks reads what all lanes access, or returns "" where a gather is better.
func (e *emitter) loadChunks(t *ll.Type, p place, align int) string {
	g := e.grid(t, p, align, true)
	if g == nil {
		return ""
	}
	for n := 0; n < e.n; n += g.width {
		if len(sourcesOf(g.at[n:n+g.width])) > maxSources {
			return ""
		}
	}
	loaded := map[int]string{}
	chunk := func(k int) string {
		if loaded[k] == "" {
			loaded[k] = e.loadChunk(g, k)
		}
		return loaded[k]
	}
	var parts []string
	for n := 0; n < e.n; n += g.width {
		parts = append(parts, e.assemble(g.vec(), g.at[n:n+g.width], chunk))
	}
	return e.concat(t.Text, g.width, parts)
}

// storeChunks writes x for the lanes of mask, and reports whether it could. What lies between
// is written with what it held, in shared memory only, which nobody else touches meanwhile.
func (e *emitter) storeChunks(t *ll.Type, x string, p place, align int, mask string) bool {
	full := e.isFull(mask)
	if p.ptr == nil || !full && !(p.shared && e.allAccess(p.ptr)) {
		return false
	}
	g := e.grid(t, p, align, false)
	if g == nil {
		return false
	}
	wants := make([][][2]int, len(g.starts)) // of each chunk: which part of x, and place in it
	for k, start := range g.starts {
		wants[k] = make([][2]int, g.width)
		for n := range wants[k] {
			at := start + int64(n)*g.size
			wants[k][n] = [2]int{-1, n}
			for l, in := range g.at {
				if g.starts[in[0]]+int64(in[1])*g.size == at {
					if wants[k][n][0] >= 0 {
						return false // two lanes, one element
					}
					wants[k][n] = [2]int{l / g.width, l % g.width}
				}
			}
		}
		holes := slices.ContainsFunc(wants[k], func(w [2]int) bool { return w[0] < 0 })
		if holes && !p.shared || len(sourcesOf(wants[k])) > maxSources {
			return false
		}
	}
	v := e.vec(t)
	if !full {
		old := e.loadChunks(t, p, align)
		if old == "" {
			return false
		}
		x = e.let("select %s %s, %s %s, %s %s", e.maskType(), mask, v, x, v, old)
	}
	const old = 1 << 20 // the number of a chunk's old contents
	for k, want := range wants {
		for n := range want {
			if want[n][0] < 0 {
				want[n] = [2]int{old, n}
			}
		}
		y := e.assemble(g.vec(), want, func(s int) string {
			if s == old {
				return e.loadChunk(g, k)
			}
			return e.part(t, x, s, g.width)
		})
		e.line("store %s %s, ptr %s, align %d", g.vec(), y, e.chunkAddress(g, k), g.align)
	}
	return true
}

// part is the k-th width lanes of x.
func (e *emitter) part(t *ll.Type, x string, k, width int) string {
	if width == e.n {
		return x
	}
	return e.let("shufflevector %s %s, %s poison, <%d x i32> %s", e.vec(t), x, e.vec(t), width, laneNumbers(k*width, width))
}

// allAccess reports whether all lanes have accessed memory by p before.
func (e *emitter) allAccess(p ll.Value) bool {
	if !e.isFull(e.entryMask) {
		return false
	}
	return slices.ContainsFunc(e.Users(p), func(u *ll.Inst) bool {
		at := slices.Index(u.Args, p)
		return (u.Op == "load" || u.Op == "store" && at == 1 && u.Args[0] != p) && u.Block != e.block &&
			e.Dominates(u.Block, e.block) && e.maskRoot(u.Block) == e.Order[0]
	})
}
