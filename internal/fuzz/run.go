package fuzz

import (
	"fmt"
	"runtime"
	"strings"
)

// A Panic is how a case's function ended: "" if it returned.
type Panic struct {
	Text string
	File string
	Line int
}

// Truth is what a case computes on the host: an output, or a panic, for each input.
func (c Case) Truth(in []Input) ([]Output, []Panic) {
	outs, panics := make([]Output, len(in)), make([]Panic, len(in))
	for i := range in {
		panics[i] = c.one(in[i], &outs[i])
	}
	return outs, panics
}

func (c Case) one(in Input, out *Output) (p Panic) {
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
			if !strings.HasPrefix(fr.Function, "runtime.") {
				p.File, p.Line = fr.File, fr.Line
				return
			}
		}
	}()
	c.Do(&in, out)
	return p
}
