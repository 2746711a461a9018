package kernel_test

import (
	"errors"
	"fmt"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Functions of very many checks: on the cpu checks share the code that ends the launch.

// A checkState is a thread on its way through many checks, of which the one at bad in
// round 1 fails in the thread who, and in those behind it where all have one index.
type checkState struct {
	i, round, at, bad, who, sum int
}

type checker interface {
	Do(table []int, s checkState) checkState
}

type checks2[C checker] struct{}

func (checks2[C]) Do(table []int, s checkState) checkState {
	var c C
	return c.Do(table, c.Do(table, s))
}

type (
	checks8   = checks2[checks2[checks2[oneCheck]]]
	checks160 = checks10[checks2[checks8]]
)

type checks10[C checker] struct{}

func (checks10[C]) Do(table []int, s checkState) checkState {
	var c checks2[checks2[C]]
	var d checks2[C]
	return d.Do(table, c.Do(table, c.Do(table, s)))
}

type oneCheck struct{}

func (oneCheck) Do(table []int, s checkState) checkState {
	fails := s.round == 1 && s.at == s.bad
	switch x := s.at & 15; s.at % 5 {
	case 0: // each lane has an index of its own
		x = (s.i*7 + s.at) & 31
		if fails && s.i == s.who {
			x += len(table)
		}
		s.sum = s.sum*3 + table[x]
	case 1: // indices follow each other
		if fails {
			x = len(table) - s.who
		}
		s.sum = s.sum*3 + table[s.i+x]
	case 2: // some lanes have one index
		if fails {
			x = len(table) + 5
		}
		if s.i >= s.who {
			s.sum = s.sum*3 + table[x]
		}
	case 3: // narrow indices
		n := int32(uint8(s.i*5 + s.at))
		if fails && s.i == s.who {
			n = int32(-s.i)
		}
		s.sum = s.sum*3 + table[n&63|n>>31]
	case 4: // a division, and no values
		d := 3
		if fails && s.i == s.who {
			d = 0
		}
		s.sum = s.sum*3 + s.sum/d
	}
	s.at++
	return s
}

func checkedOnce(table []int, bad, who int, out []int) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		var c checks160
		out[i] = c.Do(table, checkState{i: i, round: 1, bad: bad, who: who}).sum
	}
}

func checkedInLoops(table []int, bad, who int, out []int) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = rounds(table, checkState{i: i, bad: bad, who: who})
	}
}

// rounds goes through the checks two or three times.
func rounds(table []int, s checkState) int {
	var c checks160
	for r := range 2 + s.i&1 {
		for s.round = r; s.round >= 0; s.round -= 2 {
			s.at = 0
			s = c.Do(table, s)
		}
	}
	return s.sum
}

func TestManyChecks(t *testing.T) {
	const n = 32
	table := make([]int, 64)
	for k := range table {
		table[k] = k*k%13 + 1
	}
	once := func(s checkState) int { s.round = 1; return checks160{}.Do(table, s).sum }
	for _, kind := range []struct {
		name string
		k    *kernel.Kernel
		host func(checkState) int
	}{
		{"once", kernel.New(checkedOnce), once},
		{"loops", kernel.New(checkedInLoops), func(s checkState) int { return rounds(table, s) }},
	} {
		for _, name := range []string{"cpu", "cpu:64", "sim"} {
			t.Run(kind.name+"/"+name, func(t *testing.T) {
				dev, err := launch.Open(name)
				if err != nil {
					t.Skip(err)
				}
				defer dev.Close()
				in, err := launch.Upload(dev, table)
				if err != nil {
					t.Fatal(err)
				}
				out, err := launch.Alloc[int](dev, n)
				if err != nil {
					t.Fatal(err)
				}
				for bad := -1; bad < 160; bad += 7 {
					who := (bad + 8) * 5 % n
					if err := kind.k.Launch(dev.Stream(), launch.Linear(n, n), in, bad, who, out); err != nil {
						t.Fatal(err)
					}
					got := make([]int, n)
					err := out.Download(got)
					if bad < 0 && err != nil {
						t.Fatal(err)
					}
					for i := range n {
						sum, text := onHost(func() int { return kind.host(checkState{i: i, bad: bad, who: who}) })
						if text == "" {
							if bad < 0 && got[i] != sum {
								t.Errorf("thread %d: %d, want %d", i, got[i], sum)
							}
							continue
						}
						var p *launch.KernelPanic
						if !errors.As(err, &p) || p.Thread.X != i || "runtime error: "+p.Value != text {
							t.Errorf("check %d: %v, want %q in thread %d", bad, err, text, i)
						}
						break // the first that fails is the one
					}
				}
			})
		}
	}
}

// onHost is f's result, or the text of its panic.
func onHost(f func() int) (n int, text string) {
	defer func() {
		if e := recover(); e != nil {
			text = fmt.Sprint(e)
		}
	}()
	return f(), ""
}
