package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Threads that wait for one that has panicked: the launch ends.

// waitInVain has the first thread panic while all others wait for it.
func waitInVain(how, n int, a []int32, state []dsl.Atomic[uint32]) {
	const ready, held, arrived = 0, 1, 2
	inBlock := dsl.Shared[dsl.Atomic[uint32]]()
	first := dsl.GlobalIdx().X == 0
	if dsl.ThreadIdx().X == 0 {
		inBlock.Store(0, dsl.ScopeBlock, dsl.Relaxed)
	}
	dsl.SyncThreads()
	if first {
		state[held].Store(1, dsl.ScopeDevice, dsl.Relaxed)
		a[n]++
		state[held].Store(0, dsl.ScopeDevice, dsl.Relaxed)
		state[ready].Store(1, dsl.ScopeDevice, dsl.Relaxed)
		inBlock.Store(1, dsl.ScopeBlock, dsl.Relaxed)
	}
	switch how {
	case 0:
		for state[ready].Load(dsl.ScopeDevice, dsl.Acquire) == 0 {
		}
	case 1:
		for state[ready].Load(dsl.ScopeDevice, dsl.Relaxed) == 0 || !takes(&state[held]) {
		}
	case 2:
		gridBarrierOf(&state[arrived])
	case 3:
		for old := uint32(0); ; {
			if old = inBlock.Add(0, dsl.ScopeBlock, dsl.Relaxed); old > 0 && dsl.BlockIdx().X == 0 {
				break
			}
		}
	}
	dsl.SyncThreads()
	a[0] = int32(how)
}

// takes tries to take a lock.
func takes(lock *dsl.Atomic[uint32]) bool {
	_, ok := lock.CompareExchange(0, 1, dsl.ScopeDevice, dsl.Acquire)
	return ok
}

// gridBarrierOf waits for all threads of the grid.
func gridBarrierOf(count *dsl.Atomic[uint32]) {
	count.Add(1, dsl.ScopeDevice, dsl.AcqRel)
	for count.Load(dsl.ScopeDevice, dsl.Acquire) < uint32(dsl.GridDim().X*dsl.BlockDim().X) {
	}
}

func waitCase() Case {
	k := kernel.New(waitInVain)
	return Case{"panic/waiting", "panics", []*kernel.Kernel{k}, func(t *T) {
		for how, name := range []string{"a flag", "a lock", "the grid", "the block"} {
			for range 3 { // the memory of panics is made ready again
				a, state := alloc[int32](t, 5), alloc[dsl.Atomic[uint32]](t, 3)
				cfg := launch.Config{Grid: launch.Dim3{X: 2}, Block: launch.Dim3{X: 96}, Cooperative: how == 2}
				p := t.fails(k, cfg, how, a.Len(), a, state)
				if want := "index out of range [5] with length 5"; p.Value != want || p.Block.X != 0 || p.Thread.X != 0 {
					t.Errorf("%s: %v, want %s of the first thread", name, p, want)
				}
			}
		}
	}}
}
