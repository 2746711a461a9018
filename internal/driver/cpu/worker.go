package cpu

import (
	"sync"

	"heddle/internal/abi"
	"heddle/internal/errs"
)

// A worker is the memory that one running call of compiled code has to itself.
type worker struct {
	native abi.NativeWorker
	args   [2]uintptr // of the call: kept, since those of a new call are allocated
	need   need       // what it has
	shared region
	stacks region // the stacks, then their fibers
}

// need is the memory that a block of some launch takes.
type need struct {
	shared int // bytes
	stacks int // how many
	stack  int // bytes of each
}

const (
	// keepStacks is up to how many bytes of address space stacks that suit several
	// kernels at once may take.
	keepStacks = 1 << 30
	// fiberSize is what compiled code keeps of each stack.
	fiberSize = 16
	// colour is by how much each stack is moved besides whole pages, so that the
	// same frame of all warps does not compete for the same lines of the cache.
	colour = 17 * 64
)

// fit makes the worker's memory suffice for n.
func (w *worker) fit(n need) error {
	if n.shared > w.need.shared || w.shared == nil {
		if err := w.shared.grow(n.shared); err != nil {
			w.need.shared = 0
			return errs.F("%d bytes of shared memory: %w", n.shared, err)
		}
		w.need.shared = n.shared
		w.native.Shared = w.shared.address()
	}
	if n.stacks > w.need.stacks || n.stack > w.need.stack {
		if stacks, stack := max(n.stacks, w.need.stacks), max(n.stack, w.need.stack); stacks*stack <= keepStacks {
			n.stacks, n.stack = stacks, stack
		}
		if err := w.growStacks(n); err != nil {
			w.need.stacks, w.need.stack = 0, 0
			return errs.F("%d stacks of %d bytes: %w", n.stacks, n.stack, err)
		}
		w.need.stacks, w.need.stack = n.stacks, n.stack
	}
	return nil
}

// growStacks lays out, from low addresses to high: for each stack, a guard page
// within two unused ones and the stack; at last the fibers.
func (w *worker) growStacks(n need) error {
	guard := 2 * pageSize
	size := (n.stack + pageSize - 1) / pageSize * pageSize
	stride := size + guard + colour
	all := guard + n.stacks*stride
	if err := w.stacks.grow(all + n.stacks*fiberSize); err != nil {
		return err
	}
	for i := range n.stacks {
		// The first whole page below the stack.
		low := (guard + i*stride) / pageSize * pageSize
		if err := w.stacks.forbid(low-pageSize, pageSize); err != nil {
			return err
		}
	}
	base := w.stacks.address()
	w.native.Stacks = base + uintptr(guard)
	w.native.Stride, w.native.Size = uint64(stride), uint64(size)
	w.native.Fibers = base + uintptr((all+15)/16*16)
	return nil
}

func (w *worker) close() error { return errs.Join(w.shared.free(), w.stacks.free()) }

// workers are those that run nothing at the moment.
type workers struct {
	mu    sync.Mutex
	spare []*worker
}

// take returns a worker with what n says, the one used last if there is any:
// its memory is in the cache.
func (s *workers) take(n need) (*worker, error) {
	s.mu.Lock()
	var w *worker
	if i := len(s.spare); i > 0 {
		w = s.spare[i-1]
		s.spare = s.spare[:i-1]
	}
	s.mu.Unlock()
	if w == nil {
		w = new(worker)
	}
	if err := w.fit(n); err != nil {
		return nil, errs.Join(err, w.close())
	}
	return w, nil
}

func (s *workers) give(w *worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, w)
}

func (s *workers) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for _, w := range s.spare {
		all = append(all, w.close())
	}
	s.spare = nil
	return errs.Join(all...)
}
