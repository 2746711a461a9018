package main

import (
	"fmt"
	"time"

	"heddle/launch"
	"heddle/prim"
)

// A case is an algorithm that is timed.
type benchCase struct {
	name  string
	most  int // the greatest exponent
	bytes int // read and written for each element, at least: what the rate counts
	time  func(dev *launch.Device, exponent int) (time.Duration, error)
}

// cases have the names of cub.cu's.
var cases = []benchCase{
	{"reduce-f32", 30, 4, reduce[float32]},
	{"reduce-i64", 30, 8, reduce[int64]},
	{"scan-i32", 30, 8, scan[int32]},
	{"scan-f32", 30, 8, scan[float32]},
	{"scan-i64", 28, 16, scan[int64]},
	{"select-i32", 30, 6, selectHalf[int32]},
	{"select-i64", 28, 12, selectHalf[int64]},
	{"histogram-u8", 30, 1, histogram[uint8]},
	{"histogram-u32", 30, 4, histogram[uint32]},
	{"sort-u32", 30, 8, sortKeys[uint32]},
	{"sort-f32", 28, 8, sortKeys[float32]},
	{"sort-u64", 28, 16, sortKeys[uint64]},
	{"sort-pairs-u32", 28, 16, sortPairs[uint32, uint32]},
	{"sort-pairs-u64", 28, 32, sortPairs[uint64, uint64]},
	{"transform-f32", 30, 8, transform},
	{"runs-i32", 28, 4, runs},
	{"merge-sort-i32", 24, 8, mergeSort},
}

// mixed is a random number for an index, the same in cub.cu.
func mixed(i int) uint64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x7f4a7c15
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// number is a random T: any for integers, from 0 to 1 for floats.
func number[T prim.Number](i int) T {
	half := T(1)
	if half/2 != 0 {
		return T(float32(mixed(i)>>40) / (1 << 24))
	}
	return T(mixed(i))
}

// random is a buffer of random numbers.
func random[T prim.Number](dev *launch.Device, exponent int) (*launch.Buffer[T], error) {
	b, err := launch.Alloc[T](dev, 1<<exponent)
	if err != nil {
		return nil, err
	}
	return b, prim.Generate(dev.Stream(), b, number[T])
}

// timed allocates the temporary memory that a call needs, and times it.
func timed(dev *launch.Device, exponent int, f func(o prim.Options) error) (time.Duration, error) {
	n, err := prim.TempSize(f)
	if err != nil {
		return 0, err
	}
	temp, err := launch.Alloc[byte](dev, max(n, 1))
	if err != nil {
		return 0, err
	}
	defer temp.Close()
	o := prim.Options{Temp: temp}
	return median(dev, repetitions(exponent), func() error { return f(o) })
}

func reduce[T prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	in, err := random[T](dev, exponent)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := launch.Alloc[T](dev, 1)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	return timed(dev, exponent, func(o prim.Options) error { return prim.Reduce(dev.Stream(), out, in, 0, prim.Add[T], o) })
}

// twoBuffers times what reads one buffer and writes another of the same length.
func twoBuffers[T prim.Number](dev *launch.Device, exponent int, f func(out, in *launch.Buffer[T], o prim.Options) error) (time.Duration, *launch.Buffer[T], error) {
	in, err := random[T](dev, exponent)
	if err != nil {
		return 0, nil, err
	}
	defer in.Close()
	out, err := launch.Alloc[T](dev, in.Len())
	if err != nil {
		return 0, nil, err
	}
	took, err := timed(dev, exponent, func(o prim.Options) error { return f(out, in, o) })
	return took, out, err
}

func scan[T prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.InclusiveScan(dev.Stream(), out, in, prim.Add[T], o)
	})
	out.Close()
	return took, err
}

func selectHalf[T prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	count, err := launch.Alloc[int](dev, 1)
	if err != nil {
		return 0, err
	}
	defer count.Close()
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.Select(dev.Stream(), out, count, in, func(v T) bool { return v < 0 }, o)
	})
	out.Close()
	return took, err
}

func histogram[T prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	in, err := random[T](dev, exponent)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	counts, err := launch.Alloc[uint32](dev, 256)
	if err != nil {
		return 0, err
	}
	defer counts.Close()
	at := prim.Of(in)
	return timed(dev, exponent, func(o prim.Options) error {
		return prim.HistogramFunc(dev.Stream(), counts, in.Len(), func(i int) int { return int(uint8(at(i))) }, o)
	})
}

// unsorted fails unless b is in order.
func unsorted[T prim.Number](dev *launch.Device, b *launch.Buffer[T]) error {
	wrong, err := launch.Alloc[int](dev, 1)
	if err != nil {
		return err
	}
	defer wrong.Close()
	at := prim.Of(b)
	err = prim.ReduceFunc(dev.Stream(), wrong, b.Len()-1, func(i int) int {
		if at(i+1) < at(i) {
			return 1
		}
		return 0
	}, 0, prim.Add[int])
	if err != nil {
		return err
	}
	got := make([]int, 1)
	if err := wrong.Download(got); err != nil {
		return err
	}
	if got[0] != 0 {
		return fmt.Errorf("%d elements are out of order", got[0])
	}
	return nil
}

func sortKeys[T prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[T], o prim.Options) error {
		return prim.SortKeys[T](dev.Stream(), out, in, o)
	})
	defer out.Close()
	if err == nil {
		err = unsorted(dev, out)
	}
	return took, err
}

func sortPairs[K, V prim.Number](dev *launch.Device, exponent int) (time.Duration, error) {
	values, err := random[V](dev, exponent)
	if err != nil {
		return 0, err
	}
	defer values.Close()
	outValues, err := launch.Alloc[V](dev, values.Len())
	if err != nil {
		return 0, err
	}
	defer outValues.Close()
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[K], o prim.Options) error {
		return prim.SortPairs[K, V](dev.Stream(), out, outValues, in, values, o)
	})
	defer out.Close()
	if err == nil {
		err = unsorted(dev, out)
	}
	return took, err
}

func transform(dev *launch.Device, exponent int) (time.Duration, error) {
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[float32], o prim.Options) error {
		return prim.Transform(dev.Stream(), out, in, func(v float32) float32 { return 2*v + 1 }, o)
	})
	out.Close()
	return took, err
}

func runs(dev *launch.Device, exponent int) (time.Duration, error) {
	in, err := launch.Alloc[int32](dev, 1<<exponent)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := prim.Generate(dev.Stream(), in, func(i int) int32 { return int32(i / 10) }); err != nil {
		return 0, err
	}
	keys, err := launch.Alloc[int32](dev, in.Len())
	if err != nil {
		return 0, err
	}
	defer keys.Close()
	lengths, err := launch.Alloc[int](dev, in.Len())
	if err != nil {
		return 0, err
	}
	defer lengths.Close()
	count, err := launch.Alloc[int](dev, 1)
	if err != nil {
		return 0, err
	}
	defer count.Close()
	return timed(dev, exponent, func(o prim.Options) error {
		return prim.RunLengthEncode(dev.Stream(), keys, lengths, count, in, o)
	})
}

func mergeSort(dev *launch.Device, exponent int) (time.Duration, error) {
	took, out, err := twoBuffers(dev, exponent, func(out, in *launch.Buffer[int32], o prim.Options) error {
		return prim.MergeSort(dev.Stream(), out, in, func(a, b int32) bool { return a < b }, o)
	})
	defer out.Close()
	if err == nil {
		err = unsorted(dev, out)
	}
	return took, err
}
