package dsl

import "math/bits"

// MatchAny returns the mask of the active lanes whose v has the same bits as the caller's
// (HIP __match_any). Floats are compared by their bits, so that 0 differs from -0 and a
// NaN equals itself.
func MatchAny[T Number](v T) uint64 { return MatchAnySync(ActiveMask(), v) }

// MatchAnySync is [MatchAny] among the lanes of mask (HIP __match_any_sync).
func MatchAnySync[T Number](mask uint64, v T) uint64 {
	same := uint64(0)
	for rest := BallotSync(mask, true); rest != 0; {
		first := ShflSync(mask, v, bits.TrailingZeros64(rest))
		equal := BallotSync(mask, bitsOf(first) == bitsOf(v))
		if bitsOf(first) == bitsOf(v) {
			same = equal
		}
		rest &^= equal
	}
	return same
}

// MatchAll reports whether v has the same bits in all active lanes, and returns the mask
// of these lanes then, 0 otherwise (HIP __match_all).
func MatchAll[T Number](v T) (mask uint64, same bool) { return MatchAllSync(ActiveMask(), v) }

// MatchAllSync is [MatchAll] among the lanes of mask (HIP __match_all_sync).
func MatchAllSync[T Number](mask uint64, v T) (lanes uint64, same bool) {
	lanes = BallotSync(mask, true)
	first := ShflSync(mask, v, bits.TrailingZeros64(lanes))
	if AllSync(mask, bitsOf(first) == bitsOf(v)) {
		return lanes, true
	}
	return 0, false
}
