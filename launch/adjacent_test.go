package launch

import (
	"testing"
	"unsafe"
)

// Blocks that end where others begin are all found, in whatever order they came.
func TestAdjacentBlocks(t *testing.T) {
	const size = 64
	memoryOfHost := make([]byte, 4*size)
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}} {
		var m memory
		blocks := map[int]*block{}
		for _, i := range order {
			blocks[i] = &block{base: unsafe.Pointer(&memoryOfHost[i*size]), size: size}
			m.insert(blocks[i])
		}
		for i, b := range blocks {
			for _, at := range []int{0, 1, size - 1} {
				if got := m.find(unsafe.Pointer(&memoryOfHost[i*size+at])); got != b {
					t.Errorf("order %v: byte %d of block %d is not found in it", order, at, i)
				}
			}
		}
	}
}
