package host

import (
	"slices"
	"sync"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A pool implements driver.Pool: memory that streams take and give back in their order.
// What is given back on a stream serves that stream at once, and others when it has come
// there.
type pool struct {
	dev *device
	own bool // not the default pool

	mu        sync.Mutex
	used      map[unsafe.Pointer]int // sizes of the chunks in use
	free      []chunk
	threshold int64
	stats     driver.PoolStats
}

// A chunk is memory that waits for its next user, who may have it after free.
type chunk struct {
	p    unsafe.Pointer
	size int
	free mark
}

// granule divides the sizes of chunks.
const granule = 512

// NewPool implements driver.Pooler.
func (d *device) NewPool() (driver.Pool, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	return d.addPool(true), nil
}

// DefaultPool implements driver.Pooler.
func (d *device) DefaultPool() (driver.Pool, error) {
	d.mu.Lock()
	i := slices.IndexFunc(d.pools, func(p *pool) bool { return !p.own })
	if i >= 0 {
		defer d.mu.Unlock()
		return d.pools[i], nil
	}
	d.mu.Unlock()
	return d.addPool(false), nil
}

func (d *device) addPool(own bool) *pool {
	p := &pool{dev: d, own: own, used: map[unsafe.Pointer]int{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pools = append(d.pools, p)
	d.pooled.Store(true)
	return p
}

// stream is s as a stream of the pool's device.
func (p *pool) stream(s driver.Stream) (*stream, error) {
	own, ok := s.(*stream)
	if !ok || own.dev != p.dev {
		return nil, p.dev.errorf("the stream is of another device")
	}
	return own, nil
}

// Alloc implements driver.Pool. Kernels see the memory from the stream's present end on.
func (p *pool) Alloc(s driver.Stream, n int) (driver.Ptr, error) {
	own, err := p.stream(s)
	if err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, p.dev.errorf("allocation of %d bytes", n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	size := (n + granule - 1) / granule * granule
	c, ok := p.take(own, size)
	if !ok {
		c.size = size
		if c.p, err = p.grow(size); err != nil {
			return nil, err
		}
		p.stats.Reserved += int64(size)
		p.stats.ReservedHigh = max(p.stats.ReservedHigh, p.stats.Reserved)
	}
	if _, err := own.submit(action(func() error { return p.dev.watcher.Allocated(c.p, n, len(p.dev.viewing()) > 0) })); err != nil {
		p.free = append(p.free, c)
		return nil, err
	}
	p.used[c.p] = c.size
	p.stats.Used += int64(c.size)
	p.stats.UsedHigh = max(p.stats.UsedHigh, p.stats.Used)
	return c.p, nil
}

// grow takes memory of the device. Other devices see it from now on, this one when the
// stream has come to its allocation.
func (p *pool) grow(size int) (unsafe.Pointer, error) {
	p.dev.sharing.RLock()
	at, err := p.dev.memory.alloc(size)
	if err == nil {
		err = p.dev.show(at, size)
	}
	p.dev.sharing.RUnlock()
	if err == nil || len(p.free) == 0 {
		return at, err
	}
	if err := p.trim(0); err != nil { // what waits for a later user may be in the way
		return nil, err
	}
	p.dev.sharing.RLock()
	defer p.dev.sharing.RUnlock()
	if at, err = p.dev.memory.alloc(size); err == nil {
		err = p.dev.show(at, size)
	}
	return at, err
}

// take finds the smallest chunk that serves s; half of it at most may be in vain.
func (p *pool) take(s *stream, size int) (chunk, bool) {
	best := -1
	for i, c := range p.free {
		if c.size < size || c.size > 2*size || best >= 0 && c.size >= p.free[best].size {
			continue
		}
		if c.free.s == s || c.free.passed() {
			best = i
		}
	}
	if best < 0 {
		return chunk{}, false
	}
	c := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	return c, true
}

// Free implements driver.Pool.
func (p *pool) Free(s driver.Stream, at driver.Ptr) error {
	own, err := p.stream(s)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	size, ok := p.used[at]
	if !ok {
		return p.dev.errorf("free of %p: the pool has no allocation there", at)
	}
	end, err := own.submit(action(func() error {
		if p.dev.memory.poison {
			fillPoison(unsafe.Slice((*byte)(at), size))
		}
		return p.dev.watcher.Freed(at)
	}))
	if err != nil {
		return err
	}
	delete(p.used, at)
	p.stats.Used -= int64(size)
	p.free = append(p.free, chunk{at, size, end})
	return nil
}

// SetThreshold implements driver.Pool.
func (p *pool) SetThreshold(n int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.threshold = n
	return nil
}

// Trim implements driver.Pool.
func (p *pool) Trim(keep int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trim(keep)
}

// trim frees chunks that no work uses until the pool holds keep bytes; p.mu is held.
func (p *pool) trim(keep int64) error {
	var all []error
	p.free = slices.DeleteFunc(p.free, func(c chunk) bool {
		if p.stats.Reserved <= keep || !c.free.passed() {
			return false
		}
		p.stats.Reserved -= int64(c.size)
		p.dev.sharing.RLock()
		defer p.dev.sharing.RUnlock()
		all = append(all, p.dev.hide(c.p), p.dev.memory.free(c.p))
		return true
	})
	return errs.Join(all...)
}

// Stats implements driver.Pool.
func (p *pool) Stats() (driver.PoolStats, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats, nil
}

// Close implements driver.Pool.
func (p *pool) Close() error {
	if !p.own {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.used); n > 0 {
		return p.dev.errorf("%d allocations of the pool are in use", n)
	}
	for _, c := range p.free {
		c.free.wait()
	}
	p.dev.mu.Lock()
	p.dev.pools = slices.DeleteFunc(p.dev.pools, func(o *pool) bool { return o == p })
	p.dev.mu.Unlock()
	return p.trim(0)
}

// trimPools gives back what the pools hold above their thresholds: a stream was waited for.
func (d *device) trimPools() error {
	d.mu.Lock()
	pools := slices.Clone(d.pools)
	d.mu.Unlock()
	var all []error
	for _, p := range pools {
		p.mu.Lock()
		all = append(all, p.trim(p.threshold))
		p.mu.Unlock()
	}
	return errs.Join(all...)
}
