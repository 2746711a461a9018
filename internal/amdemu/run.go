package amdemu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Config is one launch. Grid is in blocks, Block in threads, Shared is the
// dynamic LDS in bytes.
type Config struct {
	Grid, Block [3]int
	Shared      int
	Args        []byte // the explicit kernel arguments
	Memory      *Memory
	// Barriers: a barrier that not all threads of a block reach is an error; the
	// hardware only waits for the waves that have not ended.
	Barriers bool
	// Budget is how many instructions a wave may execute, Idle how many all waves
	// together while none of them gets anywhere: stores, changes memory by an atomic
	// operation, or comes to a barrier. 0: no limit.
	Budget, Idle uint64
	// Trace, if not nil, is called for the instructions of one wave.
	Trace *Trace
	// Workers is how many blocks run at the same time; 0: GOMAXPROCS.
	Workers int
	// Cooperative: all blocks run at the same time, Resident at most.
	Cooperative bool
	// Stop, if not nil, ends the launch early once it is true.
	Stop func() bool
}

// A launch is one kernel being run.
type launch struct {
	Config
	kernel  *Kernel
	options *Config
	budget  uint64
	quiet   atomic.Uint64 // instructions since a wave got anywhere
	packet  []byte        // hsa_kernel_dispatch_packet_t
	kernarg []byte
	next    atomic.Int64 // the next block
	workers sync.WaitGroup
	running atomic.Int64 // workers
	fault   atomic.Pointer[Fault]
	mu      sync.Mutex
	stats   Stats
}

// Run executes the kernel and returns when all blocks have ended, or the first
// has failed, or Stop says so: then the error is a *Fault.
func (k *Kernel) Run(c Config) (*Stats, error) {
	l := &launch{Config: c, kernel: k, budget: c.Budget}
	l.options = &l.Config
	if l.Stop == nil {
		l.Stop = func() bool { return false }
	}
	if l.budget == 0 {
		l.budget = 1 << 62
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	release, err := l.arguments()
	if err != nil {
		return nil, err
	}
	defer release()
	workers := c.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if c.Cooperative {
		workers = Resident
	}
	workers = min(workers, l.blocks())
	waves := l.blocks() * l.wavesPerBlock()
	c.Memory.BeginLaunch()
	defer c.Memory.EndLaunch(waves)
	l.running.Store(int64(workers))
	for range workers - 1 {
		l.workers.Go(l.work)
	}
	l.work()
	l.workers.Wait()
	if f := l.fault.Load(); f != nil {
		return &l.stats, f
	}
	return &l.stats, nil
}

func (l *launch) blocks() int  { return l.Grid[0] * l.Grid[1] * l.Grid[2] }
func (l *launch) threads() int { return l.Block[0] * l.Block[1] * l.Block[2] }

func (l *launch) wavesPerBlock() int {
	return (l.threads() + l.kernel.waveSize - 1) / l.kernel.waveSize
}

// thread is the index of thread n of a block.
func (l *launch) thread(n int) [3]int {
	x, y := l.Block[0], l.Block[1]
	return [3]int{n % x, n / x % y, n / (x * y)}
}

// check says whether the launch fits the kernel.
func (l *launch) check() error {
	k := l.kernel
	for i := range 3 {
		if l.Grid[i] < 1 || l.Block[i] < 1 {
			return fmt.Errorf("a grid of %v blocks of %v threads", l.Grid, l.Block)
		}
	}
	switch n := l.threads(); {
	case l.Cooperative && l.blocks() > Resident:
		return fmt.Errorf("a cooperative grid of %d blocks, of which %d can run at once", l.blocks(), Resident)
	case n > k.maxThreads:
		return fmt.Errorf("%d threads in a block, the limit is %d", n, k.maxThreads)
	case l.Shared < 0 || l.Shared+k.lds > maxLDS:
		return fmt.Errorf("%d bytes of dynamic and %d of static shared memory, the limit is %d", l.Shared, k.lds, maxLDS)
	}
	return nil
}

// maxLDS is the LDS a workgroup can have, in bytes.
const maxLDS = 64 << 10

// Resident is how many blocks may have begun and not ended: more than the
// largest GPU's compute units.
const Resident = 512

// more adds a worker, for blocks that wait for blocks which have not begun.
func (l *launch) more() {
	if l.next.Load() >= int64(l.blocks()) {
		return
	}
	if l.running.Add(1) > Resident {
		l.running.Add(-1)
		return
	}
	l.workers.Go(l.work)
}

// work runs blocks until there are no more.
func (l *launch) work() {
	g := newGroup(l)
	n := int64(l.blocks())
	for i := l.next.Add(1) - 1; i < n; i = l.next.Add(1) - 1 {
		if l.fault.Load() != nil {
			break
		}
		if l.Stop() {
			l.failed(&Fault{Kernel: l.kernel.Name, Text: "stopped", Stopped: true, Lane: -1})
			break
		}
		g.begin(int(i))
		if l.fault.Load() == nil {
			g.run()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.add(g)
}

// newGroup makes the workgroup that a worker runs its blocks with.
func newGroup(l *launch) *group {
	k := l.kernel
	o := l.Memory.Options()
	g := &group{launch: l, lds: newLDS(k.lds+l.Shared, o)}
	g.lds.own, g.lds.ownEnd = uint64(max(k.lds-k.Own, 0)), uint64(k.lds)
	for i := range l.wavesPerBlock() {
		w := &wave{group: g, id: i, size: k.waveSize}
		w.v = make([]vector, k.vgprs)
		w.a = make([]vector, k.agprs)
		w.scratch = newScratch(w.size, k.scratch, o)
		n := min(l.threads()-i*w.size, w.size)
		w.all = ^uint64(0) >> (64 - n)
		g.waves = append(g.waves, w)
	}
	return g
}

// begin readies the group for a block.
func (g *group) begin(block int) {
	l := g.launch
	x, y := l.Grid[0], l.Grid[1]
	g.block = [3]int{block % x, block / x % y, block / (x * y)}
	g.arrived = 0
	g.lds.reset()
	for _, w := range g.waves {
		w.collect()
		w.done, w.waiting, w.count = false, false, 0
		w.arrivedIn = g.phase - 1
		w.scratch.reset()
		w.startMemory(l.Memory, block*len(g.waves)+w.id, g.launch)
		w.begin()
	}
}

// barrier is called when all waves have arrived.
func (g *group) barrier() {
	for _, w := range g.waves {
		w.passBarrier()
	}
}

// where implements places.
func (l *launch) where(pc uint64) string {
	at, _ := l.kernel.program.position(pc)
	if at == "" {
		at = fmt.Sprintf("%+#x", pc-l.kernel.entry)
	}
	return at
}

// waveName implements places.
func (l *launch) waveName(number int) string {
	n := l.wavesPerBlock()
	x, y, block := l.Grid[0], l.Grid[1], number/n
	return fmt.Sprintf("wave %d of block [%d %d %d]", number%n, block%x, block/x%y, block/(x*y))
}

// address is the host address of a slice's first byte.
func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
