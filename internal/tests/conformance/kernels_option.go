package conformance

import (
	"fmt"
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Options and directives: they change the code and not the results.

func poly(in []float32, out []float32) {
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v := in[i]
		sum := float32(0)
		for k := range 7 {
			sum = sum*v + float32(k&3)
		}
		out[i] = sum
	}
}

// bounded has every directive.
//
//heddle:launchbounds 64 2
//heddle:noalias
func bounded(in, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(in) {
		return
	}
	sum := float32(0)
	//heddle:unroll 4
	for k := range len(in) {
		sum += in[(i+k)%len(in)]
	}
	//heddle:unroll 1
	for range 3 {
		sum *= 2
	}
	//heddle:unroll
	for k := range 4 {
		sum += float32(k)
	}
	out[i] = sum
}

// exactly has the functions that no option changes, so that a multiplication and an addition
// could be fused, products reordered, and quotients approximated.
func exactly[F dsl.Float](in, out []F) {
	i := dsl.GlobalIdx().X
	if i >= len(in) {
		return
	}
	x := in[i]
	out[4*i] = dsl.AddRn(dsl.MulRn(x, x), -1)
	out[4*i+1] = dsl.SubRn(1, dsl.MulRn(dsl.MulRn(x, 0.1), 0.3))
	out[4*i+2] = dsl.DivRn(1, dsl.AddRn(x, 0.7))
	out[4*i+3] = dsl.FmaRn(x, x, dsl.SqrtRn(x))
}

func exactlyCase[F dsl.Float](name string) Case {
	k := kernel.NewWith(exactly[F], kernel.Options{FastMath: true})
	return Case{"option/fast-math-rn/" + name, "options", []*kernel.Kernel{k}, func(t *T) {
		in := filled(500, func(i int) F { return 0.5 + F(i)/700 })
		want := make([]F, 4*len(in))
		for i, x := range in {
			square, part := F(x*x), F(F(x*0.1)*0.3)
			want[4*i], want[4*i+1], want[4*i+2] = square-1, 1-part, 1/F(x+0.7)
			want[4*i+3] = dsl.FmaRn(x, x, dsl.SqrtRn(x))
		}
		out := alloc[F](t, len(want))
		t.run(k, launch.Linear(len(in), 64), upload(t, in), out)
		same(t, download(t, out), want)
	}}
}

func optionCases() []Case {
	all := []Case{boundedCase(), exactlyCase[float32]("float32"), exactlyCase[float64]("float64")}
	for name, opts := range map[string]kernel.Options{
		"no-bounds": {NoBounds: true}, "fast-math": {FastMath: true}, "fast-atomics": {FastAtomics: true}, "no-alias": {NoAlias: true},
		"bounds":   {MaxThreads: 128, MinBlocks: 2},
		"together": {NoBounds: true, FastMath: true, NoAlias: true, MaxThreads: 256},
	} {
		k := kernel.NewWith(poly, opts)
		all = append(all, Case{"option/" + name, "options", []*kernel.Kernel{k}, func(t *T) {
			in := filled(1000, func(i int) float32 { return float32(i%64) / 8 }) // exact, whatever the order
			want := filled(1000, func(i int) float32 {
				sum := float32(0)
				for k := range 7 {
					sum = sum*in[i] + float32(k&3)
				}
				return sum
			})
			out := alloc[float32](t, len(in))
			t.run(k, launch.Config{Grid: launch.Dim3{X: 3}, Block: launch.Dim3{X: 128}}, upload(t, in), out)
			compare(t, download(t, out), want, nil, func(string, int) float64 { return 4 }, func(i int) string { return fmt.Sprint(in[i]) })
		}})
	}
	return all
}

func boundedCase() Case {
	k := kernel.New(bounded)
	return Case{"option/directives", "directives", []*kernel.Kernel{k}, func(t *T) {
		in := filled(100, func(i int) float32 { return float32(i) })
		x, out := upload(t, in), alloc[float32](t, 100)
		t.run(k, launch.Linear(100, 64), x, out)
		same(t, download(t, out), filled(100, func(int) float32 { return 4950*8 + 6 }))
		if t.omits() {
			return
		}
		err := k.Launch(t.Dev.Stream(), launch.Linear(100, 65), x, out)
		if err == nil || !strings.Contains(err.Error(), "launch bound is 64 (//heddle:launchbounds)") {
			t.Errorf("65 threads: %v", err)
		}
	}}
}
