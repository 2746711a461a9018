package amdemu

import (
	"fmt"
	"strings"
	"time"
)

// A group is a workgroup while it runs: on one goroutine, its waves in turn.
type group struct {
	launch *launch
	block  [3]int
	waves  []*wave
	lds    *lds
	stats  Stats // of the blocks so far

	// The barrier: waves that have arrived since it last opened, and how often
	// it has.
	arrived int
	phase   uint32
}

// slice is how many instructions a wave runs before another has its turn.
const slice = 4096

// patience is how many turns all waves have before another block is started
// beside this one, which may be waiting for it.
const patience = 16

// run runs the waves until all have ended.
func (g *group) run() {
	for turn := 1; g.launch.fault.Load() == nil; turn++ {
		if g.launch.Stop() {
			g.stopped()
			return
		}
		if turn%patience == 0 {
			g.launch.more()
		}
		ran, alive := false, false
		for _, w := range g.waves {
			if w.done {
				continue
			}
			alive = true
			if w.waiting && w.arrivedIn == g.phase {
				continue
			}
			w.waiting = false
			g.turn(w)
			ran = true
			if g.launch.fault.Load() != nil {
				return
			}
		}
		if !alive {
			return
		}
		if !ran {
			g.stuck()
		}
	}
}

// turn is a wave's turn, alone if Go's race detector looks on.
func (g *group) turn(w *wave) {
	if detector {
		g.launch.Memory.alone.Lock()
		defer g.launch.Memory.alone.Unlock()
	}
	w.step()
}

// step runs a wave until it waits, ends, yields or has had its turn; a fault
// ends the launch.
func (w *wave) step() {
	defer w.recovered()
	c, l := w.code, w.group.launch
	w.yield = false
	for range slice {
		in := c.at(w.pc)
		if in == nil {
			c = w.enter()
			in = c.at(w.pc)
		}
		w.in = in
		w.pc += uint64(in.size)
		if w.trace != nil {
			w.traced(in)
		} else {
			in.run(w)
		}
		w.classes[in.class]++
		if w.yield {
			break
		}
	}
	before := w.count
	w.count = 0
	for _, n := range w.classes {
		w.count += n
	}
	w.progress(w.count - before)
	if w.count > l.budget {
		w.fail(-1, fmt.Sprintf("the wave has executed %d instructions, more than its budget: an endless loop?", w.count))
	}
}

// progress notes that the wave has executed n instructions more.
func (w *wave) progress(n uint64) {
	l := w.group.launch
	if w.mem.wrote {
		w.mem.wrote = false
		l.quiet.Store(0)
		return
	}
	if all := l.quiet.Add(n); l.Idle > 0 && all > l.Idle {
		w.fail(-1, fmt.Sprintf("no wave has stored anything, nor come to a barrier, for %d instructions: an endless loop?%s", all, l.notBegun()))
	}
}

// notBegun says how many blocks those that run may be waiting for in vain.
func (l *launch) notBegun() string {
	n := int64(l.blocks()) - l.next.Load()
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" %d of %d blocks have not begun: no more than %d run beside each other", n, l.blocks(), Resident)
}

// enter finds the section that the program counter has gone to.
func (w *wave) enter() *code {
	for _, c := range w.group.launch.kernel.program.sections {
		if c.at(w.pc) != nil {
			w.code = c
			return c
		}
	}
	w.fail(-1, fmt.Sprintf("jump to %#x, where no code is", w.pc))
	return nil
}

// recovered turns the panic of fail into the launch's fault, and one of our own
// into an error that says so.
func (w *wave) recovered() {
	switch p := recover().(type) {
	case nil:
	case fault:
		w.group.launch.failed(w.located(p))
	default:
		w.group.launch.failed(w.located(fault{fmt.Sprintf("the emulator failed (a bug of heddle's): %v%s", p, trace()), -1}))
	}
}

// end is s_endpgm.
func (w *wave) end() {
	w.done, w.yield = true, true
}

// arrive is the first half of a barrier.
func (w *wave) arrive() {
	g := w.group
	if l := g.launch; l.options.Barriers && w.exec() != w.all {
		w.fail(-1, fmt.Sprintf("a barrier that only some threads of the wave reach: lanes %#x of %#x", w.exec(), w.all))
	}
	w.arrivedIn, w.mem.wrote = g.phase, true
	if g.arrived++; g.arrived < len(g.waves) {
		return
	}
	g.arrived = 0
	g.phase++
	g.barrier()
}

// wait is the second half.
func (w *wave) wait() {
	if w.arrivedIn == w.group.phase {
		w.waiting, w.yield = true, true
	}
}

// stuck is called when no wave can run: some wait at a barrier that others,
// which have ended, did not reach. The hardware lets those pass that wait.
func (g *group) stuck() {
	var waiting, ended []string
	var at *wave
	for _, w := range g.waves {
		if w.done {
			ended = append(ended, fmt.Sprint(w.id))
		} else {
			waiting = append(waiting, fmt.Sprint(w.id))
			at = w
		}
	}
	if g.launch.options.Barriers {
		g.launch.failed(at.located(fault{fmt.Sprintf("a barrier that not all threads of the block reach: wave %s waits, wave %s has ended",
			strings.Join(waiting, ", "), strings.Join(ended, ", ")), -1}))
		return
	}
	g.arrived = 0
	g.phase++
	g.barrier()
}

// stopped is called where the launch is to end: its error says where a wave is.
func (g *group) stopped() {
	for _, w := range g.waves {
		if !w.done {
			f := w.located(fault{"stopped", -1})
			f.Stopped = true
			g.launch.failed(f)
			return
		}
	}
}

// clock counts the wave's instructions as cycles.
func (w *wave) clock() uint64 {
	n := uint64(0)
	for _, c := range w.classes {
		n += c
	}
	return w.began + 4*n
}

// wallClock counts at 100 MHz, as s_memrealtime and MSG_RTN_GET_REALTIME do.
func wallClock() uint64 { return uint64(time.Now().UnixNano() / 10) }
