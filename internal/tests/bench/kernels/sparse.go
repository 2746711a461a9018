package kernels

import (
	"heddle/dsl"
)

// SpmvScalar is y = A*x for a matrix in rows of values and their columns, a thread for each
// row.
func SpmvScalar(rows, cols []int32, vals, x, y []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(y) {
		return
	}
	var sum float32
	for k := rows[i]; k < rows[i+1]; k++ {
		sum += vals[k] * x[cols[k]]
	}
	y[i] = sum
}

// SpmvVector is the same with a warp for each row.
func SpmvVector(rows, cols []int32, vals, x, y []float32) {
	lane, warp := dsl.LaneID(), dsl.WarpSize()
	for i := dsl.GlobalIdx().X / warp; i < len(y); i += dsl.GlobalSize().X / warp {
		var sum float32
		for k := int(rows[i]) + lane; k < int(rows[i+1]); k += warp {
			sum += vals[k] * x[cols[k]]
		}
		if sum = warpSum(sum); lane == 0 {
			y[i] = sum
		}
	}
}

// SpmvEll is y = A*x for a matrix of width values in every row, in float64. Value k of row i
// is vals[k*len(y)+i]; a column below 0 is none.
func SpmvEll(width int, cols []int32, vals, x, y []float64) {
	i := dsl.GlobalIdx().X
	n := len(y)
	if i >= n {
		return
	}
	var sum float64
	for k := range width {
		if c := cols[k*n+i]; c >= 0 {
			sum += vals[k*n+i] * x[c]
		}
	}
	y[i] = sum
}

// BfsLevel is a step of a breadth-first search: what the nodes of a level reach and no level
// has yet gets the next one. The edges of node v are edges[first[v]:first[v+1]].
func BfsLevel(level int32, first, edges, levels, next []int32) {
	v := dsl.GlobalIdx().X
	if v >= len(levels) || levels[v] != level {
		return
	}
	for e := first[v]; e < first[v+1]; e++ {
		if to := edges[e]; levels[to] < 0 {
			next[to] = level + 1 // whoever stores it stores the same
		}
	}
}

// FindRoots follows the parents of each node to the root, which is its own parent.
func FindRoots(parent, root []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(parent) {
		return
	}
	v := parent[i]
	for p := parent[v]; p != v; p = parent[v] {
		v = p
	}
	root[i] = v
}
