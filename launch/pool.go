package launch

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Pool is device memory that streams take and give back in their order, without waiting
// (hipMemPool_t). What [Buffer.CloseAsync] gives back on a stream, [AllocAsync] on that
// stream may return at once. Every device has a default one ([Device.Pool]).
type Pool struct {
	dev *Device
	drv driver.Pool
	own bool // made by NewPool

	mu     sync.Mutex
	limit  int64 // 0 for none
	used   int64 // bytes of its open Buffers
	open   int   // how many these are
	closed bool
}

// PoolOptions choose how a pool keeps memory, in bytes; the zero value keeps none.
type PoolOptions struct {
	// ReleaseThreshold is how much the pool keeps for later when a stream is waited for; the
	// rest goes back to the device then (hipMemPoolAttrReleaseThreshold).
	ReleaseThreshold int64
	// Limit is the most that its Buffers may take together, 0 for no limit (maxSize of
	// hipMemPoolProps). An allocation above it is a *[PoolExhausted].
	Limit int64
}

// PoolStats are a pool's bytes: Used by what is allocated from it, Reserved of the
// device's memory, and the most that either was (hipMemPoolAttrUsedMemCurrent and the like).
type PoolStats struct{ Used, UsedHigh, Reserved, ReservedHigh int64 }

// A PoolExhausted is the error of an allocation that a pool's limit, or the device's
// memory, does not allow. Sizes in bytes.
type PoolExhausted struct {
	Device     string
	Want, Used int64
	Limit      int64 // 0 where the device's memory was the limit
	Cause      error // of the device, nil where the limit was the pool's
}

// Error tells the sizes.
func (e *PoolExhausted) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("launch: pool of %s is exhausted: %d bytes wanted, %d in use: %v", e.Device, e.Want, e.Used, e.Cause)
	}
	return fmt.Sprintf("launch: pool of %s is exhausted: %d bytes wanted, %d in use, the limit is %d; close Buffers, or raise PoolOptions.Limit", e.Device, e.Want, e.Used, e.Limit)
}

// Unwrap is the device's error.
func (e *PoolExhausted) Unwrap() error { return e.Cause }

// pools are a device's.
type pools struct {
	sync.Mutex
	usual *Pool
	all   []*Pool
}

// close closes what is open; the device is being closed.
func (p *pools) close() error {
	p.Lock()
	defer p.Unlock()
	var found faults
	for _, one := range p.all {
		found.add(one.drv.Close())
	}
	p.all = nil
	return found.err()
}

// NewPool returns a new pool of the device's memory (hipMemPoolCreate). Of several options the
// last counts.
func (d *Device) NewPool(options ...PoolOptions) (*Pool, error) {
	var o PoolOptions
	for _, o = range options {
	}
	if o.ReleaseThreshold < 0 || o.Limit < 0 {
		return nil, errs.F("launch: NewPool with a threshold of %d and a limit of %d bytes", o.ReleaseThreshold, o.Limit)
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	p, err := d.newPool(true)
	if err != nil {
		return nil, err
	}
	p.limit = o.Limit
	if o.ReleaseThreshold > 0 {
		if err := p.drv.SetThreshold(o.ReleaseThreshold); err != nil {
			return nil, errs.Join(d.vendor(err), p.Close())
		}
	}
	return p, nil
}

// Pool is the device's default pool, which [AllocAsync] takes from
// (hipDeviceGetDefaultMemPool). It has no limit of its own, and Close leaves it.
func (d *Device) Pool() (*Pool, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	return d.newPool(false)
}

// newPool makes a pool, or the default one unless there is one.
func (d *Device) newPool(own bool) (*Pool, error) {
	d.pools.Lock()
	defer d.pools.Unlock()
	if !own && d.pools.usual != nil {
		return d.pools.usual, nil
	}
	can, ok := d.drv.(driver.Pooler)
	if !ok {
		return nil, errs.F("launch: %s has no memory pools; use launch.Alloc", d.info.Name)
	}
	get := can.DefaultPool
	if own {
		get = can.NewPool
	}
	drv, err := get()
	if err != nil {
		return nil, d.vendor(err)
	}
	p := &Pool{dev: d, drv: drv, own: own}
	if !own {
		d.pools.usual = p
	}
	d.pools.all = append(d.pools.all, p)
	return p, nil
}

// enter begins a call on the pool; where it returns nil, dev.leave must follow.
func (p *Pool) enter(call string) error {
	if p == nil {
		return errs.F("launch: %s: nil Pool", call)
	}
	if err := p.dev.enter(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.dev.leave()
		return errs.F("launch: %s: the pool of %s is closed", call, p.dev.info.Name)
	}
	return nil
}

// Trim gives memory that no Buffer uses back to the device, but for keep bytes
// (hipMemPoolTrimTo).
func (p *Pool) Trim(keep int64) error {
	if err := p.enter("Trim"); err != nil {
		return err
	}
	defer p.dev.leave()
	if keep < 0 {
		return errs.F("launch: Trim to %d bytes", keep)
	}
	return p.dev.vendor(p.drv.Trim(keep))
}

// SetReleaseThreshold changes [PoolOptions.ReleaseThreshold] (hipMemPoolSetAttribute).
func (p *Pool) SetReleaseThreshold(bytes int64) error {
	if err := p.enter("SetReleaseThreshold"); err != nil {
		return err
	}
	defer p.dev.leave()
	if bytes < 0 {
		return errs.F("launch: SetReleaseThreshold of %d bytes", bytes)
	}
	return p.dev.vendor(p.drv.SetThreshold(bytes))
}

// Stats are the pool's bytes now (hipMemPoolGetAttribute), in the device's granules.
func (p *Pool) Stats() (PoolStats, error) {
	if err := p.enter("Stats"); err != nil {
		return PoolStats{}, err
	}
	defer p.dev.leave()
	s, err := p.drv.Stats()
	return PoolStats(s), p.dev.vendor(err)
}

// Close gives the pool back (hipMemPoolDestroy). While Buffers of it are open, or work uses
// them, it is an error. Closing twice is fine, and the default pool stays.
func (p *Pool) Close() error {
	if p == nil || !p.own || p.dev.enter() != nil {
		return nil
	}
	defer p.dev.leave()
	_ = p.dev.drain() // its errors come back from the next call
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil
	case p.open > 0:
		return errs.F("launch: closing a pool of %s with %d open Buffers of %d bytes; close them, and wait for their work", p.dev.info.Name, p.open, p.used)
	}
	p.closed = true
	p.dev.pools.Lock()
	p.dev.pools.all = slices.DeleteFunc(p.dev.pools.all, func(o *Pool) bool { return o == p })
	p.dev.pools.Unlock()
	return p.dev.vendor(p.drv.Close())
}

// take counts an allocation.
func (p *Pool) take(n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit > 0 && int64(n) > p.limit-p.used {
		return &PoolExhausted{Device: p.dev.info.Name, Want: int64(n), Used: p.used, Limit: p.limit}
	}
	p.used += int64(n)
	p.open++
	return nil
}

// give is the reverse.
func (p *Pool) give(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= int64(n)
	p.open--
}

// AllocAsync returns a Buffer of n elements of the default pool of s's device, all zero, for work
// of s from now on, and does not wait (hipMallocAsync). Another stream may use it after an event of
// s ([Stream.Record], [Stream.Wait]). [Buffer.CloseAsync] gives it back in a stream's order,
// Close when the work with it has ended.
func AllocAsync[T any](s *Stream, n int) (*Buffer[T], error) {
	pc := caller()
	b, err := s.allocAsync(nil, "AllocAsync", reflect.TypeFor[T](), n, true, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](s.dev, b), nil
}

// AllocUncleared is [AllocAsync] without the time that it takes to make the elements zero: they have any bits that the pool's memory has, which
// suits what is stored before it is loaded (hipMallocAsync). A T with pointers is cleared in any case.
func AllocUncleared[T any](s *Stream, n int) (*Buffer[T], error) {
	pc := caller()
	b, err := s.allocAsync(nil, "AllocUncleared", reflect.TypeFor[T](), n, false, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](s.dev, b), nil
}

// AllocFrom is [AllocAsync] from a pool of the stream's device (hipMallocFromPoolAsync). Above
// the pool's limit it is a *[PoolExhausted].
func AllocFrom[T any](p *Pool, s *Stream, n int) (*Buffer[T], error) {
	pc := caller()
	if p == nil {
		return nil, errs.F("launch: AllocFrom: nil Pool")
	}
	b, err := s.allocAsync(p, "AllocFrom", reflect.TypeFor[T](), n, true, pc)
	if err != nil {
		return nil, err
	}
	return bufferOf[T](s.dev, b), nil
}

func (s *Stream) allocAsync(p *Pool, call string, t reflect.Type, n int, clear bool, pc uintptr) (*block, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	d := s.dev
	defer d.leave()
	if err := checkLen(call, t, n); err != nil {
		return nil, err
	}
	if p == nil {
		var err error
		if p, err = d.Pool(); err != nil {
			return nil, err
		}
	}
	if p.dev != d {
		return nil, errs.F("launch: %s: the pool is of %s, the stream of %s", call, p.dev.Name(), d.besides(p.dev))
	}
	if err := p.enter(call); err != nil {
		return nil, err
	}
	defer d.leave()
	b := &block{elem: t, len: n, size: n * int(t.Size()), pc: pc, kind: PoolMemory, pool: p}
	b.free = func() error {
		err := p.drv.Free(d.service, b.base)
		p.give(b.size)
		return err
	}
	if b.size == 0 {
		return b, nil
	}
	_ = d.drain()
	err := p.take(b.size)
	if err != nil { // what waits for work to end may be in the way
		if wait := d.syncForMemory(); wait != nil {
			return nil, wait
		}
		err = p.take(b.size)
	}
	if err != nil {
		return nil, err
	}
	if err := s.fillBlock(call, b, clear); err != nil {
		p.give(b.size)
		return nil, err
	}
	return b, nil
}

// fillBlock queues the allocation of a block.
func (s *Stream) fillBlock(call string, b *block, clear bool) error {
	d, p := s.dev, b.pool
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errs.Join(s.ready(), s.now(call)); err != nil {
		return err
	}
	var err error
	if b.base, err = p.drv.Alloc(s.drv, b.size); err != nil {
		if err = s.vendor(err); d.lost.Load() != nil {
			return err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		return &PoolExhausted{Device: d.info.Name, Want: int64(b.size), Used: p.used - int64(b.size), Cause: err}
	}
	pointers := len(pointerOffsets(b.elem, 0, nil)) > 0
	if clear || pointers {
		if err := s.drv.Fill(b.base, 0, b.size); err != nil {
			return errs.Join(s.vendor(err), p.drv.Free(s.drv, b.base))
		}
	}
	s.seq++
	b.note(s, s.seq)
	if pointers {
		d.mem.mu.Lock()
		d.mem.indirect = true
		d.mem.mu.Unlock()
	}
	d.mem.insert(b)
	return nil
}

// CloseAsync gives memory of [AllocAsync] back to its pool behind the work of s so far and all
// other work with the Buffer, and does not wait (hipFreeAsync). Later work with b is an error.
// Closing twice is fine.
func (b *Buffer[T]) CloseAsync(s *Stream) error {
	if b == nil || b.header.own == nil || b.header.isKept || b.header.closed.Load() {
		return nil
	}
	return s.closeAsync(b.head())
}

func (s *Stream) closeAsync(h *header) error {
	b := h.own.b
	if h.view || b.size == 0 {
		h.closed.Store(true)
		return nil
	}
	if b.pool == nil {
		return errs.F("launch: CloseAsync: %v is %s memory; close it with Close", b, b.kind)
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if h.dev != s.dev {
		return errs.F("launch: CloseAsync: %v is on %s, the stream on %s", b, h.dev.Name(), s.dev.besides(h.dev))
	}
	s.mu.Lock()
	err := s.now("CloseAsync")
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := s.behind(b); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errs.Join(s.ready(), s.now("CloseAsync")); err != nil {
		return err
	}
	if h.closed.Swap(true) {
		return nil
	}
	b.mu.Lock()
	pinned, was := b.pins > 0, b.freed.Load()
	if !pinned && !was {
		b.freed.Store(true)
	}
	b.mu.Unlock()
	if was {
		return nil
	}
	if pinned { // a call that copies it is under way: its end frees it
		s.mu.Unlock()
		defer s.mu.Lock()
		_, err := h.dev.release(b)
		return err
	}
	h.dev.mem.remove(b)
	err = s.vendor(b.pool.drv.Free(s.drv, b.base))
	b.pool.give(b.size)
	s.seq++
	return err
}

// behind makes s wait for the work of other streams with the block.
func (s *Stream) behind(b *block) error {
	var others []*Stream
	s.dev.mem.mu.Lock()
	indirect := s.dev.mem.indirect
	s.dev.mem.mu.Unlock()
	if indirect {
		others = s.dev.streams()
	}
	b.mu.Lock()
	for _, u := range b.uses {
		if !u.s.past(u.seq) && !slices.Contains(others, u.s) {
			others = append(others, u.s)
		}
	}
	b.mu.Unlock()
	for _, o := range others {
		if o == s || o.closed.Load() {
			continue // a closed stream has no work
		}
		e, err := o.Record()
		if err == nil {
			err = s.Wait(e)
		}
		if err = errs.Join(err, e.Close()); err != nil {
			return err
		}
	}
	return nil
}

// remove takes a block off the list of those that live.
func (m *memory) remove(b *block) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.live, b); i >= 0 {
		m.live = slices.Delete(m.live, i, i+1)
	}
}
