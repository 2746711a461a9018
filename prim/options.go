package prim

import (
	"unsafe"

	"heddle/launch"
)

// Options are the last argument of every function here; without them, the zero value holds. Of
// several, later ones add to earlier ones.
type Options struct {
	// Temp is temporary memory, of at least as many bytes as [TempSize] says, which the work uses until it
	// is done. Its address is a multiple of 16, as of every Buffer. nil: the device's pool, in the stream's order.
	Temp *launch.Buffer[byte]
	// Deterministic gives reductions and scans of floats the same bits on each run: see [Deterministic].
	Deterministic bool
	// Descending has sorts put the largest first; still stable.
	Descending bool
	// FirstBit and LastBit choose the bits FirstBit to LastBit-1 of a key that a radix sort sorts by; LastBit 0
	// is the key's number of bits.
	FirstBit, LastBit int
	// Tuning replaces the table's entry for this call; what is 0 in it comes from the table.
	Tuning Tuning

	need *int // TempSize's question
}

// Deterministic is the option that gives the same bits on every run and for each shape of the grid. A
// reduction then groups values by their number alone, whatever the device; a scan reads its input
// twice, for it looks at what tiles before it have got in an order that does not depend on which
// was first. It makes no difference to integers.
var Deterministic = Options{Deterministic: true}

// TempSize returns how many bytes of temporary memory a call needs on the device of its stream: the call in f, with the options
// that f passes on. Nothing is launched.
//
//	n, err := prim.TempSize(func(o prim.Options) error { return prim.SortKeys(s, keys, keys, o) })
func TempSize(f func(o Options) error) (bytes int, err error) {
	err = f(Options{need: &bytes})
	return bytes, err
}

func merged(opts []Options) (o Options) {
	for _, p := range opts {
		if p.Temp != nil {
			o.Temp = p.Temp
		}
		if p.need != nil {
			o.need = p.need
		}
		o.Deterministic = o.Deterministic || p.Deterministic
		o.Descending = o.Descending || p.Descending
		if p.FirstBit != 0 || p.LastBit != 0 {
			o.FirstBit, o.LastBit = p.FirstBit, p.LastBit
		}
		o.Tuning = o.Tuning.or(p.Tuning)
	}
	return o
}

// A temp is the temporary memory of one call: parts that are asked for first, and then had.
type temp struct {
	fn    string
	s     *launch.Stream
	o     Options
	size  int
	buf   *launch.Buffer[byte]
	owned bool
}

// A tempPart is n elements of T at an offset of the temporary memory.
type tempPart[T any] struct {
	at, n int
	zero  bool // it must be all 0 at first
}

const tempAlign = 256

func want[T any](t *temp, n int, zero bool) tempPart[T] {
	p := tempPart[T]{t.size, n, zero}
	t.size += (n*int(unsafe.Sizeof(*new(T))) + tempAlign - 1) / tempAlign * tempAlign
	return p
}

// get gets the memory. It is done if the call only asked for its size.
func (t *temp) get() (done bool, err error) {
	switch {
	case t.o.need != nil:
		*t.o.need = max(*t.o.need, t.size)
		return true, nil
	case t.size == 0:
		return false, nil
	case t.o.Temp == nil:
		t.owned = true
		t.buf, err = launch.AllocUncleared[byte](t.s, t.size)
		return false, err
	case t.o.Temp.Len() < t.size:
		return false, &Error{Func: t.fn, Arg: "Options.Temp", Need: t.size, Have: t.o.Temp.Len(),
			Reason: "too little temporary memory (ask TempSize)"}
	}
	if err := live(t.fn, "Options.Temp", t.o.Temp); err != nil {
		return false, err
	}
	if uintptr(t.o.Temp.Pointer())%16 != 0 {
		return false, &Error{Func: t.fn, Arg: "Options.Temp", Reason: "its address is not a multiple of 16"}
	}
	t.buf = t.o.Temp
	return false, nil
}

// close gives the memory back in the stream's order.
func (t *temp) close(err *error) {
	if t.owned && t.buf != nil {
		if e := t.buf.CloseAsync(t.s); *err == nil {
			*err = e
		}
	}
}

// have is a part of the memory.
func have[T any](t *temp, p tempPart[T]) (*launch.Buffer[T], error) {
	b := t.buf.Slice(p.at, p.at+p.n*int(unsafe.Sizeof(*new(T))))
	if p.zero {
		if err := b.Clear(t.s); err != nil {
			return nil, err
		}
	}
	return launch.View[T](b)
}
