package amdemu

import (
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Options say what a Memory checks and counts beyond the bounds of regions,
// which are always checked.
type Options struct {
	Uninitialised bool // loads of bytes that nothing wrote
	Races         bool // accesses of two waves with nothing to order them; see maxRaces
	Counters      bool // LDS bank conflicts and lines of global memory touched
}

// A Memory is what kernels may touch through global addresses, which are host
// addresses: the buffers of a device, images of programs, kernel arguments. It
// is safe for concurrent use; launches see regions added before they began.
type Memory struct {
	options Options
	mu      sync.Mutex                // held by those who change regions
	alone   sync.Mutex                // see detector
	regions atomic.Pointer[[]*region] // sorted by base, immutable
	epochs  []epoch                   // by wave: see race.go
	launch  atomic.Uint32             // counts launches begun, for race.go
}

// An arena is some memory and what the sanitizer knows of it, each field nil
// where that is not tracked.
type arena struct {
	kind    space
	base    uint64 // address of the first byte
	bytes   []byte
	written []byte       // 1 for each byte that was written
	whole   *atomic.Bool // of global memory: all were, written need not be read
	cells   []cell       // accesses to each dword, for races

	own, ownEnd uint64 // offsets between which variables of single threads are
}

// A space is one of the address spaces.
type space uint8

const (
	global space = iota
	local
	private
)

// A region is one allocation of global memory.
type region struct {
	arena
	name string
}

// NewMemory returns an empty Memory.
func NewMemory(o Options) *Memory {
	m := &Memory{options: o}
	m.regions.Store(new([]*region))
	if o.Races {
		m.epochs = make([]epoch, waveSlots)
	}
	return m
}

// Options are those the Memory was made with.
func (m *Memory) Options() Options { return m.options }

// Add makes size bytes at base accessible. name appears in errors ("the buffer
// of 1024 bytes"); initialised says that kernels may read all of it from the
// start. It fails where the region overlaps another.
func (m *Memory) Add(base unsafe.Pointer, size int, name string, initialised bool) error {
	if size <= 0 || base == nil {
		return fmt.Errorf("amdemu: a region of %d bytes at %p", size, base)
	}
	r := &region{name: name}
	r.base, r.bytes = uint64(uintptr(base)), unsafe.Slice((*byte)(base), size)
	r.track(m.options)
	r.whole = new(atomic.Bool)
	if initialised {
		r.written = nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.regions.Load()
	i := sort.Search(len(old), func(i int) bool { return old[i].base > r.base })
	if i > 0 && old[i-1].end() > r.base || i < len(old) && old[i].base < r.end() {
		return fmt.Errorf("amdemu: the region of %d bytes at %p overlaps another", size, base)
	}
	all := slices.Insert(slices.Clone(old), i, r)
	m.regions.Store(&all)
	return nil
}

// Remove makes the region that begins at base inaccessible again. It fails
// where there is none.
func (m *Memory) Remove(base unsafe.Pointer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := *m.regions.Load()
	i := slices.IndexFunc(old, func(r *region) bool { return r.base == uint64(uintptr(base)) })
	if i < 0 {
		return fmt.Errorf("amdemu: no region begins at %p", base)
	}
	all := slices.Delete(slices.Clone(old), i, i+1)
	m.regions.Store(&all)
	return nil
}

// Alone is held by each wave while it runs, where Go's race detector looks on: else nil.
// Who holds it may look at the memory of kernels that run.
func (m *Memory) Alone() sync.Locker {
	if detector {
		return &m.alone
	}
	return nil
}

// Ordered says that the host orders what kernels do to the region of an address, which no
// kernel has touched yet: no races are looked for there.
func (m *Memory) Ordered(addr unsafe.Pointer) {
	if r := m.find(uint64(uintptr(addr))); r != nil && r.cells != nil {
		r.cells = nil
	}
}

// Check reports whether n bytes at addr lie in one region; the error says where
// they lie instead.
func (m *Memory) Check(addr unsafe.Pointer, n int) error {
	a := uint64(uintptr(addr))
	if r := m.find(a); r != nil && a-r.base+uint64(n) <= uint64(len(r.bytes)) {
		return nil
	}
	return fmt.Errorf("%d bytes at %#x: %s", n, a, m.outside(a, uint64(n)))
}

// MarkWritten says that the host wrote n bytes at addr.
func (m *Memory) MarkWritten(addr unsafe.Pointer, n int) {
	r, off := m.tracked(addr)
	if r == nil {
		return
	}
	n = min(n, len(r.bytes)-off)
	fill(r.written[off:off+n], 1)
	if n == len(r.bytes) {
		r.whole.Store(true)
	}
}

// MarkCopied says that n bytes were copied from src to dst, and with them
// whether they were ever written.
func (m *Memory) MarkCopied(dst, src unsafe.Pointer, n int) {
	from, fromOff := m.tracked(src)
	if from == nil || from.whole.Load() {
		m.MarkWritten(dst, n)
		return
	}
	to, toOff := m.tracked(dst)
	if to == nil || to.whole.Load() {
		return // what is known to be written stays so: no false reports
	}
	copy(to.written[toOff:min(toOff+n, len(to.written))], from.written[fromOff:])
}

// tracked is the region of an address and the offset there, nil where written
// bytes are not tracked.
func (m *Memory) tracked(addr unsafe.Pointer) (*region, int) {
	r := m.find(uint64(uintptr(addr)))
	if r == nil || r.written == nil {
		return nil, 0
	}
	return r, int(uint64(uintptr(addr)) - r.base)
}

// find is the region that holds an address, nil if none does.
func (m *Memory) find(addr uint64) *region {
	all := *m.regions.Load()
	lo, hi := 0, len(all)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if all[mid].base <= addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && addr-all[lo-1].base < uint64(len(all[lo-1].bytes)) {
		return all[lo-1]
	}
	return nil
}

func (r *region) end() uint64 { return r.base + uint64(len(r.bytes)) }

// near is how far from a region an address is called out of its bounds.
const near = 1 << 20

// outside says where an address lies that is in no region, or an access of n
// bytes that leaves one.
func (m *Memory) outside(addr, n uint64) string {
	if addr < 4096 {
		return "nil pointer"
	}
	var before, after *region
	for _, r := range *m.regions.Load() {
		if r.base <= addr {
			before = r
		} else if after == nil {
			after = r
		}
	}
	switch {
	case before != nil && addr < before.end():
		return fmt.Sprintf("the last %d bytes of them are past the end of %s", addr+n-before.end(), before.describe())
	case after != nil && after.base-addr <= near && (before == nil || after.base-addr < addr-before.end()):
		return fmt.Sprintf("%d bytes before the start of %s", after.base-addr, after.describe())
	case before != nil && addr-before.end() <= near:
		return fmt.Sprintf("%d bytes past the end of %s", addr-before.end(), before.describe())
	}
	return "no memory of this device is near"
}

func (r *region) describe() string { return fmt.Sprintf("%s of %d bytes", r.name, len(r.bytes)) }

// fill sets every byte of a slice.
func fill(s []byte, b byte) {
	for i := range s {
		s[i] = b
	}
}

// maxRaces is the largest region in which races are looked for, in bytes: that
// takes six times as much memory.
const maxRaces = 128 << 20

// track makes what the options need for an arena's bytes.
func (a *arena) track(o Options) {
	if o.Uninitialised {
		a.written = make([]byte, len(a.bytes))
	}
	if o.Races && a.kind != private && len(a.bytes) <= maxRaces {
		a.cells = make([]cell, len(a.bytes)/4+1)
	}
}

// An lds is the local memory (LDS) of a workgroup, at addresses from 0.
type lds struct {
	arena
	order groupOrder // see race.go
	phase uint32     // changes at each barrier
}

// newLDS returns size bytes of LDS.
func newLDS(size int, o Options) *lds {
	l := &lds{arena: arena{kind: local, bytes: make([]byte, size)}}
	l.track(o)
	return l
}

// reset readies LDS for a workgroup: zero, but not written.
func (l *lds) reset() {
	clear(l.bytes)
	clear(l.written)
	l.resetRaces()
}

// A scratch is the private memory of a wave's lanes, at addresses from 0 in
// each. A lane's bytes are consecutive, and stride bytes from those of the next:
// more than it has, or the lanes would share few lines of the host's cache.
type scratch struct {
	arena
	lane, stride uint64
}

// newScratch returns private memory of perLane bytes for each of n lanes.
func newScratch(n, perLane int, o Options) scratch {
	stride := perLane&^63 + 64 + 16
	s := scratch{arena{kind: private, bytes: make([]byte, n*stride), ownEnd: uint64(n * stride)}, uint64(perLane), uint64(stride)}
	s.track(o)
	return s
}

// reset readies scratch for another wave: zero, but not written.
func (s *scratch) reset() {
	clear(s.bytes)
	clear(s.written)
}

// places names, in errors, what addresses of programs and numbers of waves are.
type places interface {
	where(pc uint64) string     // "file.go:12"
	waveName(number int) string // "wave 1 of block (0,0,0)"
}

// memState is what a wave keeps of its accesses to memory.
type memState struct {
	memory   *Memory
	places   places
	number   int           // of the wave in its launch, from 0
	last     *region       // where the last access was
	addr     [lanes]uint64 // of the current instruction, in the arena's addresses
	wrote    bool          // the wave has got anywhere since its turn began (Config.Idle)
	sync     uint32        // written at fences, for the host's ordering only
	span     uint64        // bytes of all lanes, if they are one after the other; else 0
	counters bool          // Options.Counters
	lines    [2 * lanes]uint64
	banks    [banks]bank
	race     raceState
	stats    memStats
}

// memStats are counts of one wave, kept where Options.Counters is set.
type memStats struct {
	Conflicts    uint64 // extra cycles of LDS instructions for bank conflicts
	Transactions uint64 // lines of global memory touched, by each instruction
	Bytes        uint64 // of global memory that lanes asked for
}

// startMemory readies a wave for a launch; number is the wave's in the launch.
func (w *wave) startMemory(m *Memory, number int, p places) {
	s := &w.mem
	s.memory, s.number, s.places, s.counters = m, number, p, m.options.Counters
	s.last, s.span, s.stats, s.race = nil, 0, memStats{}, raceState{}
	w.startRaces()
}

// BeginLaunch and EndLaunch enclose a launch of n waves, which is ordered with
// all that ends before it begins or begins when it has ended.
func (m *Memory) BeginLaunch() { m.launch.Add(1) }

func (m *Memory) EndLaunch(n int) {
	if !m.options.Races {
		return
	}
	most := uint32(0)
	for i := range m.epochs[:min(n, waveSlots)] {
		e := &m.epochs[i]
		now := e.count.Add(1)
		e.done.Store(now)
		most = max(most, now)
	}
	// Epochs in records have 24 bits: forget before they come round.
	if most > 1<<22 {
		m.forget()
	}
}

// forget drops all that is known for races.
func (m *Memory) forget() {
	for _, r := range *m.regions.Load() {
		clear(r.cells)
	}
	for i := range m.epochs {
		m.epochs[i].count.Store(0)
		m.epochs[i].done.Store(0)
	}
}
