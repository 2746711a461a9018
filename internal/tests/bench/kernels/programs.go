package kernels

import (
	"heddle/dsl"
)

const PathThreads = 256 // of a block of Pathfinder

// Pathfinder goes rows down a grid of costs: the cheapest way to each column (Rodinia).
//
//heddle:noalias
func Pathfinder(rows, border, cols, start int, wall, src, result []int32) {
	prev, next := dsl.Shared[[PathThreads]int32](), dsl.Shared[[PathThreads]int32]()
	tx := dsl.ThreadIdx().X
	small := PathThreads - rows*2
	first := small*dsl.BlockIdx().X - border
	last := first + PathThreads - 1
	x := first + tx
	validMin, validMax := 0, PathThreads-1
	if first < 0 {
		validMin = -first
	}
	if last > cols-1 {
		validMax = PathThreads - 1 - (last - cols + 1)
	}
	w, e := max(tx-1, validMin), min(tx+1, validMax)
	valid := tx >= validMin && tx <= validMax
	if x >= 0 && x < cols {
		prev[tx] = src[x]
	}
	dsl.SyncThreads()
	computed := false
	for i := range rows {
		computed = false
		if tx >= i+1 && tx <= PathThreads-i-2 && valid {
			computed = true
			shortest := min(prev[w], prev[tx], prev[e])
			next[tx] = shortest + wall[cols*(start+i)+x]
		}
		dsl.SyncThreads()
		if i == rows-1 {
			break
		}
		if computed {
			prev[tx] = next[tx]
		}
		dsl.SyncThreads()
	}
	if computed {
		result[x] = next[tx]
	}
}

const NeedleTile = 16

// Needle scores the tiles of one anti-diagonal of a batch of alignments, a tile a block
// (Rodinia's needleman-wunsch).
//
//heddle:noalias
func Needle(cols, tiles int, penalty int32, items, reference []int32) {
	score := dsl.Shared[[NeedleTile + 1][NeedleTile + 1]int32]()
	ref := dsl.Shared[[NeedleTile][NeedleTile]int32]()
	bx, tx := dsl.BlockIdx().X, dsl.ThreadIdx().X
	by := tiles - 1 - bx
	base := dsl.BlockIdx().Y*cols*cols + cols*NeedleTile*by + NeedleTile*bx
	index := base + tx + cols + 1
	if tx == 0 {
		score[0][0] = items[base]
	}
	for ty := range NeedleTile {
		ref[ty][tx] = reference[index+cols*ty]
	}
	score[tx+1][0] = items[base+cols+cols*tx]
	score[0][tx+1] = items[base+tx+1]
	dsl.SyncThreads()
	for m := range NeedleTile {
		if tx <= m {
			x, y := tx+1, m-tx+1
			score[y][x] = max(score[y-1][x-1]+ref[y-1][x-1], score[y][x-1]-penalty, score[y-1][x]-penalty)
		}
		dsl.SyncThreads()
	}
	for m := NeedleTile - 2; m >= 0; m-- {
		if tx <= m {
			x, y := tx+NeedleTile-m, NeedleTile-tx
			score[y][x] = max(score[y-1][x-1]+ref[y-1][x-1], score[y][x-1]-penalty, score[y-1][x]-penalty)
		}
		dsl.SyncThreads()
	}
	for ty := range NeedleTile {
		items[index+cols*ty] = score[ty+1][tx+1]
	}
}

const LudTile = 16

// LudPerimeter solves the tiles right of and below the diagonal tile at offset, of a batch of
// n by n matrices (Rodinia's lud).
func LudPerimeter(n, offset int, m []float32) {
	dia := dsl.Shared[[LudTile][LudTile]float32]()
	row := dsl.Shared[[LudTile][LudTile]float32]()
	col := dsl.Shared[[LudTile][LudTile]float32]()
	bx, tx := dsl.BlockIdx().X, dsl.ThreadIdx().X
	base := dsl.BlockIdx().Y * n * n
	if tx < LudTile {
		at := base + offset*n + offset
		for i := range LudTile / 2 {
			dia[i][tx] = m[at+tx]
			at += n
		}
		at = base + offset*n + offset
		for i := range LudTile {
			row[i][tx] = m[at+(bx+1)*LudTile+tx]
			at += n
		}
	} else {
		k := tx - LudTile
		at := base + (offset+LudTile/2)*n + offset
		for i := LudTile / 2; i < LudTile; i++ {
			dia[i][k] = m[at+k]
			at += n
		}
		at = base + (offset+(bx+1)*LudTile)*n + offset
		for i := range LudTile {
			col[i][k] = m[at+k]
			at += n
		}
	}
	dsl.SyncThreads()
	if tx < LudTile {
		for i := 1; i < LudTile; i++ {
			for j := 0; j < i; j++ {
				row[i][tx] -= dia[i][j] * row[j][tx]
			}
		}
	} else {
		k := tx - LudTile
		for i := range LudTile {
			for j := range i {
				col[k][i] -= col[k][j] * dia[j][i]
			}
			col[k][i] /= dia[i][i]
		}
	}
	dsl.SyncThreads()
	if tx < LudTile {
		at := base + (offset+1)*n + offset
		for i := 1; i < LudTile; i++ {
			m[at+(bx+1)*LudTile+tx] = row[i][tx]
			at += n
		}
	} else {
		k := tx - LudTile
		at := base + (offset+(bx+1)*LudTile)*n + offset
		for i := range LudTile {
			m[at+k] = col[i][k]
			at += n
		}
	}
}

// FloydWarshall is pass k over the distances of all pairs of n nodes (HeCBench).
func FloydWarshall(n, k int, distance, path []int32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	old := distance[y*n+x]
	through := distance[y*n+k] + distance[k*n+x]
	if through < old {
		distance[y*n+x] = through
		path[y*n+x] = int32(k)
	}
}

// KMeans finds the nearest cluster of each point (Rodinia).
//
//heddle:noalias
func KMeans(points, features, clusters int, feature, center []float32, membership []int32) {
	p := dsl.GlobalIdx().X
	if p >= points {
		return
	}
	index := int32(0)
	least := float32(3.40282347e+38)
	for c := range clusters {
		var sum float32
		for f := range features {
			d := feature[f*points+p] - center[c*features+f]
			sum += d * d
		}
		if sum < least {
			least = sum
			index = int32(c)
		}
	}
	membership[p] = index
}

// A Node of a tree has keys and what lies behind them: nodes, or records in a leaf.
type Node struct {
	Location int32
	Indices  [TreeOrder + 1]int32
	Keys     [TreeOrder + 1]int32
	IsLeaf   bool
	NumKeys  int32
}

const TreeOrder = 256 // of a node, and threads of a block

// TreeFind looks up one key a block in a B+ tree, a thread for each key of a node (Rodinia).
func TreeFind(height int, nodes []Node, records []int32, current, offset, keys, answers []int32) {
	t, b := dsl.ThreadIdx().X, dsl.BlockIdx().X
	for range height {
		if nodes[current[b]].Keys[t] <= keys[b] && nodes[current[b]].Keys[t+1] > keys[b] {
			if int(nodes[offset[b]].Indices[t]) < len(nodes) {
				offset[b] = nodes[offset[b]].Indices[t]
			}
		}
		dsl.SyncThreads()
		if t == 0 {
			current[b] = offset[b]
		}
		dsl.SyncThreads()
	}
	if nodes[current[b]].Keys[t] == keys[b] {
		answers[b] = records[nodes[current[b]].Indices[t]]
	}
}

const MergeItems = 8 // of a thread

// Merge merges two sorted lists; each thread finds its part by a binary search of the path
// (merge path).
//
//heddle:noalias
func Merge(a, b, out []int32) {
	diagonal := dsl.GlobalIdx().X * MergeItems
	if diagonal >= len(out) {
		return
	}
	low, high := max(0, diagonal-len(b)), min(diagonal, len(a))
	for low < high {
		mid := (low + high) / 2
		if a[mid] <= b[diagonal-1-mid] {
			low = mid + 1
		} else {
			high = mid
		}
	}
	i, j := low, diagonal-low
	for k := diagonal; k < min(diagonal+MergeItems, len(out)); k++ {
		if j >= len(b) || i < len(a) && a[i] <= b[j] {
			out[k] = a[i]
			i++
		} else {
			out[k] = b[j]
			j++
		}
	}
}
