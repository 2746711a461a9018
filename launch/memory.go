package launch

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/errs"
	"heddle/internal/logs"
	"heddle/internal/symbol"
)

// A block is one piece of device memory. Buffers share it; the device lists it
// while it lives. It knows which streams still have work with it, so that it
// is freed no earlier than that work ends.
type block struct {
	base unsafe.Pointer
	size int
	elem reflect.Type
	len  int
	pc   uintptr // of the call that allocated it
	// variable is the device variable that the block is the instance of: it lives as long as
	// the device.
	variable *symbol.Variable
	copies   copies // of a constant
	// What memory it is, if not the device's own: see kind.go.
	kind MemoryKind
	host unsafe.Pointer // the host's address of it, nil if the host has none
	keep unsafe.Pointer // Go memory that is registered
	pool *Pool          // that it is from
	free func() error   // how it is given back, nil for driver.Device.Free
	kept atomic.Bool    // the host has its address: only Close frees it
	// what says what the block is, where it is no buffer; after is called once it is freed.
	what  string
	after func() error
	// over is a pinned block, whose memory the textures in this one sample: what uses this uses that.
	over *block

	freed atomic.Bool // set under mu

	mu       sync.Mutex // guards what follows
	pins     int        // calls under way that copy from it or to it, and graphs
	captures int        // streams that are being captured with work with it
	uses     []use
	room     [2]use // for uses: few buffers are ever used by more streams
}

// A use is the latest work of a stream with a block.
type use struct {
	s   *Stream
	seq uint64
}

// note records that the seq-th piece of work of s uses the block, and reports
// whether it may: a block that is closed is about to be freed.
func (b *block) note(s *Stream, seq uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed.Load() {
		return false
	}
	b.noteLocked(s, seq)
	if o := b.over; o != nil { // it may be closed: the pin keeps its memory
		o.mu.Lock()
		o.noteLocked(s, seq)
		o.mu.Unlock()
	}
	return true
}

func (b *block) noteLocked(s *Stream, seq uint64) {
	for i := range b.uses {
		if b.uses[i].s == s {
			b.uses[i].seq = seq
			return
		}
	}
	if b.uses == nil {
		b.uses = b.room[:0]
	}
	for i, u := range b.uses {
		if u.s.past(u.seq) && !u.s.faulty.Load() {
			b.uses[i] = use{s, seq}
			return
		}
	}
	b.uses = append(b.uses, use{s, seq})
}

// pin keeps the block from being freed until unpin, and reports whether it is
// still open.
func (b *block) pin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed.Load() {
		return false
	}
	b.pins++
	return true
}

// unpin undoes pin; a block that was closed in between is freed now.
func (d *Device) unpin(b *block) {
	b.mu.Lock()
	b.pins--
	last := b.pins == 0 && b.freed.Load()
	b.mu.Unlock()
	if last {
		_ = d.drain() // an error of a free that nobody asked for comes back from the next call
	}
}

// wait waits, for as long as ctx lasts, for all work with the block and returns its
// streams' errors.
func (b *block) wait(ctx context.Context) error {
	b.mu.Lock()
	uses, captured := slices.Clone(b.uses), b.captures > 0
	b.mu.Unlock()
	if captured {
		return errs.F("launch: %v is used by a stream that is being captured, whose work is not queued: EndCapture before a call that waits for it", b)
	}
	var found faults
	for _, u := range uses {
		if u.s.past(u.seq) {
			found.add(u.s.take())
		} else {
			found.add(u.s.waitContext(ctx))
		}
	}
	return found.err()
}

// waitFor waits, for as long as ctx lasts, for all work that uses b and returns its
// streams' errors.
func (d *Device) waitFor(ctx context.Context, b *block) error {
	d.mem.mu.Lock()
	indirect := d.mem.indirect
	d.mem.mu.Unlock()
	if !indirect {
		return b.wait(ctx)
	}
	var found faults
	for _, s := range d.streams() {
		found.add(s.waitContext(ctx))
	}
	return found.err()
}

// idle reports whether all work with the block is done, without waiting.
func (b *block) idle() bool {
	b.mu.Lock()
	uses, pinned := slices.Clone(b.uses), b.pins > 0
	b.mu.Unlock()
	if pinned {
		return false
	}
	for _, u := range uses {
		if !u.s.past(u.seq) && !u.s.poll() {
			return false
		}
	}
	return true
}

func (b *block) String() string {
	if b.variable != nil {
		return b.describe()
	}
	if b.what != "" {
		return fmt.Sprintf("%s (allocated at %s)", b.what, site(b.pc))
	}
	return fmt.Sprintf("%sbuffer of %d %s (allocated at %s)", b.kind.prefix(), b.len, b.elem, site(b.pc))
}

// ended frees what came with the block.
func (b *block) ended() error {
	if b.after == nil {
		return nil
	}
	return b.after()
}

// site is the file and line of a pc that runtime.Callers gave.
func site(pc uintptr) string {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	if f.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
}

// memory is the device memory in use.
type memory struct {
	mu      sync.Mutex
	live    []*block // by ascending address
	waiting []*block // closed, but work with it was not done yet
	// indirect: some buffer holds device addresses, so that a kernel may use a
	// block that no argument names. Then all streams count as users of all blocks.
	indirect bool
	// locking is held by who registers memory of Go.
	locking sync.Mutex
	// foreign: streams of other devices may use blocks.
	foreign bool
}

// search returns the index of the first live block that ends after p.
func (m *memory) search(p uintptr) int {
	i, _ := slices.BinarySearchFunc(m.live, p, func(b *block, p uintptr) int {
		if uintptr(b.base)+uintptr(b.size) < p {
			return -1
		}
		return 1
	})
	return i
}

// find returns the live block that p points into, or just past, nil if none.
func (m *memory) find(p unsafe.Pointer) *block { return m.at(uintptr(p)) }

// at is find for an address that may have been one of Go's heap.
func (m *memory) at(p uintptr) *block {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := m.search(p); i < len(m.live) && uintptr(m.live[i].base) <= p; i++ {
		// One that p is inside of, rather than its neighbour that ends there.
		b := m.live[i]
		if p < uintptr(b.base)+uintptr(b.size) || i+1 == len(m.live) || uintptr(m.live[i+1].base) > p {
			return b
		}
	}
	return nil
}

// alloc returns a new block of n elements of type t, zeroed unless its owner
// is about to fill it.
func (d *Device) alloc(t reflect.Type, n int, zero bool, pc uintptr) (*block, error) {
	b := &block{elem: t, len: n, pc: pc, size: n * int(t.Size())}
	return b, d.obtain(b, zero, func() (err error) {
		b.base, err = d.drv.Alloc(b.size)
		return err
	})
}

// obtain gets the memory of a block by get, zeroes it if zero says so, and lists the block.
func (d *Device) obtain(b *block, zero bool, get func() error) error {
	if len(pointerOffsets(b.elem, 0, nil)) > 0 {
		d.mem.mu.Lock()
		d.mem.indirect = true
		d.mem.mu.Unlock()
	}
	if b.size == 0 {
		return nil
	}
	d.drain()
	if err := get(); err != nil {
		// Memory may be waiting for work to end.
		if wait := d.syncForMemory(); wait != nil {
			return wait
		}
		if err = get(); err != nil {
			return errs.F("launch: allocating %d bytes %son %s: %w", b.size, b.kind.of(), d.info.Name, d.vendor(err))
		}
	}
	if zero {
		if err := d.zero(b); err != nil {
			return errs.Join(d.vendor(err), b.giveBack(d))
		}
	}
	d.mem.insert(b)
	return nil
}

// zero sets a new block to zero.
func (d *Device) zero(b *block) error {
	if b.host != nil && b.kind != ManagedMemory {
		clear(unsafe.Slice((*byte)(b.host), b.size))
		return nil
	}
	if err := d.service.Fill(b.base, 0, b.size); err != nil {
		return err
	}
	return d.service.Sync()
}

// giveBack frees the block's memory.
func (b *block) giveBack(d *Device) error {
	if b.free != nil {
		return b.free()
	}
	return d.drv.Free(b.base)
}

// insert adds a live block.
func (m *memory) insert(b *block) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Not where search says: one that ends where b begins comes before b.
	i, _ := slices.BinarySearchFunc(m.live, uintptr(b.base), func(o *block, at uintptr) int { return cmp.Compare(uintptr(o.base), at) })
	m.live = slices.Insert(m.live, i, b)
}

// syncForMemory waits for the work that closed buffers wait for, and frees
// them. The errors of that work stay with its streams.
func (d *Device) syncForMemory() error {
	d.mem.mu.Lock()
	waiting := len(d.mem.waiting)
	d.mem.mu.Unlock()
	if waiting == 0 {
		return nil
	}
	for _, s := range d.streams() {
		s.rest()
	}
	return d.drain()
}

// release frees a block once the work with it is done: now, if it is. It
// reports whether the block was live.
func (d *Device) release(b *block) (bool, error) {
	b.mu.Lock()
	was := b.freed.Swap(true)
	b.mu.Unlock()
	if was || b.size == 0 {
		return !was, nil
	}
	d.mem.mu.Lock()
	if i := slices.Index(d.mem.live, b); i >= 0 {
		d.mem.live = slices.Delete(d.mem.live, i, i+1)
	}
	indirect := d.mem.indirect
	d.mem.mu.Unlock()
	if indirect {
		for _, s := range d.streams() {
			seq := s.submitted()
			b.mu.Lock()
			b.noteLocked(s, seq)
			b.mu.Unlock()
		}
	}
	d.mem.mu.Lock() // only now, or another goroutine would free it before
	d.mem.waiting = append(d.mem.waiting, b)
	d.mem.mu.Unlock()
	return true, d.drain()
}

// drain frees the closed blocks that no work uses any more.
func (d *Device) drain() error {
	d.mem.mu.Lock()
	waiting := d.mem.waiting
	d.mem.waiting = nil
	d.mem.mu.Unlock()
	if len(waiting) == 0 {
		return nil
	}
	var found faults
	var busy []*block
	for _, b := range waiting {
		if b.idle() {
			found.add(d.vendor(b.giveBack(d)))
			found.add(d.vendor(b.ended()))
		} else {
			busy = append(busy, b)
		}
	}
	d.mem.mu.Lock()
	d.mem.waiting = append(d.mem.waiting, busy...)
	d.mem.mu.Unlock()
	return found.err()
}

// freeAll frees every block; the device is idle and is being closed.
func (m *memory) freeAll(d *Device) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found faults
	for _, b := range append(m.live, m.waiting...) {
		b.freed.Store(true)
		found.add(b.ended())
		if b.variable == nil || b.variable.Kind != symbol.Managed {
			found.add(b.giveBack(d))
		}
	}
	m.live, m.waiting = nil, nil
	return found.err()
}

// An Allocation is one live piece of device memory.
type Allocation struct {
	Site  string // file:line of the Alloc or Upload
	Elem  string // the Go type of its elements
	Len   int
	Bytes int
	Kind  MemoryKind
}

// Allocations lists the buffers that are not closed, by address: at the end of
// a program, those it forgot.
func (d *Device) Allocations() []Allocation {
	d.mem.mu.Lock()
	defer d.mem.mu.Unlock()
	var all []Allocation
	for _, b := range d.mem.live {
		if b.variable != nil {
			continue
		}
		all = append(all, Allocation{site(b.pc), b.elem.String(), b.len, b.size, b.kind})
	}
	return all
}

// reportLeaks logs what Allocations returns, if HEDDLE_LOG asks for leaks.
func (d *Device) reportLeaks() {
	if !d.logLeak {
		return
	}
	for _, a := range d.Allocations() {
		logs.Warn("launch: buffer not closed", "device", d.info.Name, "site", a.Site, "elem", a.Elem, "len", a.Len)
	}
}

// collect is the backstop for a block that no Buffer refers to any more.
func (d *Device) collect(b *block) {
	if b.kept.Load() || d.enter() != nil {
		return // closed, and so freed
	}
	defer d.leave()
	// An error of a free that nobody asked for comes back from the next call.
	if was, _ := d.release(b); was && d.logLeak {
		logs.Warn("launch: buffer forgotten", "device", d.info.Name, "site", site(b.pc), "elem", b.elem, "len", b.len)
	}
}
