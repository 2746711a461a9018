package fuzz

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"heddle/internal/simt"
)

// Launch is the shape of the case's launch, and the inputs of its threads: as
// many of those given as there are threads.
func (c Case) Launch(in []Input) (grid, block [3]int, ins []Input) {
	if c.Block == ([3]int{}) {
		return [3]int{(len(in) + 63) / 64, 1, 1}, [3]int{64, 1, 1}, in
	}
	n := 1
	for i := range 3 {
		n *= c.Grid[i] * c.Block[i]
	}
	ins = in[:min(n, len(in))]
	if c.Alike {
		ins = slices.Clone(ins)
		size := c.Block[0] * c.Block[1] * c.Block[2]
		for i := range ins {
			ins[i] = ins[i-i%size]
		}
	}
	return c.Grid, c.Block, ins
}

// Truth is what a case computes as gc compiles it, in simulated threads: an
// output, or a panic, for each input, and what it leaves in its slices of structs. The
// error is one of the generator.
func (c Case) Truth(in []Input, u Uniform, warp int) (outs []Output, panics []Panic, lists any, err error) {
	grid, block, in := c.Launch(in)
	outs, panics = make([]Output, len(in)), make([]Panic, len(in))
	dim := func(d [3]int) simt.Dim { return simt.Dim{X: d[0], Y: d[1], Z: d[2]} }
	x, y, z := c.Slices()
	n := sizes(u)
	if c.Lists != nil {
		lists = c.Lists.fresh(len(in))
	}
	err = simt.Run(simt.Config{Grid: dim(grid), Block: dim(block), WarpSize: warp}, func() {
		if i := number1D(); i < len(in) {
			panics[i] = c.one(func() {
				switch mine := in[i]; {
				case c.Whole != nil:
					c.Whole(in, x, y, z, rowsOf(x), outs, n[0], n[1], n[2], u)
				case c.Lists != nil:
					c.Lists.call(lists, in, outs, n, u)
				default:
					c.Do(&mine, &outs[i], u)
				}
			})
		}
	})
	if c.Lists != nil {
		c.Lists.undo(lists, panics)
	}
	return outs, panics, lists, err
}

func (c Case) one(do func()) (p Panic) {
	if c.Together { // a thread that panics would leave the others waiting
		do()
		return Panic{}
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p.Text = fmt.Sprint(v)
		pcs := make([]uintptr, 32)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for more := true; more; {
			var fr runtime.Frame
			fr, more = frames.Next()
			// a division in math/bits is reported at its call
			if !strings.HasPrefix(fr.Function, "runtime.") && !strings.HasPrefix(fr.Function, "math/bits.") {
				p.File, p.Line = fr.File, fr.Line
				return
			}
		}
	}()
	do()
	return p
}
