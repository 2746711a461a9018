package prim

import (
	"heddle/launch"
)

// TopK stores the len(out) largest keys of in in out, the largest first, in the order of [KeyBits] (hipcub::DeviceTopK). in has at least as many
// elements as out, and shares no memory with it. It sorts all keys. Its memory is the device's pool's, whatever Options.Temp says.
func TopK[K Key](s *launch.Stream, out, in *launch.Buffer[K], opts ...Options) error {
	return firstSorted(s, "TopK", out, in, true, opts)
}

// BottomK stores the len(out) smallest keys of in in out, the smallest first: see [TopK].
func BottomK[K Key](s *launch.Stream, out, in *launch.Buffer[K], opts ...Options) error {
	return firstSorted(s, "BottomK", out, in, false, opts)
}

// TopKPairs is [TopK] where each key takes a value of any type with it: outKeys and outValues have the same length, and keys and values,
// too. Of equal keys those that come first in keys are first. The outputs share no memory with the inputs.
func TopKPairs[K Key, V any](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K],
	values *launch.Buffer[V], opts ...Options) error {
	return topPairs(s, "TopKPairs", outKeys, outValues, keys, values, true, opts)
}

// BottomKPairs is [BottomK] with values: see [TopKPairs].
func BottomKPairs[K Key, V any](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K],
	values *launch.Buffer[V], opts ...Options) error {
	return topPairs(s, "BottomKPairs", outKeys, outValues, keys, values, false, opts)
}

// TopKFunc stores the len(out) elements of in that come first in the order of less in out, in that order; of equal ones those that come first
// in in. Elements are what [MergeSort] takes; for the rest see [TopK].
func TopKFunc[T any](s *launch.Stream, out, in *launch.Buffer[T], less func(a, b T) bool, opts ...Options) error {
	const fn = "TopKFunc"
	return topOf(s, fn, out, in, function(fn, "less", less), opts, func(sorted *launch.Buffer[T], o Options) error {
		return mergeSort(s, fn, sorted, in, less, []Options{o})
	})
}

func firstSorted[K Key](s *launch.Stream, fn string, out, in *launch.Buffer[K], descending bool, opts []Options) error {
	return topOf(s, fn, out, in, nil, opts, func(sorted *launch.Buffer[K], o Options) error {
		o.Descending = descending
		return sortKeys(s, fn, sorted, in, o)
	})
}

// topOf has sort sort all, and copies the first ones. wrong is what is wrong with other arguments.
func topOf[T any](s *launch.Stream, fn string, out, in *launch.Buffer[T], wrong error, opts []Options,
	sort func(sorted *launch.Buffer[T], o Options) error) (err error) {
	if err := first(stream(fn, s), live(fn, "out", out), atLeast(fn, "in", in, out.Len()), apart(fn, "out", out, "in", in, false), wrong); err != nil {
		return err
	}
	o := merged(opts)
	if o.need != nil || out.Len() == 0 {
		return nil
	}
	o.Descending, o.Temp = false, nil
	sorted, err := launch.AllocAsync[T](s, in.Len())
	if err != nil {
		return err
	}
	defer closeAsync(s, sorted, &err)
	if err := sort(sorted, o); err != nil {
		return err
	}
	return out.CopyFrom(s, sorted.Slice(0, out.Len()))
}

// topPairs is topOf for pairs.
func topPairs[K Key, V any](s *launch.Stream, fn string, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K],
	values *launch.Buffer[V], descending bool, opts []Options) (err error) {
	if err := first(stream(fn, s), live(fn, "outKeys", outKeys), live(fn, "keys", keys)); err != nil {
		return err
	}
	k, n := outKeys.Len(), keys.Len()
	if err := first(same(fn, "outValues", outValues, k), atLeast(fn, "keys", keys, k), same(fn, "values", values, n),
		apart(fn, "outKeys", outKeys, "keys", keys, false), apart(fn, "outKeys", outKeys, "values", values, false),
		apart(fn, "outKeys", outKeys, "outValues", outValues, false), apart(fn, "outValues", outValues, "keys", keys, false),
		apart(fn, "outValues", outValues, "values", values, false)); err != nil {
		return err
	}
	o := merged(opts)
	if o.need != nil || k == 0 {
		return nil
	}
	o.Descending, o.Temp = descending, nil
	sorted, err := launch.AllocAsync[K](s, n)
	if err != nil {
		return err
	}
	defer closeAsync(s, sorted, &err)
	moved, err := launch.AllocAsync[V](s, n)
	if err != nil {
		return err
	}
	defer closeAsync(s, moved, &err)
	if err := sortPairs(s, fn, sorted, moved, keys, values, o); err != nil {
		return err
	}
	if err := outKeys.CopyFrom(s, sorted.Slice(0, k)); err != nil {
		return err
	}
	return outValues.CopyFrom(s, moved.Slice(0, k))
}

func closeAsync[T any](s *launch.Stream, b *launch.Buffer[T], err *error) {
	if e := b.CloseAsync(s); *err == nil {
		*err = e
	}
}
