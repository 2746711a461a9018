package conformance

import (
	"math"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// interpolate adds up what a table has at the places x, with interpolation: floats that become
// indices, some of which no int of 32 bits holds, or none of 64.
func interpolate(x, table, out []float32) {
	first := dsl.GlobalIdx().X
	var sum float32
	for k := first; k < len(x); k++ {
		at := int(x[k])
		if at >= len(table)-1 || at < 0 {
			sum -= 1
			continue
		}
		sum += table[at] + (x[k]-float32(at))*(table[at+1]-table[at])
	}
	out[first] = sum
}

func wholeCase() Case {
	k := kernel.New(interpolate)
	return Case{"loop/whole", "loops", []*kernel.Kernel{k}, func(t *T) {
		big := []float32{1 << 31, -1 << 31, 3e9, -3e9, 1e19, -1e19, float32(math.NaN()), float32(math.Inf(1)), -0.5}
		x := filled(40, func(i int) float32 {
			if i%13 == 7 || i > 32 {
				return big[i%len(big)]
			}
			return float32(i%9) + 0.25
		})
		table := filled(11, func(i int) float32 { return float32(i * i) })
		want := filled(len(x), func(i int) (sum float32) {
			for _, x := range x[i:] {
				at := math.Floor(float64(x))
				if !(at >= -1 && at < 10) || x < 0 && at != -1 {
					sum -= 1
					continue
				}
				j := int(x)
				sum += table[j] + (x-float32(j))*(table[j+1]-table[j])
			}
			return sum
		})
		out := alloc[float32](t, len(x))
		t.run(k, launch.Linear(len(x), 8), upload(t, x), upload(t, table), out)
		same(t, download(t, out), want)
	}}
}
