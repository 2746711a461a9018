package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// The kernels here are of graphs, sorts, scans, ciphers, hashes and transforms, written as Go
// programs have them.

// An Adjacency has the vertices that each vertex of a graph points to.
type Adjacency struct{ First, To []int32 }

// Of are the neighbors of a vertex.
func (a Adjacency) Of(v int32) []int32 { return a.To[a.First[v]:a.First[v+1]] }

// A Queue holds vertices. Threads append to it at the same time.
type Queue struct {
	Vertices []int32
	Tail     *uint32 // how many there are
}

// Push appends a vertex.
func (q Queue) Push(v int32) { q.Vertices[dsl.AtomicAdd(q.Tail, 1)] = v }

// Unreached is the distance of a vertex that the search has not come to.
const Unreached = -1

// FrontierExpand is a step of a breadth-first search: what the frontier points to and is not
// reached yet is the next one. A warp has a vertex.
//
//heddle:noalias
func FrontierExpand(g Adjacency, frontier []int32, depth int32, distance []int32, next Queue) {
	lane, warp := dsl.LaneID(), dsl.WarpSize()
	for i := dsl.GlobalIdx().X / warp; i < len(frontier); i += dsl.GlobalSize().X / warp {
		neighbors := g.Of(frontier[i])
		for k := lane; k < len(neighbors); k += warp {
			v := neighbors[k]
			if dsl.AtomicCAS(&distance[v], Unreached, depth+1) == Unreached {
				next.Push(v)
			}
		}
	}
}

// A ColorSet is a set of colors below 128.
type ColorSet [2]uint64

// Add puts a color in.
func (s *ColorSet) Add(c int32) { s[c/64] |= 1 << (c % 64) }

// Free is the lowest color that is not in the set, and -1 if it has all.
func (s *ColorSet) Free() int32 {
	for i, word := range s {
		if word != ^uint64(0) {
			return int32(64*i + bits.TrailingZeros64(^word))
		}
	}
	return -1
}

// A Turn says when a vertex may choose its color: before its neighbors of lower weight.
type Turn struct {
	weight uint32
	vertex int32
}

func turnOf(v int32, round uint32) Turn { return Turn{Hash(int(v), round), v} }

func (a Turn) before(b Turn) bool {
	if a.weight != b.weight {
		return a.weight > b.weight
	}
	return a.vertex > b.vertex
}

// choose is the color of a vertex whose turn it is, and -1 for another.
func (g Adjacency) choose(v int32, round uint32, colors []int32) int32 {
	own := turnOf(v, round)
	var taken ColorSet
	for _, u := range g.Of(v) {
		if c := colors[u]; c >= 0 {
			taken.Add(c)
		} else if turnOf(u, round).before(own) {
			return -1
		}
	}
	return taken.Free()
}

// ColorGraph is a round of a greedy coloring (Jones and Plassmann). A color of -1 is none yet.
//
//heddle:noalias
func ColorGraph(g Adjacency, round uint32, colors, next []int32) {
	v := dsl.GlobalIdx().X
	if v >= len(colors) {
		return
	}
	c := colors[v]
	if c < 0 {
		c = g.choose(int32(v), round, colors)
	}
	next[v] = c
}

// A Link joins two vertices.
type Link struct{ A, B int32 }

// Components are trees of vertices that are joined: each has its parent, a root itself.
type Components []int32

// Root is the root of a vertex's tree. On the way each vertex gets its grandparent as parent.
func (c Components) Root(v int32) int32 {
	parent := c[v]
	for parent != v {
		next := c[parent]
		if next == parent {
			break
		}
		c[v] = next
		v, parent = parent, next
	}
	return parent
}

// Join makes one tree of two. The lower root stays one.
func (c Components) Join(a, b int32) {
	a, b = c.Root(a), c.Root(b)
	for a != b {
		if a < b {
			a, b = b, a
		}
		old := dsl.AtomicCAS(&c[a], a, b)
		if old == a {
			return
		}
		a = c.Root(old) // another thread was faster
	}
}

// UnionFind finds the connected components of a graph, a thread a link (ECL-CC).
//
//heddle:noalias
func UnionFind(links []Link, parent []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(links) {
		return
	}
	Components(parent).Join(links[i].A, links[i].B)
}

const (
	PairThreads = 256 // of a block that sorts
	PairItems   = 4   // of each thread
	PairTile    = PairThreads * PairItems

	pairBits   = 4 // of a key, that a pass looks at
	pairDigits = 1 << pairBits
)

// sumBefore is the sum of v of the block's threads before this one.
func sumBefore(v int32, sums []int32) int32 {
	sum := warpScan(v)
	warp := dsl.WarpID()
	if dsl.LaneID() == dsl.WarpSize()-1 {
		sums[warp] = sum
	}
	dsl.SyncThreads()
	before := sum - v
	for _, s := range sums[:warp] {
		before += s
	}
	return before
}

// BlockSortPairs sorts each run of PairTile keys with their values, four bits a pass. Equal keys
// stay in order.
//
//heddle:noalias
func BlockSortPairs(keys, values, outKeys, outValues []uint32) {
	counts := dsl.Shared[[pairDigits][PairThreads]int32]()
	sums := dsl.Shared[[PairThreads / 32]int32]()
	keyTile, valueTile := dsl.Shared[[PairTile]uint32](), dsl.Shared[[PairTile]uint32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*PairTile
	n := min(len(keys)-base, PairTile)
	var key, value [PairItems]uint32
	for k := range key {
		key[k] = ^uint32(0) // past the end, which stays there
		if i := t*PairItems + k; i < n {
			key[k], value[k] = keys[base+i], values[base+i]
		}
	}
	for shift := 0; shift < 32; shift += pairBits {
		for d := range counts {
			counts[d][t] = 0
		}
		var rank [PairItems]int32 // among the thread's keys with the same digit
		for k, x := range key {
			own := &counts[x>>shift%pairDigits][t]
			rank[k] = *own
			*own++
		}
		dsl.SyncThreads()
		part := counts[t/pairDigits][t%pairDigits*pairDigits:][:pairDigits]
		var sum int32
		for _, c := range part {
			sum += c
		}
		before := sumBefore(sum, sums[:])
		for i, c := range part {
			part[i] = before
			before += c
		}
		dsl.SyncThreads()
		for k, x := range key {
			to := counts[x>>shift%pairDigits][t] + rank[k]
			keyTile[to], valueTile[to] = x, value[k]
		}
		dsl.SyncThreads()
		for k := range key {
			key[k], value[k] = keyTile[t*PairItems+k], valueTile[t*PairItems+k]
		}
	}
	for i := t; i < n; i += PairThreads {
		outKeys[base+i], outValues[base+i] = keyTile[i], valueTile[i]
	}
}
