package kernels

// Hash makes the inputs; all languages have it.
func Hash(i int, seed uint32) uint32 {
	x := uint32(i)*2654435761 + seed
	x ^= x >> 16
	x *= 0x85ebca6b
	return x ^ x>>13
}

// Uniform is the i-th float32 input between lo and hi.
func Uniform(i int, seed uint32, lo, hi float32) float32 {
	return lo + float32((hi-lo)*(float32(Hash(i, seed)>>8)*0x1p-24))
}

// Floats are n float32 inputs between lo and hi.
func Floats(n int, seed uint32, lo, hi float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = Uniform(i, seed, lo, hi)
	}
	return v
}

// Value is the i-th element that is summed up.
func Value(i int) int32 { return int32(Hash(i, 1) & 0xffff) }
