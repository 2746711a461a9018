package host

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A slab is one allocation.
type slab struct {
	base   uintptr
	bytes  []byte
	mapped []byte // the mapping that bytes is part of, nil for Go memory
}

// A heap is the live allocations of one kind, sorted by address.
type heap struct {
	kind   string // of the device, for messages
	what   string // likewise
	poison bool
	mu     sync.Mutex
	slabs  []slab
	used   int64
	limit  int64
}

const (
	align = 256
	// slack is what can be read behind every allocation: a vector load may reach
	// past the last element.
	slack = 64
	// poison is what reading memory that was never written gives: a NaN in both float formats.
	poison = 0xFFFFA5A5_FFFFA5A5
	// poisonMax bounds how much of an allocation is poisoned: filling makes the
	// system provide every page.
	poisonMax = 64 << 20
	// Allocations from mapMin on are mappings of their own where memory is not
	// poisoned: free gives them back to the system at once, and large pages suit them.
	mapMin = 4 << 20
)

// alloc returns n bytes at an aligned address.
func (h *heap) alloc(n int) (unsafe.Pointer, error) {
	if n <= 0 {
		return nil, errs.F("%s: allocation of %d bytes", h.kind, n)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if int64(n) > h.limit-h.used {
		return nil, errs.F("%s: %w: %d bytes wanted, %d of %d bytes in use", h.kind, driver.ErrOutOfMemory, n, h.used, h.limit)
	}
	var s slab
	if n >= mapMin && !h.poison {
		var err error
		if s.mapped, s.bytes, err = mapPages(n + slack); err != nil {
			return nil, errs.F("%s: %w: %d bytes wanted, %d in use: %w", h.kind, driver.ErrOutOfMemory, n, h.used, err)
		}
	}
	if s.bytes == nil {
		// Words hold no pointers, and the collector does not move them.
		words := make([]uint64, (n+slack+7)/8+align/8)
		first := -uintptr(unsafe.Pointer(&words[0])) % align / 8
		s.bytes = unsafe.Slice((*byte)(unsafe.Pointer(&words[first])), n+slack)
	}
	s.bytes = s.bytes[:n]
	s.base = uintptr(unsafe.Pointer(&s.bytes[0]))
	if h.poison {
		fillPoison(s.bytes)
	}
	h.insert(s)
	h.used += int64(n)
	return unsafe.Pointer(&s.bytes[0]), nil
}

func (h *heap) insert(s slab) {
	i, _ := h.search(s.base)
	h.slabs = slices.Insert(h.slabs, i, s)
}

// register adds memory that is not the heap's own.
func (h *heap) register(p unsafe.Pointer, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.insert(slab{base: uintptr(p), bytes: unsafe.Slice((*byte)(p), n)})
}

// free ends the allocation at p.
func (h *heap) free(p unsafe.Pointer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.search(uintptr(p))
	if !ok {
		return h.errFree(p)
	}
	s := h.slabs[i]
	h.used -= int64(len(s.bytes))
	h.slabs = slices.Delete(h.slabs, i, i+1)
	if h.poison {
		fillPoison(s.bytes)
	}
	return unmapPages(s.mapped)
}

// check says whether free would find the allocation at p.
func (h *heap) check(p unsafe.Pointer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.search(uintptr(p)); !ok {
		return h.errFree(p)
	}
	return nil
}

func (h *heap) errFree(p unsafe.Pointer) error {
	return errs.F("%s: free of %p: no %s was allocated there, or it was freed before", h.kind, p, h.what)
}

// close gives back what was not freed.
func (h *heap) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var first error
	for _, s := range h.slabs {
		if err := unmapPages(s.mapped); err != nil && first == nil {
			first = err
		}
	}
	h.slabs, h.used = nil, 0
	return first
}

// view returns the n bytes at p if they lie in one allocation.
func (h *heap) view(p unsafe.Pointer, n int) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i, ok := h.search(uintptr(p))
	if !ok {
		i--
	}
	if i < 0 || uintptr(p)-h.slabs[i].base >= uintptr(len(h.slabs[i].bytes)) {
		return nil, errs.F("%s: %p is not in any %s", h.kind, p, h.what)
	}
	s := h.slabs[i]
	at := int(uintptr(p) - s.base)
	if n < 0 || n > len(s.bytes)-at {
		return nil, errs.F("%s: %d bytes at offset %d of %s of %d bytes", h.kind, n, at, h.what, len(s.bytes))
	}
	return s.bytes[at : at+n], nil
}

// search returns the place of the slab at base, and whether there is one.
func (h *heap) search(base uintptr) (int, bool) {
	return slices.BinarySearchFunc(h.slabs, base, func(s slab, base uintptr) int { return cmp.Compare(s.base, base) })
}

// fillPoison fills b, or the start of it, with poison.
func fillPoison(b []byte) {
	b = b[:min(len(b), poisonMax)]
	for i := 0; i < min(len(b), 8); i++ {
		b[i] = byte(uint64(poison) >> (i * 8))
	}
	for n := 8; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}
