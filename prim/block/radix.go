package block

import (
	"math/bits"

	"heddle/dsl"
	"heddle/prim/warp"
)

// RadixBits is how many bits of a key [RadixSort] sorts by at a time.
const RadixBits = 8

// RankBits is how many bits of what [CountDigits] finds are a rank; those above are the digit.
const RankBits = 16

// RadixCounts is how many numbers of shared memory a ranking needs in a block of so many threads: two for
// each digit and warp, at least.
func RadixCounts(threads int) int { return 2 * (threads / 32 << RadixBits) }

// digitsEach is how many of the digits a thread of the block looks after.
func digitsEach(threads int) int { return max(1, (1<<RadixBits+threads-1)/threads) }

// CountDigits sets ranks[i] to digit(i), shifted left by [RankBits], plus the number of digits equal to it that come before it in the warp. The
// arrangement is striped by warps: item i of lane l of warp w is element w*len(ranks)*WarpSize + i*WarpSize + l. counts, of
// RadixCounts(threads) elements, is then how often warp w has digit d: counts[w<<RadixBits+d]. threads is the block's size: see [ScanIn].
func CountDigits[R warp.Items[uint32]](threads int, digit func(i int) uint32, ranks *R, counts []uint32) {
	all := memory(counts, RadixCounts(threads))
	for i := dsl.ThreadIdx().X; i < RadixCounts(threads); i += threads {
		*at(all, i) = 0
	}
	dsl.SyncThreads()
	own := at(all, dsl.WarpID()<<RadixBits)
	masks := at(all, threads/dsl.WarpSize()<<RadixBits+dsl.WarpID()<<RadixBits)
	lane := dsl.LaneID()
	//heddle:unroll
	for i := 0; i < len(*ranks); i++ {
		d := digit(i)
		p := at(own, int(d))
		if dsl.WarpSize() == 32 {
			// A word for each digit gathers the lanes that have it: fewer instructions than a vote for each bit, and faster although shared
			// memory is the busier (H100, 2^28 keys: 6.4 ms beside 6.9).
			m := at(masks, int(d))
			dsl.AtomicOr(m, 1<<lane)
			dsl.SyncWarp()
			peers := *m
			last := 31 - bits.LeadingZeros32(peers)
			first := uint32(0)
			if lane == last {
				first = dsl.AtomicAdd(p, uint32(bits.OnesCount32(peers)))
			}
			first = dsl.ShflSync(full, first, last) // by then all have read the mask
			if lane == last {
				*m = 0
			}
			dsl.SyncWarp()
			(*ranks)[i] = pinned(d<<RankBits + first + uint32(bits.OnesCount32(peers&(1<<lane-1))))
			continue
		}
		peers := warp.Peers(d, RadixBits)
		before := peers & (1<<lane - 1)
		first := *p
		dsl.SyncWarp()
		if before == 0 {
			*p = first + uint32(count(peers))
		}
		dsl.SyncWarp()
		(*ranks)[i] = d<<RankBits + first + uint32(count(before))
	}
	dsl.SyncThreads()
}

// pinned is v. On NVIDIA GPUs an assembler instruction has it computed here: LLVM moves what it can to where a result is used, and so keeps
// three registers of operands for each item where one would do for the result.
func pinned(v uint32) uint32 {
	if dsl.Arch().IsNVIDIA() {
		return dsl.AsmVolatile[uint32]("mov.b32 %0, %1;", "=r,r", v)
	}
	return v
}

// count is the number of lanes of a mask.
func count(mask uint64) int {
	if dsl.WarpSize() == 32 {
		return bits.OnesCount32(uint32(mask))
	}
	return bits.OnesCount64(mask)
}

// TotalDigits calls total(d, n) with how often the block has digit d, by the counts of [CountDigits], in one thread for each.
func TotalDigits(threads int, counts []uint32, total func(d int, n uint32)) {
	warps := threads / dsl.WarpSize()
	all := memory(counts, warps<<RadixBits)
	for k := range digitsEach(threads) {
		d := dsl.ThreadIdx().X*digitsEach(threads) + k
		if d < 1<<RadixBits {
			sum := uint32(0)
			for w := range warps {
				sum += *at(all, w<<RadixBits+d)
			}
			total(d, sum)
		}
	}
}

// StartDigits sets starts[d] to the place of the first digit d in the block's order, and counts[w<<RadixBits+d], of [CountDigits], to that of
// the first one of warp w. starts holds the totals of all digits before, 1<<RadixBits elements.
func StartDigits(threads int, starts, counts []uint32) {
	warps := threads / dsl.WarpSize()
	p, all := memory(starts, 1<<RadixBits), memory(counts, warps<<RadixBits)
	t, each := dsl.ThreadIdx().X, digitsEach(threads)
	sum := uint32(0)
	for k := range each {
		if d := t*each + k; d < 1<<RadixBits {
			sum += *at(p, d)
		}
	}
	before, _ := ScanIn(threads, sum, addUint32)
	place := uint32(0)
	if before.Any {
		place = before.Value
	}
	for k := range each {
		if d := t*each + k; d < 1<<RadixBits {
			*at(p, d) = place
			for w := range warps {
				of := at(all, w<<RadixBits+d)
				n := *of
				*of = place
				place += n
			}
		}
	}
	dsl.SyncThreads()
}

func addUint32(a, b uint32) uint32 { return a + b }

// RadixSort sorts the first n of the block's items by the bits first to last-1 of bits(item), ascending and stable, in the arrangement
// striped by warps (hipcub::BlockRadixSort): see [CountDigits]. tmp has threads*len(items) elements, counts
// RadixCounts(threads). What is from n on stays there.
func RadixSort[T any, A warp.Items[T], R warp.Items[uint32]](items *A, ranks *R, n, first, last int, bits func(v T) uint64, tmp []T, counts []uint32) {
	starts := dsl.Shared[[1 << RadixBits]uint32]()
	threads := dsl.BlockDim().X
	base := dsl.WarpID()*dsl.WarpSize()*len(*items) + dsl.LaneID()
	for low := first; low < last; low += RadixBits {
		mask := uint32(1)<<min(RadixBits, last-low) - 1
		digit := func(i int) uint32 {
			if base+i*dsl.WarpSize() < n {
				return uint32(bits((*items)[i])>>low) & mask
			}
			return 1<<RadixBits - 1
		}
		CountDigits(threads, digit, ranks, counts)
		TotalDigits(threads, counts, func(d int, n uint32) { starts[d] = n })
		dsl.SyncThreads()
		StartDigits(threads, starts[:], counts)
		for i := 0; i < len(*items); i++ {
			rank := (*ranks)[i]
			d := int(rank >> RankBits)
			tmp[counts[dsl.WarpID()<<RadixBits+d]+rank&(1<<RankBits-1)] = (*items)[i]
		}
		dsl.SyncThreads()
		for i := 0; i < len(*items); i++ {
			(*items)[i] = tmp[base+i*dsl.WarpSize()]
		}
		dsl.SyncThreads()
	}
}
