package prim

import (
	"strings"
	"unsafe"

	"heddle/dsl"
	"heddle/launch"
)

// An input is where the elements of a tile come from.
type input[T any] struct {
	at  func(i int) T
	ask func(i int) // asks for element i's line of the cache, where the elements are in memory; or nil
}

// inputOf is the elements of a buffer, of indices that the caller knows to be in range.
func inputOf[T any](b *launch.Buffer[T]) input[T] {
	return input[T]{of(b), func(i int) { fetch(elem(unsafe.SliceData(b.Device()), i)) }}
}

// asking is what asks for an element, and for how many tiles ahead of its own a block does so: 0 if it asks for nothing, as where most of the tiles
// begin at once.
func (in input[T]) asking(s *launch.Stream, tiles int) (ask func(i int), far int) {
	if in.ask == nil || tiles <= crowd*s.Device().Info().ComputeUnits {
		return func(int) {}, 0
	}
	return in.ask, tilesAhead(s)
}

// tilesAhead is how far ahead of its own a block asks for a tile, so that the memory answers before the block begins that takes it: half
// a tile for each multiprocessor of an NVIDIA GPU, where blocks begin in order. Twice as many do not harm, eight times as many leave the cache.
func tilesAhead(s *launch.Stream) int {
	if info := s.Device().Info(); strings.HasPrefix(info.Arch, "sm_") {
		return info.ComputeUnits / 2
	}
	return 0
}

// askFor asks for the elements of a tile of the n that there are, a line a thread.
func askFor[T any](ask func(i int), tile, perTile, threads, n int) {
	line := max(1, lineBytes/max(1, int(unsafe.Sizeof(*new(T)))))
	for i := tile*perTile + dsl.ThreadIdx().X*line; i < min((tile+1)*perTile, n); i += threads * line {
		ask(i)
	}
}

// asks asks for an element of p.
func asks[T any](p []T) func(i int) {
	return func(i int) { fetch(elem(unsafe.SliceData(p), i)) }
}

const lineBytes = 128 // of NVIDIA's caches

// fetch asks for the line of *p to come to an NVIDIA GPU's second-level cache.
func fetch[T any](p *T) {
	if dsl.Arch().IsNVIDIA() {
		dsl.AsmVolatile[struct{}]("prefetch.global.L2 [%0];", "l", p)
	}
}
