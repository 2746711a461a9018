package block

import (
	"heddle/dsl"
	"heddle/prim/warp"
)

// MergePath returns how many of the first d elements of the merge of two sorted runs come from the first run, of na and nb
// elements a(i) and b(i). Of equal elements those of the first run come first (Green, McColl and Bader,
// "GPU merge path", 2012). 0 <= d <= na+nb.
func MergePath[T any](na, nb, d int, a, b func(i int) T, less func(a, b T) bool) int {
	low, high := max(0, d-nb), min(d, na)
	for low < high {
		mid := int(uint(low+high) / 2)
		if less(b(d-1-mid), a(mid)) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// Merge sets the items to the elements of a merge from its element i+j on, of which i are of a and j of b: see [MergePath].
// Items past the end of both stay as they are.
func Merge[T any, A warp.Items[T]](items *A, i, na, j, nb int, a, b func(i int) T, less func(a, b T) bool) {
	var x, y T
	if i < na {
		x = a(i)
	}
	if j < nb {
		y = b(j)
	}
	for k := 0; k < len(*items); k++ {
		switch {
		case i < na && (j >= nb || !less(y, x)):
			(*items)[k] = x
			if i++; i < na {
				x = a(i)
			}
		case j < nb:
			(*items)[k] = y
			if j++; j < nb {
				y = b(j)
			}
		}
	}
}

// MergeSort sorts the first n of the block's items, blocked, by less; it is stable (hipcub::BlockMergeSort). What is from n on stays
// there. tmp has threads*len(items) elements.
func MergeSort[T any, A warp.Items[T]](items *A, n int, less func(a, b T) bool, tmp []T) {
	t, threads := dsl.ThreadIdx().X, dsl.BlockDim().X
	own := n - t*len(*items) // of the thread's items are to be sorted
	for round := 0; round < len(*items); round++ {
		for i := round & 1; i+1 < len(*items); i += 2 {
			if i+1 < own && less((*items)[i+1], (*items)[i]) {
				(*items)[i], (*items)[i+1] = (*items)[i+1], (*items)[i]
			}
		}
	}
	p := memory(tmp, threads*len(*items))
	for width := 1; width < threads; width *= 2 {
		mine := at(p, t*len(*items))
		for i := 0; i < len(*items); i++ {
			*at(mine, i) = (*items)[i]
		}
		dsl.SyncThreads()
		head := t - t%(2*width)
		start := min(head*len(*items), n)
		middle := min(start+width*len(*items), n)
		end := min(middle+width*len(*items), n)
		d := min((t-head)*len(*items), end-start)
		a := func(i int) T { return *at(p, start+i) }
		b := func(i int) T { return *at(p, middle+i) }
		i := MergePath(middle-start, end-middle, d, a, b, less)
		if own > 0 {
			Merge(items, i, middle-start, d-i, end-middle, a, b, less)
		}
		dsl.SyncThreads()
	}
}
