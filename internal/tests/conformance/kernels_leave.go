package conformance

// Values that are the same for all threads within a loop, which the threads leave one
// after another: each keeps the value it left with.

type leaveOut struct {
	Toggled, Copied, Summed int
	Bytes                   [5]int8
	Halves                  uint64
	Words                   [3]uint16
	Floats                  [6]float32
	Mixed                   leftOver
	Complex                 complex64
	Double                  float64
	Nested                  uint32
	Early                   int
	Pair                    [2]uint64
}

type leftOver struct {
	A uint8
	B int16
	C float32
}

type leaving struct{}

func (leaving) Do(n int, out *leaveOut) {
	trips := n % 8
	const u = 64
	var q, r [7]bool
	for i := range trips {
		q[i*4%7] = !q[i*4%7]
	}
	out.Toggled = trueAt(q[:])
	for i := range min(trips, 7) {
		r[i] = !r[4]
	}
	out.Copied = trueAt(r[:])
	var bytes [5]int8
	var words [3]uint16
	var floats [6]float32
	low, high := uint16(u), float32(u)
	mixed, double, product := out.Mixed, float64(u), complex64(complex(1, float32(u)/64))
	for i := range trips {
		bytes[i%5] = int8(low) >> (i % 3)
		words[i*2%3] ^= low<<3 + uint16(i)
		floats[i%6] += high * 0.5
		low, high = low<<1|low>>15, high*1.5-1
		mixed.A, mixed.B, mixed.C = uint8(mixed.B)>>1, int16(low)>>2, high/3
		double = double*0.75 + float64(low)
		product = product*complex(0, 1) + complex(high, 0) // exact, however it is fused
		out.Summed += int(low)
	}
	out.Bytes, out.Words, out.Floats, out.Mixed = bytes, words, floats, mixed
	out.Double, out.Complex = double, product
	out.Halves = uint64(uint32(high))<<32 | uint64(low)
	x := uint32(u)
	for i := range trips {
		for range uint32(i) & 3 {
			x ^= x << 5
			x += x >> 3
		}
	}
	out.Nested = x
	a, b := uint64(u), uint64(7)
	for i := 0; ; i++ {
		if i == trips {
			out.Early = int(uint8(a) >> 1)
			break
		}
		if uint64(i)*3 > uint64(n) {
			out.Early = -int(uint16(b) << 3)
			break
		}
		a, b = b^a<<7, uint64(float32(a&0xfff)*0.25)
	}
	out.Pair = [2]uint64{a, b}
}
