// Package primcases has the calls of package prim that are timed, and how they are timed: for primbench, which prints a table, and
// for prim/tune, which looks for the fastest tuning.
package primcases

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"time"

	"heddle/kernel"
	"heddle/launch"
	"heddle/prim"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// A Case is a call that is timed.
type Case struct {
	Name  string
	Most  int    // the greatest power of two that is timed
	Bytes int    // read and written for each element, at least: what a rate counts
	Entry string // the entry of prim/tuning.json that the case stands for, if any
	Setup func(dev *launch.Device, n int) (*Run, error)
}

// A Run is a case with its buffers.
type Run struct {
	Call  func(o prim.Options) error
	Check func() error           // what is in no order is an error; nil where there is no order
	Sum   func() (uint64, error) // of what a call has stored, place by place; nil where floats are rounded in no fixed order
	Want  func() uint64          // the same of what plain Go computes

	dev   *launch.Device
	wipes []func() error
	open  []io.Closer
}

// Close frees the buffers.
func (r *Run) Close() {
	for _, c := range r.open {
		c.Close()
	}
}

// Wipe clears what calls have stored.
func (r *Run) Wipe() error {
	for _, f := range r.wipes {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// Once calls once, and returns the sum of what that has stored.
func (r *Run) Once(o prim.Options) (uint64, error) {
	if err := r.Wipe(); err != nil {
		return 0, err
	}
	if err := r.Call(o); err != nil {
		return 0, err
	}
	if err := r.dev.Sync(); err != nil {
		return 0, err
	}
	return r.Sum()
}

// Time is the median time of so many calls, after two that do not count, with temporary memory of their own.
func (r *Run) Time(times int, o prim.Options) (time.Duration, error) {
	n, err := prim.TempSize(func(ask prim.Options) error {
		return r.Call(with(o, ask))
	})
	if err != nil {
		return 0, err
	}
	temp, err := launch.Alloc[byte](r.dev, max(n, 1))
	if err != nil {
		return 0, err
	}
	defer temp.Close()
	o.Temp = temp
	return Median(r.dev, times, func() error { return r.Call(o) })
}

// with is what TempSize asks, with the options of o that temporary memory depends on.
func with(o, ask prim.Options) prim.Options {
	ask.Tuning, ask.Deterministic, ask.FirstBit, ask.LastBit = o.Tuning, o.Deterministic, o.FirstBit, o.LastBit
	return ask
}

// Repetitions is how often a call with 2^exponent elements is timed, as in cub.cu.
func Repetitions(exponent int) int {
	switch {
	case exponent <= 20:
		return 31
	case exponent <= 24:
		return 15
	case exponent <= 28:
		return 5
	}
	return 3
}

// Median is that of the times of calls of f, which queues work on the device's stream, after two that do not count.
func Median(dev *launch.Device, times int, f func() error) (time.Duration, error) {
	s := dev.Stream()
	for range 2 {
		if err := f(); err != nil {
			return 0, err
		}
	}
	if err := s.Sync(); err != nil {
		return 0, err
	}
	all := make([]time.Duration, times)
	for i := range all {
		var err error
		if all[i], err = once(dev, s, f); err != nil {
			return 0, err
		}
	}
	slices.Sort(all)
	return all[times/2], nil
}

// once times one call.
func once(dev *launch.Device, s *launch.Stream, f func() error) (time.Duration, error) {
	begin, err := dev.NewEvent()
	if err != nil {
		return 0, err
	}
	defer begin.Close()
	end, err := dev.NewEvent()
	if err != nil {
		return 0, err
	}
	defer end.Close()
	if err := begin.Record(s); err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	if err := end.Record(s); err != nil {
		return 0, err
	}
	if err := end.Sync(); err != nil {
		return 0, err
	}
	return end.Since(begin)
}

// A setup makes the buffers of a run. Its first error stays.
type setup struct {
	*Run
	n   int
	err error
}

// begin begins a run of n elements.
func begin(dev *launch.Device, n int) *setup { return &setup{Run: &Run{dev: dev}, n: n} }

// done is the run, if there was no error.
func (b *setup) done() (*Run, error) {
	if b.err != nil {
		b.Close()
		return nil, b.err
	}
	return b.Run, nil
}

// input is n elements that at says.
func input[T any](b *setup, at func(i int) T) *launch.Buffer[T] {
	buf := room[T](b, b.n)
	if b.err == nil {
		b.err = prim.Generate(b.dev.Stream(), buf, at)
	}
	return buf
}

// output is room for n elements, which Wipe clears.
func output[T any](b *setup, n int) *launch.Buffer[T] {
	buf := room[T](b, n)
	b.wipes = append(b.wipes, func() error { return buf.Clear(b.dev.Stream()) })
	return buf
}

func room[T any](b *setup, n int) *launch.Buffer[T] {
	if b.err != nil {
		return nil
	}
	buf, err := launch.Alloc[T](b.dev, n)
	if err != nil {
		b.err = err
		return nil
	}
	b.open = append(b.open, buf)
	return buf
}

// fixed is the tuning of what checks, which the table does not change.
var fixed = prim.Options{Tuning: prim.Tuning{Threads: 256, Blocks: 8}}

// placed is the part of a sum that the word at a place has.
func placed(i int, word uint64) uint64 { return mixed(int(word ^ mixed(i))) }

// sumOf is the sum of the first n elements of a buffer, each as a word.
func sumOf[T any](r *Run, b *launch.Buffer[T], n int, word func(v T) uint64) (uint64, error) {
	if n < 0 || n > b.Len() {
		return 0, fmt.Errorf("the number of results is %d, of at most %d", n, b.Len())
	}
	at := prim.Of(b)
	return total(r, n, func(i int) uint64 { return placed(i, word(at(i))) })
}

// total is the sum of what at returns for 0 to n-1.
func total(r *Run, n int, at func(i int) uint64) (uint64, error) {
	sum, err := launch.Alloc[uint64](r.dev, 1)
	if err != nil {
		return 0, err
	}
	defer sum.Close()
	if err := prim.ReduceFunc(r.dev.Stream(), sum, n, at, 0, prim.Add[uint64], fixed); err != nil {
		return 0, err
	}
	return first(sum)
}

func first[T any](b *launch.Buffer[T]) (T, error) {
	got := make([]T, 1)
	err := b.Slice(0, 1).Download(got)
	return got[0], err
}

// wantOf is sumOf of values of the host.
func wantOf[T any](values []T, word func(v T) uint64) (sum uint64) {
	for i, v := range values {
		sum += placed(i, word(v))
	}
	return sum
}

// sorted fails unless b is in order.
func sorted[T any](r *Run, b *launch.Buffer[T], less func(a, b T) bool) error {
	at := prim.Of(b)
	wrong, err := total(r, b.Len()-1, func(i int) uint64 {
		if less(at(i+1), at(i)) {
			return 1
		}
		return 0
	})
	if err == nil && wrong != 0 {
		err = fmt.Errorf("%d elements are out of order", wrong)
	}
	return err
}
