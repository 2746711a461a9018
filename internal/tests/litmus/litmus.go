// Package litmus runs litmus tests of the memory model: a few threads that read and write two
// variables, over and over, and the outcomes that tell whether an order was kept. With the orders
// that forbid an outcome it must never be seen; with relaxed ones it may be, and is counted.
//
// The tests are those of the literature (Alglave, Maranget, Tautschnig: Herding Cats, 2014;
// for GPUs, Alglave et al.: GPU Concurrency, 2015).
package litmus

import (
	"embed"

	"heddle/dsl"
	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

// The kernels' sources, for machines that have only the test's executable.
var _ = kernel.Source(sources)

// An Atomic is a variable of a test.
type Atomic = dsl.Atomic[uint32]

// Orders are those of a test's loads and stores, and the scope that its threads share.
type Orders interface {
	Scope() dsl.Scope
	Load() dsl.Order
	Store() dsl.Order
}

// The orders that tests are run with, at the scopes of the device, the system and a block.
type (
	Relaxed       struct{ device }
	Synchronised  struct{ device }
	Sequential    struct{ device }
	SystemRelaxed struct{ system }
	SystemSync    struct{ system }
	SystemSeq     struct{ system }
	BlockRelaxed  struct{ block }
	BlockSync     struct{ block }
	BlockSeq      struct{ block }

	device struct{}
	system struct{}
	block  struct{}
)

func (device) Scope() dsl.Scope { return dsl.ScopeDevice }
func (system) Scope() dsl.Scope { return dsl.ScopeSystem }
func (block) Scope() dsl.Scope  { return dsl.ScopeBlock }

func (Relaxed) Load() dsl.Order        { return dsl.Relaxed }
func (Relaxed) Store() dsl.Order       { return dsl.Relaxed }
func (Synchronised) Load() dsl.Order   { return dsl.Acquire }
func (Synchronised) Store() dsl.Order  { return dsl.Release }
func (Sequential) Load() dsl.Order     { return dsl.SeqCst }
func (Sequential) Store() dsl.Order    { return dsl.SeqCst }
func (SystemRelaxed) Load() dsl.Order  { return dsl.Relaxed }
func (SystemRelaxed) Store() dsl.Order { return dsl.Relaxed }
func (SystemSync) Load() dsl.Order     { return dsl.Acquire }
func (SystemSync) Store() dsl.Order    { return dsl.Release }
func (SystemSeq) Load() dsl.Order      { return dsl.SeqCst }
func (SystemSeq) Store() dsl.Order     { return dsl.SeqCst }
func (BlockRelaxed) Load() dsl.Order   { return dsl.Relaxed }
func (BlockRelaxed) Store() dsl.Order  { return dsl.Relaxed }
func (BlockSync) Load() dsl.Order      { return dsl.Acquire }
func (BlockSync) Store() dsl.Order     { return dsl.Release }
func (BlockSeq) Load() dsl.Order       { return dsl.SeqCst }
func (BlockSeq) Store() dsl.Order      { return dsl.SeqCst }

// A Test is one litmus test.
type Test interface {
	// Threads is how many there are.
	Threads() int
	// Run is what a thread does to x and y, which begin as 0, and what it has read.
	Run(thread int, x, y *Atomic) (first, second uint32)
}

// The tests.
type (
	MessagePassing[O Orders] struct{} // a flag tells of data: is the data there?
	StoreBuffer[O Orders]    struct{} // each writes one and reads the other: do both miss?
	LoadBuffer[O Orders]     struct{} // each reads one and writes the other: do both see?
	TwoWrites[O Orders]      struct{} // both write both, in opposite order: does each lose once?
	Independent[O Orders]    struct{} // two readers of two writers: do they see different orders?
)

func (MessagePassing[O]) Threads() int { return 2 }
func (StoreBuffer[O]) Threads() int    { return 2 }
func (LoadBuffer[O]) Threads() int     { return 2 }
func (TwoWrites[O]) Threads() int      { return 2 }
func (Independent[O]) Threads() int    { return 4 }

func (MessagePassing[O]) Run(thread int, x, y *Atomic) (first, second uint32) {
	var o O
	if thread == 0 {
		x.Store(1, o.Scope(), dsl.Relaxed)
		y.Store(1, o.Scope(), o.Store())
		return 0, 0
	}
	first = y.Load(o.Scope(), o.Load())
	return first, x.Load(o.Scope(), dsl.Relaxed)
}

func (StoreBuffer[O]) Run(thread int, x, y *Atomic) (first, second uint32) {
	var o O
	if thread == 1 {
		x, y = y, x
	}
	x.Store(1, o.Scope(), o.Store())
	return y.Load(o.Scope(), o.Load()), 0
}

func (LoadBuffer[O]) Run(thread int, x, y *Atomic) (first, second uint32) {
	var o O
	if thread == 1 {
		x, y = y, x
	}
	first = x.Load(o.Scope(), o.Load())
	y.Store(1, o.Scope(), o.Store())
	return first, 0
}

func (TwoWrites[O]) Run(thread int, x, y *Atomic) (first, second uint32) {
	var o O
	if thread == 1 {
		x, y = y, x
	}
	x.Store(1, o.Scope(), o.Store())
	y.Store(2, o.Scope(), o.Store())
	return 0, 0
}

func (Independent[O]) Run(thread int, x, y *Atomic) (first, second uint32) {
	var o O
	if thread%2 == 1 {
		x, y = y, x
	}
	if thread < 2 {
		x.Store(1, o.Scope(), o.Store())
		return 0, 0
	}
	first = x.Load(o.Scope(), o.Load())
	return first, y.Load(o.Scope(), o.Load())
}

// Stride is how many numbers lie between the variables of two instances of a test: they
// share no cache line.
const Stride = 32

// meet has the threads of an instance begin at about the same time, if they can.
func meet(start *Atomic, threads int) {
	start.Add(1, dsl.ScopeSystem, dsl.Relaxed)
	for range 64 {
		if start.Load(dsl.ScopeSystem, dsl.Relaxed) >= uint32(threads) {
			return
		}
	}
}

// Grid runs instances of a test whose threads are of different blocks: block b is thread b modulo
// their number. out has for each thread and instance what it read, the second number in
// bits 8 and up.
func Grid[T Test](test T, x, y, start []Atomic, out []uint32, rounds int) {
	thread, group := dsl.BlockIdx().X%test.Threads(), dsl.BlockIdx().X/test.Threads()
	n := dsl.BlockDim().X
	for r := range rounds {
		i := (group*rounds+r)*n + (dsl.ThreadIdx().X*(2*thread+1)+7*r)%n
		meet(&start[i], test.Threads())
		first, second := test.Run(thread, &x[i*Stride], &y[i*Stride])
		out[thread*len(start)+i] = first | second<<8
	}
}

// warps is how many warps a block of Block has at most, for each thread of a test.
const warps = 4

// Block runs instances of a test in shared memory, whose threads are of different warps of a
// block. finals has the values of x and y that remain.
func Block[T Test](test T, out, finals []uint32, rounds int) {
	x, y := dsl.Shared[[warps * 64]Atomic](), dsl.Shared[[warps * 64]Atomic]()
	size, t := dsl.WarpSize(), dsl.ThreadIdx().X
	warp, lane := t/size, t%size
	thread, own := warp%test.Threads(), warp/test.Threads()*size
	instances := dsl.BlockDim().X / test.Threads()
	n := len(finals)
	for r := range rounds {
		at := (dsl.BlockIdx().X*rounds+r)*instances + own
		if thread == 0 {
			x[own+lane].Store(0, dsl.ScopeBlock, dsl.Relaxed)
			y[own+lane].Store(0, dsl.ScopeBlock, dsl.Relaxed)
		}
		dsl.SyncThreads()
		i := (lane*(2*thread+1) + 5*r) % size
		first, second := test.Run(thread, &x[own+i], &y[own+i])
		out[thread*n+at+i] = first | second<<8
		dsl.SyncThreads()
		if thread == 0 {
			finals[at+lane] = x[own+lane].Load(dsl.ScopeBlock, dsl.Relaxed) | y[own+lane].Load(dsl.ScopeBlock, dsl.Relaxed)<<8
		}
	}
}
