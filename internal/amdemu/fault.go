package amdemu

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"strconv"
	"strings"
)

// A Fault is the error that ended a launch: what a GPU would call a memory
// fault or a trap, and what the sanitizer found.
type Fault struct {
	Kernel string
	Device string // where it ran, if the caller of Run says so
	Text   string
	// Place is where the instruction comes from, "file.go:12:3", and Calls the calls
	// that led there and that are inlined, innermost first; empty without debug information.
	Place       string
	Calls       []string
	PC          uint64 // from the kernel's entry
	Instruction string
	Block       [3]int
	Wave        int
	Lane        int // -1: of no lane in particular
	Thread      [3]int
	HasThread   bool
	// Stopped: nothing is wrong, Config.Stop has ended the launch.
	Stopped bool
}

// Position is Place in parts; the file is "" where there is none.
func (f *Fault) Position() (file string, line, column int) {
	at := strings.Split(f.Place, ":")
	if len(at) < 3 {
		return "", 0, 0
	}
	n := len(at) - 2
	line, _ = strconv.Atoi(at[n])
	column, _ = strconv.Atoi(at[n+1])
	return strings.Join(at[:n], ":"), line, column
}

func (f *Fault) Error() string {
	var b strings.Builder
	if f.Place != "" {
		b.WriteString(f.Place + ": ")
	}
	b.WriteString("kernel " + f.Kernel)
	if f.Device != "" {
		b.WriteString(" on " + f.Device)
	}
	fmt.Fprintf(&b, ": %s (block %v", f.Text, f.Block)
	if f.HasThread {
		fmt.Fprintf(&b, ", thread %v", f.Thread)
	}
	fmt.Fprintf(&b, ", wave %d", f.Wave)
	if f.Lane >= 0 {
		fmt.Fprintf(&b, ", lane %d", f.Lane)
	}
	if f.Instruction != "" {
		fmt.Fprintf(&b, "; %s at %+#x", f.Instruction, f.PC)
	}
	b.WriteString(")")
	for _, p := range f.Calls {
		b.WriteString("\n\tcalled from " + p)
	}
	return b.String()
}

// located makes a Fault of what a wave failed with.
func (w *wave) located(p fault) *Fault {
	g := w.group
	k := g.launch.kernel
	f := &Fault{Kernel: k.Name, Text: p.text, Block: g.block, Wave: w.id, Lane: p.lane}
	if w.in != nil {
		f.Instruction = w.in.text
		f.PC = w.in.addr - k.entry
		f.Place, f.Calls = k.program.position(w.in.addr)
	}
	l := p.lane
	if l < 0 && bits.OnesCount64(w.all) > 0 {
		l = w.firstLane()
	}
	if n := w.id*w.size + l; l >= 0 {
		f.Thread, f.HasThread = g.launch.thread(n), true
	}
	return f
}

// failed keeps the first fault of the launch.
func (l *launch) failed(f *Fault) { l.fault.CompareAndSwap(nil, f) }

// trace is the stack of a panic of our own.
func trace() string { return "\n" + string(debug.Stack()) }
