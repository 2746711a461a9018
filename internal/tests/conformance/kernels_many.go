package conformance

import (
	"math"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// A function of very many operations that processors do lane by lane: on the cpu
// these are calls then, not loops in place.

// A part is a piece of code; twice is one of twice the length.
type part interface {
	Do(p *int32, table []float32, v float32) float32
}

type twice[P part] struct{}

func (twice[P]) Do(p *int32, table []float32, v float32) float32 {
	var half P
	return half.Do(p, table, half.Do(p, table, v))
}

type lanewise struct{}

func (lanewise) Do(p *int32, table []float32, v float32) float32 {
	k := int32(v) & 31
	old := dsl.AtomicAdd(p, k)
	if k&3 != 0 && dsl.AtomicCAS(p, old+k, old^k) != old+k {
		return -1
	}
	return dsl.Mod(table[k]+float32(old&255), v+1.5)
}

func (lanewise) onHost(p *int32, table []float32, v float32) float32 {
	k := int32(v) & 31
	old := *p
	*p += k
	if k&3 != 0 {
		*p = old ^ k
	}
	return float32(math.Mod(float64(table[k]+float32(old&255)), float64(v+1.5)))
}

// manyLanewise does its work 32 times.
func manyLanewise(table []float32, state []int32, out []float32) {
	var steps twice[twice[twice[twice[twice[lanewise]]]]]
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = steps.Do(&state[i], table, out[i])
	}
}

func manyCases() []Case {
	many := kernel.New(manyLanewise)
	return []Case{{"large/lanewise", "functions of any length", []*kernel.Kernel{many}, func(t *T) {
		const n = 90
		table := filled(32, func(k int) float32 { return float32(k*k%37) + 0.5 })
		state := filled(n, func(i int) int32 { return int32(i * 5) })
		out := filled(n, func(i int) float32 { return float32(i) / 4 })
		s, o := upload(t, state), upload(t, out)
		t.run(many, launch.Linear(n, 64), upload(t, table), s, o)
		for i := range out {
			for range 32 {
				out[i] = lanewise{}.onHost(&state[i], table, out[i])
			}
		}
		same(t, download(t, o), out)
		same(t, download(t, s), state)
	}}}
}
