package kernel_test

import (
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Functions of very many statements without a branch, divisions among them: on the cpu
// their blocks are broken, and divisions are calls.

type quotient interface{ Do(v, d int) int }

type quotients2[Q quotient] struct{}

func (quotients2[Q]) Do(v, d int) int {
	var q Q
	return q.Do(q.Do(v, d), d+1)
}

type oneQuotient struct{}

func (oneQuotient) Do(v, d int) int {
	d = d&1023 + 1
	u := uint(v) % uint(d+7)
	return v*31/d - (v^d)%(d+2) + int(u/uint(d)) + v<<(uint(d)&3)
}

func manyQuotients(out []int) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		var q quotients2[quotients2[quotients2[quotients2[quotients2[quotients2[oneQuotient]]]]]]
		out[i] = q.Do(out[i], i)
	}
}

func TestLongBlocks(t *testing.T) {
	for _, name := range []string{"cpu", "cpu:64"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			const n = 300
			host := make([]int, n)
			for i := range host {
				host[i] = i*i*77777 - 1000000
			}
			out, err := launch.Upload(dev, host)
			if err != nil {
				t.Fatal(err)
			}
			if err := kernel.New(manyQuotients).Launch(dev.Stream(), launch.Linear(n, 128), out); err != nil {
				t.Fatal(err)
			}
			got := make([]int, n)
			if err := out.Download(got); err != nil {
				t.Fatal(err)
			}
			for i, v := range host {
				var q quotients2[quotients2[quotients2[quotients2[quotients2[quotients2[oneQuotient]]]]]]
				if want := q.Do(v, i); got[i] != want {
					t.Fatalf("thread %d: %d, want %d", i, got[i], want)
				}
			}
		})
	}
}
