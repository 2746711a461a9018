package host

import (
	"sync/atomic"

	"heddle/internal/abi"
)

// A Panic keeps what the first launch of a function that panicked wrote, until it is
// taken.
type Panic struct {
	record atomic.Pointer[abi.PanicRecord]
}

// Keep keeps a record, unless there is one. It is not to change any more.
func (p *Panic) Keep(r *abi.PanicRecord) { p.record.CompareAndSwap(nil, r) }

// TakePanic implements driver.Function.
func (p *Panic) TakePanic() *abi.PanicRecord {
	if p.record.Load() == nil {
		return nil
	}
	return p.record.Swap(nil)
}
