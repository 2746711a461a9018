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

// Merge sets the items to the elements d to d+len(items)-1 of the merge of two sorted runs of mem: na elements from mem[a] on, and nb from
// mem[b] on (CUB's SerialMerge, after the search of [MergePath]). Items past the end of both stay as they are. 0 <= d <= na+nb; mem has fewer than 2^31 elements.
func Merge[T any, A warp.Items[T]](items *A, mem []T, a, na, b, nb, d int, less func(a, b T) bool) {
	p, last := memory(mem, max(a+na, b+nb, 1)), int32(len(mem)-1)
	low, high := int32(max(0, d-nb)), int32(min(d, na))
	i, j := int32(a), int32(b+d)
	for low < high {
		mid := int32(uint32(low+high) / 2)
		if less(*at(p, int(j-1-mid)), *at(p, int(i+mid))) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	i, j = i+low, j-low
	endA, endB, left := int32(a+na), int32(b+nb), int32(na+nb-d)
	x, y := *at(p, int(min(i, last))), *at(p, int(min(j, last)))
	var got A
	for k := 0; k < len(got); k++ {
		// One load for either side, and no branch: what it reads past a run's end is not used.
		ofB := i >= endA || j < endB && less(y, x)
		v, next := x, i+1
		if ofB {
			v, next = y, j+1
		}
		got[k] = v
		v = *at(p, int(min(next, last)))
		if ofB {
			j, y = next, v
		} else {
			i, x = next, v
		}
	}
	if left >= int32(len(got)) {
		*items = got
		return
	}
	for k := 0; k < len(got); k++ {
		if int32(k) < left {
			(*items)[k] = got[k]
		}
	}
}

// sortOwn sorts the first n of a thread's items, by exchanges of neighbours: even ones and odd ones by turns (StableOddEvenSort of CUB).
func sortOwn[T any, A warp.Items[T]](items *A, n int, less func(a, b T) bool) {
	if n >= len(*items) {
		for round := 0; round < len(*items); round += 2 {
			for i := 0; i+1 < len(*items); i += 2 {
				order(items, i, less)
			}
			for i := 1; i+1 < len(*items); i += 2 {
				order(items, i, less)
			}
		}
		return
	}
	for round := 0; round < n; round += 2 {
		for i := 0; i+1 < len(*items); i += 2 {
			if i+1 < n {
				order(items, i, less)
			}
		}
		for i := 1; i+1 < len(*items); i += 2 {
			if i+1 < n {
				order(items, i, less)
			}
		}
	}
}

// order exchanges items i and i+1 if the second is the lesser.
func order[T any, A warp.Items[T]](items *A, i int, less func(a, b T) bool) {
	if less((*items)[i+1], (*items)[i]) {
		(*items)[i], (*items)[i+1] = (*items)[i+1], (*items)[i]
	}
}

// MergeSort sorts the first n of the block's items, blocked, by less; it is stable (hipcub::BlockMergeSort). What is from n on stays
// there. tmp has threads*len(items) elements.
func MergeSort[T any, A warp.Items[T]](items *A, n int, less func(a, b T) bool, tmp []T) {
	t, threads := dsl.ThreadIdx().X, dsl.BlockDim().X
	n = min(n, threads*len(*items))
	own := n - t*len(*items) // of the thread's items are to be sorted
	sortOwn(items, own, less)
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
		if own > 0 {
			Merge(items, tmp, start, middle-start, middle, end-middle, (t-head)*len(*items), less)
		}
		dsl.SyncThreads()
	}
}
