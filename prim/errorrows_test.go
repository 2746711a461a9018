package prim_test

import (
	"heddle/launch"
	"heddle/prim"
)

// errorRows is the error table: a row for each exported function that takes a stream.
var errorRows = map[string]errorRow{
	"Transform": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.Transform(b.s, words(b, "out"), words(b, "in"), op(b, "f", func(v uint32) uint32 { return v + 1 }), b.o)
	}},
	"Transform2": {outs: "out", short: "out b", call: func(b *bad) error {
		return prim.Transform2(b.s, words(b, "out"), words(b, "a"), words(b, "b"), op(b, "f", prim.Add[uint32]), b.o)
	}},
	"Transform3": {outs: "out", short: "out b c", call: func(b *bad) error {
		return prim.Transform3(b.s, words(b, "out"), words(b, "a"), words(b, "b"), words(b, "c"), op(b, "f", func(x, y, z uint32) uint32 { return x + y + z }), b.o)
	}},
	"Generate": {outs: "out", call: func(b *bad) error {
		return prim.Generate(b.s, words(b, "out"), op(b, "at", func(i int) uint32 { return 1 }), b.o)
	}},
	"AdjacentDifference": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.AdjacentDifference(b.s, words(b, "out"), words(b, "in"), op(b, "op", prim.Add[uint32]), b.o)
	}},
	"Reduce": {outs: "out", short: "out", may: "out/in", call: func(b *bad) error {
		return prim.Reduce(b.s, buf[uint32](b, "out", 1), words(b, "in"), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ReduceFunc": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.ReduceFunc(b.s, buf[uint32](b, "out", 1), b.n, op(b, "at", prim.Constant(uint32(1))), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ReduceByKey": {outs: "outKeys outValues count", short: "values count", temp: true, call: func(b *bad) error {
		return prim.ReduceByKey(b.s, words(b, "outKeys"), words(b, "outValues"), counted(b, "count"), words(b, "keys"), words(b, "values"), op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ReduceByKeyFunc": {outs: "counted", short: "counted", temp: true, call: func(b *bad) error {
		return prim.ReduceByKeyFunc(b.s, b.n, op(b, "key", prim.Counting(0)), op(b, "value", prim.Constant(uint32(1))),
			op(b, "put", func(k, key int, v uint32) {}), op(b, "equal", func(x, y int) bool { return x/2 == y/2 }),
			op(b, "op", prim.Add[uint32]), counted(b, "counted"), b.o)
	}},
	"SegmentedReduce": {outs: "out", short: "offsets", call: func(b *bad) error {
		return prim.SegmentedReduce(b.s, buf[uint32](b, "out", 3), words(b, "in"), buf[int](b, "offsets", 4), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"SegmentedReduceFunc": {outs: "out", short: "offsets", call: func(b *bad) error {
		return prim.SegmentedReduceFunc(b.s, buf[uint32](b, "out", 3), b.n, op(b, "at", prim.Constant(uint32(1))), buf[int](b, "offsets", 4), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ArgMin": {outs: "out", short: "out", may: "out/in", call: func(b *bad) error {
		return prim.ArgMin(b.s, buf[prim.Indexed[uint32]](b, "out", 1), words(b, "in"), b.o)
	}},
	"ArgMax": {outs: "out", short: "out", may: "out/in", call: func(b *bad) error {
		return prim.ArgMax(b.s, buf[prim.Indexed[uint32]](b, "out", 1), words(b, "in"), b.o)
	}},
	"ArgFunc": {outs: "out", short: "out", may: "out/in", call: func(b *bad) error {
		return prim.ArgFunc(b.s, buf[prim.Indexed[uint32]](b, "out", 1), words(b, "in"), op(b, "less", lessU), b.o)
	}},
	"InclusiveScan": {outs: "out", short: "out", temp: true, call: func(b *bad) error {
		return prim.InclusiveScan(b.s, words(b, "out"), words(b, "in"), op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ExclusiveScan": {outs: "out", short: "out", temp: true, call: func(b *bad) error {
		return prim.ExclusiveScan(b.s, words(b, "out"), words(b, "in"), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ScanFunc": {temp: true, call: func(b *bad) error {
		return prim.ScanFunc(b.s, b.n, op(b, "at", prim.Constant(uint32(1))), op(b, "put", func(i int, v uint32) {}), op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ExclusiveScanFunc": {temp: true, call: func(b *bad) error {
		return prim.ExclusiveScanFunc(b.s, b.n, op(b, "at", prim.Constant(uint32(1))), op(b, "put", func(i int, v uint32) {}), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"InclusiveScanByKey": {outs: "out", short: "out in", temp: true, call: func(b *bad) error {
		return prim.InclusiveScanByKey(b.s, words(b, "out"), words(b, "keys"), words(b, "in"), op(b, "op", prim.Add[uint32]), b.o)
	}},
	"ExclusiveScanByKey": {outs: "out", short: "out in", temp: true, call: func(b *bad) error {
		return prim.ExclusiveScanByKey(b.s, words(b, "out"), words(b, "keys"), words(b, "in"), 5, op(b, "op", prim.Add[uint32]), b.o)
	}},
	"Select": {outs: "out count", short: "count", temp: true, call: func(b *bad) error {
		return prim.Select(b.s, words(b, "out"), counted(b, "count"), words(b, "in"), op(b, "keep", odd), b.o)
	}},
	"SelectFlagged": {outs: "out count", short: "count flags", may: "out/flags count/flags", temp: true, call: func(b *bad) error {
		return prim.SelectFlagged(b.s, words(b, "out"), counted(b, "count"), words(b, "in"), buf[bool](b, "flags", errorLen), b.o)
	}},
	"SelectFunc": {outs: "counted", short: "counted", temp: true, call: func(b *bad) error {
		return prim.SelectFunc(b.s, b.n, op(b, "at", prim.Constant(uint32(1))), op(b, "keep", func(i int, v uint32) bool { return true }),
			op(b, "put", func(k int, v uint32) {}), counted(b, "counted"), b.o)
	}},
	"Partition": {outs: "out count", short: "out count", temp: true, call: func(b *bad) error {
		return prim.Partition(b.s, words(b, "out"), counted(b, "count"), words(b, "in"), op(b, "keep", odd), b.o)
	}},
	"Unique": {outs: "out count", short: "count", temp: true, call: func(b *bad) error {
		return prim.Unique(b.s, words(b, "out"), counted(b, "count"), words(b, "in"), b.o)
	}},
	"RunLengthEncode": {outs: "outKeys lengths count", short: "count", temp: true, call: func(b *bad) error {
		return prim.RunLengthEncode(b.s, words(b, "outKeys"), buf[int](b, "lengths", errorLen), counted(b, "count"), words(b, "in"), b.o)
	}},
	"HistogramEven": {outs: "counts", call: func(b *bad) error {
		return prim.HistogramEven(b.s, words(b, "counts"), words(b, "in"), 1, 9, b.o)
	}},
	"HistogramRange": {outs: "counts", short: "levels", call: func(b *bad) error {
		return prim.HistogramRange(b.s, buf[uint32](b, "counts", 3), words(b, "in"), buf[uint32](b, "levels", 4), b.o)
	}},
	"HistogramBy": {outs: "counts", call: func(b *bad) error {
		return prim.HistogramBy(b.s, words(b, "counts"), words(b, "in"), op(b, "bin", func(v uint32) int { return int(v) }), b.o)
	}},
	"HistogramFunc": {outs: "counts", call: func(b *bad) error {
		return prim.HistogramFunc(b.s, words(b, "counts"), b.n, op(b, "bin", func(i int) int { return 0 }), b.o)
	}},
	"SortKeys": {outs: "out", short: "out", temp: true, call: func(b *bad) error {
		return prim.SortKeys(b.s, many(b, "out"), many(b, "in"), b.o)
	}},
	"SortPairs": {outs: "outKeys outValues", short: "outKeys outValues values", temp: true, call: func(b *bad) error {
		return prim.SortPairs(b.s, many(b, "outKeys"), many(b, "outValues"), many(b, "keys"), many(b, "values"), b.o)
	}},
	"SortFunc": {outs: "out", short: "out", temp: true, call: func(b *bad) error {
		return prim.SortFunc(b.s, many(b, "out"), many(b, "in"), op(b, "key", func(v uint32) uint64 { return uint64(v) }), b.o)
	}},
	"MergeSort": {outs: "out", short: "out", temp: true, call: func(b *bad) error {
		return prim.MergeSort(b.s, many(b, "out"), many(b, "in"), op(b, "less", lessU), b.o)
	}},
	"SegmentedSort": {outs: "outKeys outValues", short: "outKeys outValues values offsets", call: func(b *bad) error {
		return prim.SegmentedSort(b.s, words(b, "outKeys"), words(b, "outValues"), words(b, "keys"), words(b, "values"), buf[int](b, "offsets", 1), b.o)
	}},
	"SegmentedSortKeys": {outs: "out", short: "out offsets", call: func(b *bad) error {
		return prim.SegmentedSortKeys(b.s, words(b, "out"), words(b, "in"), buf[int](b, "offsets", 1), b.o)
	}},
	"TopK": {outs: "out", short: "in", call: func(b *bad) error {
		return prim.TopK(b.s, words(b, "out"), words(b, "in"), b.o)
	}},
	"BottomK": {outs: "out", short: "in", call: func(b *bad) error {
		return prim.BottomK(b.s, words(b, "out"), words(b, "in"), b.o)
	}},
	"TopKPairs": {outs: "outKeys outValues", short: "outValues keys values", call: func(b *bad) error {
		return prim.TopKPairs(b.s, words(b, "outKeys"), words(b, "outValues"), words(b, "keys"), words(b, "values"), b.o)
	}},
	"BottomKPairs": {outs: "outKeys outValues", short: "outValues keys values", call: func(b *bad) error {
		return prim.BottomKPairs(b.s, words(b, "outKeys"), words(b, "outValues"), words(b, "keys"), words(b, "values"), b.o)
	}},
	"TopKFunc": {outs: "out", short: "in", call: func(b *bad) error {
		return prim.TopKFunc(b.s, words(b, "out"), words(b, "in"), op(b, "less", lessU), b.o)
	}},
	"Merge": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.Merge(b.s, buf[uint32](b, "out", 2*errorLen), words(b, "a"), words(b, "b"), op(b, "less", lessU), b.o)
	}},
	"Union":               {outs: "out count", short: "count", temp: true, call: setRow(prim.Union[uint32])},
	"Intersection":        {outs: "out count", short: "count", temp: true, call: setRow(prim.Intersection[uint32])},
	"Difference":          {outs: "out count", short: "count", temp: true, call: setRow(prim.Difference[uint32])},
	"SymmetricDifference": {outs: "out count", short: "count", temp: true, call: setRow(prim.SymmetricDifference[uint32])},
	"LowerBound": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.LowerBound(b.s, buf[int](b, "out", errorLen), words(b, "sorted"), words(b, "values"), op(b, "less", lessU), b.o)
	}},
	"UpperBound": {outs: "out", short: "out", call: func(b *bad) error {
		return prim.UpperBound(b.s, buf[int](b, "out", errorLen), words(b, "sorted"), words(b, "values"), op(b, "less", lessU), b.o)
	}},
	"LowerBoundFunc": {outs: "out", call: func(b *bad) error {
		return prim.LowerBoundFunc(b.s, buf[int](b, "out", errorLen), b.n, op(b, "at", prim.Counting(0)), op(b, "value", prim.Constant(uint8(7))),
			op(b, "less", func(a int, v uint8) bool { return a < int(v) }), b.o)
	}},
	"UpperBoundFunc": {outs: "out", call: func(b *bad) error {
		return prim.UpperBoundFunc(b.s, buf[int](b, "out", errorLen), b.n, op(b, "at", prim.Counting(0)), op(b, "value", prim.Constant(uint8(7))),
			op(b, "less", func(v uint8, a int) bool { return int(v) < a }), b.o)
	}},
	"BinarySearch": {outs: "out", short: "out", may: "out/sorted out/values", call: func(b *bad) error { // a bool has no other view
		return prim.BinarySearch(b.s, buf[bool](b, "out", errorLen), words(b, "sorted"), words(b, "values"), op(b, "less", lessU), b.o)
	}},
	"SpMV": {outs: "y", short: "rows columns", call: func(b *bad) error {
		return prim.SpMV(b.s, buf[float32](b, "y", 3), buf[int](b, "rows", 4), buf[int32](b, "columns", errorLen), buf[float32](b, "values", errorLen), buf[float32](b, "x", errorLen), b.o)
	}},
	"BatchedCopy": {outs: "dst", call: func(b *bad) error {
		return prim.BatchedCopy(b.s, words(b, "dst"), words(b, "src"), buf[prim.Copy](b, "copies", 3), b.o)
	}},
}

func odd(v uint32) bool { return v&1 != 0 }

// many is a buffer of more elements than one block sorts.
func many(b *bad, name string) *launch.Buffer[uint32] { return buf[uint32](b, name, 900) }

// setRow is the row of a set operation.
func setRow(f func(s *launch.Stream, out *launch.Buffer[uint32], count *launch.Buffer[int], a, b *launch.Buffer[uint32], less func(a, b uint32) bool, opts ...prim.Options) error) func(b *bad) error {
	return func(b *bad) error {
		return f(b.s, words(b, "out"), counted(b, "count"), words(b, "a"), words(b, "b"), op(b, "less", lessU), b.o)
	}
}
