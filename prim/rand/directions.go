package rand

import (
	_ "embed"
	"math/bits"

	"heddle/launch"
)

// MaxDimensions is for how many dimensions there are direction numbers: all that Joe and Kuo have.
const MaxDimensions = 21201

// joeKuo are the direction numbers new-joe-kuo-6.21201 of S. Joe and F. Y. Kuo (Constructing Sobol sequences with better
// two-dimensional projections, SIAM J. Sci. Comput. 30, 2008), packed by gen; joekuo.txt is their license.
// A program that calls no NewDirections is linked without them.
//
//go:embed joekuo.bin
var joeKuo string

// DirectionOptions says whether points are scrambled.
type DirectionOptions struct {
	// Scramble makes each point random, and the points together as even as before: each coordinate's bits are multiplied
	// by a random triangular matrix and shifted (Matousek: On the L2-discrepancy for anchored boxes, 1998). Several
	// seeds give independent estimates, whose spread is the error; no point is 0.
	Scramble bool
	Seed     uint64 // of the scrambling
}

// NewDirections returns device memory with the direction numbers of dims dimensions, from 1 to MaxDimensions: of 32
// bits for Sobol32, of 64 for Sobol64. The memory has 33 or 65 numbers for each dimension, the last one the shift. What is
// written for a dimension does not depend on how many others there are.
// (curandGetDirectionVectors32, which has 20000 dimensions, and the constants of curandGetScrambleConstants32.)
func NewDirections[W Word](dev *launch.Device, dims int, options DirectionOptions) (*launch.Buffer[W], error) {
	if dev == nil {
		return nil, wrong("NewDirections", "dev", "is nil: take launch.Open")
	}
	if dims < 1 || dims > MaxDimensions {
		return nil, wrong("NewDirections", "dims", "is %d: there are direction numbers for 1 to %d dimensions", dims, MaxDimensions)
	}
	return launch.Upload(dev, directionNumbers[W](dims, options))
}

func directionNumbers[W Word](dims int, options DirectionOptions) []W {
	size := 32 * sizeWords[W]()
	out := make([]W, 0, dims*(size+1))
	in := bitReader{text: joeKuo}
	degree := 1
	for dim := range dims {
		row := out[len(out) : len(out)+size+1]
		if dim == 0 {
			for k := range size {
				row[k] = 1 << (size - 1 - k)
			}
		} else {
			degree += int(in.next(1))
			polynomialRow(row[:size], degree, &in)
		}
		if options.Scramble {
			g := NewPhilox(options.Seed, uint64(dim), 0)
			scramble(row, &g)
		}
		out = out[:len(out)+size+1]
	}
	return out
}

// polynomialRow reads a polynomial and its first numbers, and continues them by the recurrence that it is.
func polynomialRow[W Word](row []W, degree int, in *bitReader) {
	a := in.next(degree - 1) // the coefficients between the first and the last
	for k := range row {
		if k < degree {
			row[k] = W(in.next(k)<<1|1) << (len(row) - 1 - k)
			continue
		}
		row[k] = row[k-degree] ^ row[k-degree]>>degree
		for i := 1; i < degree; i++ {
			if a>>(degree-1-i)&1 != 0 {
				row[k] ^= row[k-i]
			}
		}
	}
}

// scramble multiplies the bits of each number, highest first, by a lower triangular matrix with a diagonal of ones, and sets the
// shift, which is last.
func scramble[W Word](row []W, g *Philox) {
	last := len(row) - 1
	var mask [64]W
	for b := last - 1; b >= 0; b-- { // of a bit: the bits that it is the sum of
		above := W(g.Uint64()) >> 1 >> b << b << 1
		mask[b] = above | 1<<b
	}
	for k, v := range row[:last] {
		row[k] = 0
		for b := range last {
			row[k] |= W(bits.OnesCount64(uint64(v&mask[b]))&1) << b
		}
	}
	row[last] = W(g.Uint64())
}

// A bitReader reads numbers from the bits of text, the lowest bit of a byte first.
type bitReader struct {
	text string
	at   int
}

func (r *bitReader) next(n int) (v uint64) {
	for i := range n {
		v |= uint64(r.text[r.at/8]>>(r.at%8)&1) << i
		r.at++
	}
	return v
}
