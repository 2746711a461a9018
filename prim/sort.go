package prim

import (
	"unsafe"

	"heddle/launch"
	"heddle/prim/block"
)

// SortKeys stores the keys of in in out, in ascending order (hipcub::DeviceRadixSort::SortKeys): see [KeyBits] for the order of
// floats. Options choose bits and descending order. The sort is stable, which shows where only some bits are sorted by. out and in have the same
// length, and may be the same buffer. It is a radix sort that reads and writes the keys once for 8 bits of them (Adinets and Merrill,
// "Onesweep", 2022), and needs memory for them twice: the buffers, and temporary memory.
func SortKeys[K Key](s *launch.Stream, out, in *launch.Buffer[K], opts ...Options) error {
	const fn = "SortKeys"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true)); err != nil {
		return err
	}
	return sortKeys(s, fn, out, in, merged(opts))
}

func sortKeys[K Key](s *launch.Stream, fn string, out, in *launch.Buffer[K], o Options) error {
	if unsafe.Sizeof(*new(K)) == 8 {
		return radixKeys(s, fn, out, in, keyFunc[K, uint64](), bitsOf[K](), o)
	}
	return radixKeys(s, fn, out, in, keyFunc[K, uint32](), bitsOf[K](), o)
}

// SortPairs is [SortKeys] where each key takes a value of any type with it (hipcub::DeviceRadixSort::SortPairs).
func SortPairs[K Key, V any](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K], values *launch.Buffer[V], opts ...Options) error {
	const fn = "SortPairs"
	if err := pairsOf(s, fn, outKeys, outValues, keys, values); err != nil {
		return err
	}
	return sortPairs(s, fn, outKeys, outValues, keys, values, merged(opts))
}

func sortPairs[K Key, V any](s *launch.Stream, fn string, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K],
	values *launch.Buffer[V], o Options) error {
	if unsafe.Sizeof(*new(K)) == 8 {
		return radixPairs(s, fn, outKeys, outValues, keys, values, keyFunc[K, uint64](), bitsOf[K](), o)
	}
	return radixPairs(s, fn, outKeys, outValues, keys, values, keyFunc[K, uint32](), bitsOf[K](), o)
}

// SortFunc is [SortKeys] of values of any type by the bits of key(v), of which the low Options.LastBit count, 64 unless it is set
// (hipcub::DeviceRadixSort with a decomposer). For longer keys sort several times, by the least important part first.
func SortFunc[T any](s *launch.Stream, out, in *launch.Buffer[T], key func(v T) uint64, opts ...Options) error {
	const fn = "SortFunc"
	if err := first(stream(fn, s), live(fn, "in", in), same(fn, "out", out, in.Len()), apart(fn, "out", out, "in", in, true), function(fn, "key", key)); err != nil {
		return err
	}
	return radixKeys(s, fn, out, in, key, 64, merged(opts))
}

// bitsOf is how many bits a key has.
func bitsOf[K any]() int { return 8 * int(unsafe.Sizeof(*new(K))) }

func pairsOf[K, V any](s *launch.Stream, fn string, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K], values *launch.Buffer[V]) error {
	if err := first(stream(fn, s), live(fn, "keys", keys)); err != nil {
		return err
	}
	n := keys.Len()
	if err := first(same(fn, "values", values, n), same(fn, "outKeys", outKeys, n), same(fn, "outValues", outValues, n)); err != nil {
		return err
	}
	return first(apart(fn, "outKeys", outKeys, "keys", keys, true), apart(fn, "outValues", outValues, "values", values, true),
		apart(fn, "outKeys", outKeys, "outValues", outValues, false), apart(fn, "outKeys", outKeys, "values", values, false),
		apart(fn, "outValues", outValues, "keys", keys, false))
}

// digitsOf are the first bits and the numbers of bits of the passes over bits first to last-1.
func digitsOf(fn string, o Options, bits int) (passes []pass, err error) {
	last := o.LastBit
	if last == 0 {
		last = bits
	}
	if o.FirstBit < 0 || last > bits || o.FirstBit > last {
		return nil, &Error{Func: fn, Arg: "Options.FirstBit, LastBit", Reason: "are no range of the key's bits", Have: last, Need: bits}
	}
	for low := o.FirstBit; low < last; low += block.RadixBits {
		passes = append(passes, pass{low, min(block.RadixBits, last-low)})
	}
	return passes, nil
}

// A pass sorts by some bits.
type pass struct{ low, bits int }

// route is where each pass reads and writes, of two places: 0 is out, 1 is temporary memory, and 2 in, which only the first
// pass reads. If that were to write what it reads, copied says that in is copied to the temporary memory first.
func route(passes int, inPlace bool) (from, to []int, copied bool) {
	at := 2
	for p := range passes {
		next := (passes - 1 - p) % 2 // the last one writes out
		from, to = append(from, at), append(to, next)
		at = next
	}
	if inPlace && passes > 0 && to[0] == 0 {
		from[0], copied = 1, true
	}
	return from, to, copied
}
