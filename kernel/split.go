package kernel

import (
	"heddle/internal/errs"
	"heddle/launch"
)

// A Part is one device's part of n elements: From to To.
type Part struct {
	Index, Of int // which part, of how many
	From, To  int
	Stream    *launch.Stream
}

// Len is the number of elements.
func (p Part) Len() int { return p.To - p.From }

// Parts divides n elements among streams, of a device each, in parts that differ by one at most.
func Parts(n int, streams ...*launch.Stream) []Part {
	var parts []Part
	for i, s := range streams {
		parts = append(parts, Part{i, len(streams), n * i / len(streams), n * (i + 1) / len(streams), s})
	}
	return parts
}

// Split launches the kernel over several devices: f is called for each stream with its part of n elements, and returns the shape
// and the arguments of the launch there, which are that device's Buffers. The parts run at once. A part without elements
// is not launched. If a part cannot be launched, the error says which, and the others are queued all the same.
//
//	err := saxpy.Split(n, streams, func(p kernel.Part) (launch.Config, []any) {
//		return launch.Linear(p.Len(), 256), []any{float32(2), x[p.Index], y[p.Index]}
//	})
func (k *Kernel) Split(n int, streams []*launch.Stream, f func(p Part) (launch.Config, []any)) error {
	switch {
	case f == nil:
		return errs.F("kernel: Split of %s: the func is nil", k.Name())
	case n < 0:
		return errs.F("kernel: Split of %s: %d elements", k.Name(), n)
	case len(streams) == 0:
		return errs.F("kernel: Split of %s: no streams", k.Name())
	}
	var all error
	for _, p := range Parts(n, streams...) {
		if p.Len() == 0 {
			continue
		}
		cfg, args := f(p)
		if err := k.Launch(p.Stream, cfg, args...); err != nil {
			all = errs.Join(all, errs.F("kernel: Split: part %d of %d: %w", p.Index, p.Of, err))
		}
	}
	return all
}
