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

	"heddle/internal/driver"
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
	// what says what the block is, where it is no buffer; after is called once it is freed.
	what  string
	after func() error

	freed atomic.Bool // set under mu

	mu   sync.Mutex // guards what follows
	pins int        // calls under way that copy from it or to it
	uses []use
	room [2]use // for uses: few buffers are ever used by more streams
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
	uses := slices.Clone(b.uses)
	b.mu.Unlock()
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
	return fmt.Sprintf("buffer of %d %s (allocated at %s)", b.len, b.elem, site(b.pc))
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
}

// search returns the index of the first live block that ends after p.
func (m *memory) search(p unsafe.Pointer) int {
	i, _ := slices.BinarySearchFunc(m.live, uintptr(p), func(b *block, p uintptr) int {
		if uintptr(b.base)+uintptr(b.size) < p {
			return -1
		}
		return 1
	})
	return i
}

// find returns the live block that p points into, or just past, nil if none.
func (m *memory) find(p unsafe.Pointer) *block {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := m.search(p); i < len(m.live) && uintptr(m.live[i].base) <= uintptr(p); i++ {
		// One that p is inside of, rather than its neighbour that ends there.
		b := m.live[i]
		if uintptr(p) < uintptr(b.base)+uintptr(b.size) || i+1 == len(m.live) || uintptr(m.live[i+1].base) > uintptr(p) {
			return b
		}
	}
	return nil
}

// alloc returns a new block of n elements of type t, zeroed unless its owner
// is about to fill it.
func (d *Device) alloc(t reflect.Type, n int, zero bool, pc uintptr) (*block, error) {
	b := &block{elem: t, len: n, pc: pc, size: n * int(t.Size())}
	if len(pointerOffsets(t, 0, nil)) > 0 {
		d.mem.mu.Lock()
		d.mem.indirect = true
		d.mem.mu.Unlock()
	}
	if b.size == 0 {
		return b, nil
	}
	d.drain()
	var err error
	if b.base, err = d.drv.Alloc(b.size); err != nil {
		// Memory may be waiting for work to end.
		if wait := d.syncForMemory(); wait != nil {
			return nil, wait
		}
		if b.base, err = d.drv.Alloc(b.size); err != nil {
			return nil, errs.F("launch: allocating %d bytes on %s: %w", b.size, d.info.Name, d.vendor(err))
		}
	}
	if zero {
		if err = d.service.Fill(b.base, 0, b.size); err == nil {
			err = d.service.Sync()
		}
		if err != nil {
			return nil, errs.Join(d.vendor(err), d.drv.Free(b.base))
		}
	}
	d.mem.insert(b)
	return b, nil
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
			found.add(d.vendor(d.drv.Free(b.base)))
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
func (m *memory) freeAll(drv driver.Device) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found faults
	for _, b := range append(m.live, m.waiting...) {
		b.freed.Store(true)
		found.add(b.ended())
		if b.variable == nil || b.variable.Kind != symbol.Managed {
			found.add(drv.Free(b.base))
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
		all = append(all, Allocation{site(b.pc), b.elem.String(), b.len, b.size})
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
	if d.enter() != nil {
		return // closed, and so freed
	}
	defer d.leave()
	// An error of a free that nobody asked for comes back from the next call.
	if was, _ := d.release(b); was && d.logLeak {
		logs.Warn("launch: buffer forgotten", "device", d.info.Name, "site", site(b.pc), "elem", b.elem, "len", b.len)
	}
}
