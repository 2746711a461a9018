package simt

import (
	"fmt"
	"unsafe"

	"heddle/internal/symbol"
)

// Dim is three extents or coordinates. It has the fields of vector.Dim3, so
// that the two convert.
type Dim struct{ X, Y, Z int }

// String prints d as (x, y, z).
func (d Dim) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

// count returns the number of positions an extent holds.
func (d Dim) count() int { return d.X * d.Y * d.Z }

// at returns the coordinates of the i-th position, x running fastest.
func (d Dim) at(i int) Dim { return Dim{i % d.X, i / d.X % d.Y, i / (d.X * d.Y)} }

// state says what a thread is doing.
type state uint8

const (
	unstarted state = iota
	moving          // running, or ready to run on
	atBarrier       // waits for the block
	atWarp          // waits for the lanes of its warp
	exited
)

// A Thread is one simulated thread. Its exported fields are set for it before
// it starts; its methods may be called by the thread itself only.
type Thread struct {
	Idx        Dim // index in the block
	Lane, Warp int // lane in the warp, warp in the block

	run    *launch
	worker *worker // the coroutine it waits in
	state  state
	spins  uint32
	at     *site // where it waits
	op     warpOp
	out    uint64 // result of op, and the lanes that took part in it
	active uint64
}

// current is the thread that runs now, nil outside a kernel. Coroutine
// switches and the launch lock order all accesses to it.
var current *Thread

// Running returns the current thread on behalf of the dsl function fn, and
// panics where no kernel runs.
func Running(fn string) *Thread {
	if current == nil || halting.Load() {
		interrupted(fn)
	}
	return current
}

// interrupted ends a thread of a launch that is to end, and panics where no kernel runs.
func interrupted(fn string) {
	if current != nil {
		panic(halt{})
	}
	panic("dsl." + fn + " called outside a kernel: it works only in a function launched through package kernel")
}

// BlockIdx returns the index of the thread's block in the grid.
func (t *Thread) BlockIdx() Dim { return t.run.block }

// BlockDim returns the extents of a block.
func (t *Thread) BlockDim() Dim { return t.run.cfg.Block }

// GridDim returns the extents of the grid, in blocks.
func (t *Thread) GridDim() Dim { return t.run.cfg.Grid }

// WarpSize returns the number of lanes of a full warp, 32 or 64.
func (t *Thread) WarpSize() int { return t.run.cfg.WarpSize }

// spinLimit is how many atomics or fences a thread may execute before the others get a turn.
const spinLimit = 1 << 12

// Touch notes an atomic operation or a fence: a thread that executes very many
// may be waiting for another thread, so now and then it lets the others run.
func (t *Thread) Touch() {
	if t.spins++; t.spins%spinLimit == 0 {
		t.at = here("")
		t.run.spinning = append(t.run.spinning, t)
		t.park()
	}
}

// Wrote notes that an atomic operation has changed memory, so that the thread was
// not only waiting.
func (t *Thread) Wrote(changed bool) {
	if changed {
		t.run.quiet = 0
	}
}

// Printf hands a text to whoever runs the launch.
func (t *Thread) Printf(format string, args ...any) {
	if p := t.run.cfg.Print; p != nil {
		p(fmt.Sprintf(format, args...))
	}
}

// stopped unwinds a waiting thread of a launch that has failed.
type stopped struct{}

// park hands control back to the scheduler until this thread is resumed.
func (t *Thread) park() {
	if !t.worker.yield(struct{}{}) {
		panic(stopped{})
	}
}

// NoSymbol is what is wrong with the zero value of a device variable.
const NoSymbol = "a device variable that was not made: declare it as var v = dsl.NewGlobal(initial), dsl.NewConstant or dsl.NewManaged"

// Symbol is the device's instance of a variable.
func (t *Thread) Symbol(v *symbol.Variable) unsafe.Pointer {
	if v == nil {
		panic(NoSymbol)
	}
	if t.run.cfg.Symbol == nil {
		return v.Value
	}
	p, err := t.run.cfg.Symbol(v)
	if err != nil {
		panic(err)
	}
	return p
}
