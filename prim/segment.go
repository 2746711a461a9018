package prim

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// SegmentedReduce sets out[k] to init op in[offsets[k]] op ... op in[offsets[k+1]-1] (hipcub::DeviceSegmentedReduce). offsets has one
// element more than out; a segment that does not end after it begins is init. Offsets that are out of range are a panic of the kernel. op
// is as in [Reduce].
func SegmentedReduce[T comparable](s *launch.Stream, out, in *launch.Buffer[T], offsets *launch.Buffer[int], init T, op func(a, b T) T, opts ...Options) error {
	const fn = "SegmentedReduce"
	if err := first(stream(fn, s), live(fn, "in", in), live(fn, "out", out), same(fn, "offsets", offsets, out.Len()+1), apart(fn, "out", out, "in", in, false),
		apart(fn, "out", out, "offsets", offsets, false), function(fn, "op", op), exchanged[T](fn)); err != nil {
		return err
	}
	return segments(s, fn, out, offsets, func(i int) T { return in.Device()[i] }, in.Len(), init, op, opts)
}

// SegmentedReduceFunc is [SegmentedReduce] of the values that at returns, n in all.
func SegmentedReduceFunc[T comparable](s *launch.Stream, out *launch.Buffer[T], n int, at func(i int) T, offsets *launch.Buffer[int], init T, op func(a, b T) T, opts ...Options) error {
	const fn = "SegmentedReduceFunc"
	if err := first(stream(fn, s), count(fn, n), live(fn, "out", out), same(fn, "offsets", offsets, out.Len()+1), apart(fn, "out", out, "offsets", offsets, false), function(fn, "at", at), function(fn, "op", op), exchanged[T](fn)); err != nil {
		return err
	}
	return segments(s, fn, out, offsets, at, n, init, op, opts)
}

// longSegment is from which average length on lanes share a segment.
const longSegment = 16

// segments reduces each segment by as many lanes as its average length is worth: a power of two up to 32.
func segments[T comparable](s *launch.Stream, fn string, out *launch.Buffer[T], offsets *launch.Buffer[int], at func(i int) T, n int, init T, op func(a, b T) T, opts []Options) error {
	threads, done, err := shape(s, out.Len(), opts)
	if done || err != nil {
		return err
	}
	lanes := 1
	for lanes < 32 && n/out.Len() >= longSegment/4*lanes {
		lanes *= 2
	}
	k := kernel.NewWith(func(out []T, offsets []int, init T) {
		i := dsl.BlockIdx().X*threads + dsl.ThreadIdx().X
		segment, lane := i/lanes, i%lanes
		var sum T
		any := false
		if segment < len(out) {
			end := offsets[segment+1]
			for j := offsets[segment] + lane; j < end; j += lanes {
				if v := at(j); any {
					sum = op(sum, v)
				} else {
					sum, any = v, true
				}
			}
		}
		for d := 1; d < lanes; d *= 2 {
			other, others := dsl.ShflDownSync(full, sum, d), dsl.ShflDownSync(full, any, d)
			if others && lane+d < lanes {
				if any {
					sum = op(sum, other)
				} else {
					sum, any = other, true
				}
			}
		}
		if segment < len(out) && lane == 0 {
			if any {
				init = op(init, sum)
			}
			out[segment] = init
		}
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "lanes"}})
	return k.Launch(s, launch.Linear(out.Len()*lanes, threads), out, offsets, init)
}

// SpMV sets y to the product of a sparse matrix and x. Row r of the matrix has values[k] in column columns[k] for k from rows[r] to
// rows[r+1]-1 (CSR; hipcub::DeviceSpmv). y shares no memory with the others.
func SpMV[T Number](s *launch.Stream, y *launch.Buffer[T], rows *launch.Buffer[int], columns *launch.Buffer[int32], values, x *launch.Buffer[T], opts ...Options) error {
	const fn = "SpMV"
	if err := first(stream(fn, s), live(fn, "y", y), same(fn, "rows", rows, y.Len()+1), live(fn, "values", values), same(fn, "columns", columns, values.Len()), live(fn, "x", x),
		apart(fn, "y", y, "x", x, false), apart(fn, "y", y, "values", values, false), apart(fn, "y", y, "rows", rows, false), apart(fn, "y", y, "columns", columns, false)); err != nil {
		return err
	}
	return segments(s, fn, y, rows, func(k int) T { return values.Device()[k] * x.Device()[columns.Device()[k]] }, values.Len(), 0, Add[T], opts)
}

// A Copy is one of [BatchedCopy]'s: n elements from src[From] to dst[To].
type Copy struct{ From, To, N int }

// BatchedCopy makes many copies of parts of src to parts of dst in one launch (hipcub::DeviceCopy::Batched). Parts of dst must not overlap; ranges
// that are out of range are a panic of the kernel.
func BatchedCopy[T any](s *launch.Stream, dst, src *launch.Buffer[T], copies *launch.Buffer[Copy], opts ...Options) error {
	const fn = "BatchedCopy"
	if err := first(stream(fn, s), live(fn, "dst", dst), live(fn, "src", src), live(fn, "copies", copies), apart(fn, "dst", dst, "src", src, false),
		apart(fn, "dst", dst, "copies", copies, false)); err != nil {
		return err
	}
	threads, done, err := shape(s, copies.Len(), opts)
	if done || err != nil {
		return err
	}
	k := kernel.NewWith(func(dst, src []T, copies []Copy) {
		c := copies[dsl.BlockIdx().X]
		from, to := src[c.From:c.From+c.N], dst[c.To:c.To+c.N]
		for i := dsl.ThreadIdx().X; i < len(from) && i < len(to); i += threads {
			to[i] = from[i]
		}
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads"}})
	return k.Launch(s, launch.Linear(copies.Len()*threads, threads), dst, src, copies)
}
