package fuzz

import "math"

// A loop that counts down to a number's opposite, which all threads share, made too few rounds on NVIDIA's GPUs (codegen, ptxdown.go).
func downToOpposite(in *Input, out *Output, u Uniform) {
	var a [20]float32
	for i := range a {
		a[i] = float32(i%3) + 1
	}
	n, center := min(in.Small[3]+1, 4), in.Small[3]
	reach := min(u.Small[2], 3)
	var sum float32
	for d := reach; d >= -reach; d-- {
		k := center + d
		if k < 0 {
			k += n
		} else if k >= n {
			k -= n
		}
		v := a[uint(k+16)%20]
		a[uint(k+16)%20] = sum
		sum += v
	}
	out.put(0, uint64(math.Float32bits(sum)))
	for _, x := range a {
		out.put(1, uint64(math.Float32bits(x)))
	}
	down32(in, out, int32(u.Small[2]))
}

// The same in 32 bits.
func down32(in *Input, out *Output, reach int32) {
	var a [32]uint16
	sum := in.U16[0]
	for d := reach; d > -reach-reach; d-- {
		k := d + int32(in.Small[0])
		if k > 3 {
			k -= int32(in.Small[1])
		}
		v := a[uint32(k)%32]
		a[uint32(k)%32] = sum
		sum = sum*3 + v + 1
	}
	out.put(2, uint64(sum))
	for _, x := range a {
		out.put(3, uint64(x))
	}
}

func downToOppositeKernel(in []Input, out []Output, u Uniform) { each(downToOpposite, in, out, u) }
