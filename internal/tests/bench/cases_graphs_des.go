package main

// desBoxes are the S-boxes of DES, a hexadecimal digit a number, row by row.
var desBoxes = [8]string{
	"e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d",
	"f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9",
	"a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c",
	"7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e",
	"2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453",
	"c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d",
	"4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c",
	"d2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b",
}

// Where the bits of DES's permutations come from, counted from the lowest.
var (
	desRound = []uint8{
		16, 25, 12, 11, 3, 20, 4, 15, 31, 17, 9, 6, 27, 14, 1, 22, 30, 24, 8, 18, 0, 5, 29, 23, 13, 19, 2, 26, 10, 21, 28, 7,
	}
	desChoice1 = []uint8{
		7, 15, 23, 31, 39, 47, 55, 63, 6, 14, 22, 30, 38, 46, 54, 62, 5, 13, 21, 29, 37, 45, 53, 61, 4, 12, 20, 28,
		1, 9, 17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59, 36, 44, 52, 60,
	}
	desChoice2 = []uint8{
		42, 39, 45, 32, 55, 51, 53, 28, 41, 50, 35, 46, 33, 37, 44, 52, 30, 48, 40, 49, 29, 36, 43, 54,
		15, 4, 25, 19, 9, 1, 26, 16, 5, 11, 23, 8, 12, 7, 17, 0, 22, 3, 10, 14, 6, 20, 27, 24,
	}
)

// permuted has the bits of a number in another order.
func permuted(x uint64, from []uint8) (out uint64) {
	for _, bit := range from {
		out = out<<1 | x>>bit&1
	}
	return out
}

// desTables are a cipher's boxes and a key's rounds, as Go's crypto/des makes them: what a
// box gives is permuted and rotated, and six bits of a key are in a byte each.
func desTables(key uint64) (boxes [8][64]uint32, keys [16]uint64) {
	for b, digits := range desBoxes {
		for i, digit := range digits {
			v := uint64(digit - '0')
			if digit >= 'a' {
				v = uint64(digit-'a') + 10
			}
			f := permuted(v<<(4*(7-b)), desRound)
			row, column := i/16, i%16
			boxes[b][row&2<<4|row&1|column<<1] = uint32(f<<1 | f>>31)
		}
	}
	const half = 1<<28 - 1
	c := permuted(key, desChoice1)
	left, right := c>>28, c&half
	for round := range keys {
		n := 2
		if round < 2 || round == 8 || round == 15 {
			n = 1
		}
		left, right = (left<<n|left>>(28-n))&half, (right<<n|right>>(28-n))&half
		six := permuted(left<<28|right, desChoice2)
		for i := range 8 { // those of odd boxes are in the upper half
			keys[round] |= six >> (6 * i) & 0x3f << (8*(i/2) + 32*(1-i%2))
		}
	}
	return boxes, keys
}
