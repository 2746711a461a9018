package prim_test

import (
	"fmt"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

type point struct {
	x, y float32
	n    int32
}

func add(a, b point) point { return point{a.x + b.x, a.y + b.y, a.n + b.n} }

func TestReduce(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range lengths() {
			host := random(n)
			in, out := upload(t, dev, host), alloc[int32](t, dev, 1)
			bytes, points := make([]uint8, n), make([]point, n)
			var sum, scaled int32
			var most uint8
			var total point
			for i, v := range host {
				sum += v
				scaled += v * 3
				bytes[i] = uint8(v)
				most = max(most, bytes[i])
				points[i] = point{float32(i % 3), 1, v}
				total = add(total, points[i])
			}
			for _, o := range []prim.Options{{}, small, {Tuning: prim.Tuning{Threads: 64, Items: 16}}, prim.Deterministic} {
				name := fmt.Sprint(n, o.Tuning, o.Deterministic)
				must(t, prim.Reduce(s, out, in, 5, prim.Add[int32], o))
				expect(t, "sum "+name, download(t, out), []int32{sum + 5})
			}
			by := int32(3)
			must(t, prim.ReduceFunc(s, out, n, prim.Mapped(prim.Of(in), func(v int32) int32 { return by * v }), 0, prim.Add[int32]))
			expect(t, "scaled", download(t, out), []int32{scaled})
			if n > 1 { // at an odd address
				must(t, prim.Reduce(s, out, in.Slice(1, n), 0, prim.Add[int32], small))
				expect(t, "part", download(t, out), []int32{sum - host[0]})
			}
			outBytes, outPoint := alloc[uint8](t, dev, 1), alloc[point](t, dev, 1)
			must(t, prim.Reduce(s, outBytes, upload(t, dev, bytes), 0, prim.Max[uint8], small))
			expect(t, "bytes", download(t, outBytes), []uint8{most})
			must(t, prim.Reduce(s, outPoint, upload(t, dev, points), point{}, add, small))
			expect(t, "points", download(t, outPoint), []point{total})
		}
	})
}

func TestTransform(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range lengths() {
			host := random(n)
			in, out, pairs := upload(t, dev, host), alloc[int32](t, dev, n), alloc[int64](t, dev, n)
			by := int32(3)
			want, wide, both := make([]int32, n), make([]int64, n), make([]int32, n)
			for i, v := range host {
				want[i], wide[i], both[i] = v*by, int64(v)*int64(v), v*by-v
			}
			must(t, prim.Transform(s, out, in, func(v int32) int32 { return v * by }))
			expect(t, "int32", download(t, out), want)
			must(t, prim.Transform(s, pairs, in, func(v int32) int64 { return int64(v) * int64(v) }))
			expect(t, "int64", download(t, pairs), wide)
			must(t, prim.Transform2(s, out, out, in, func(a, b int32) int32 { return a - b }))
			expect(t, "two", download(t, out), both)
			must(t, prim.Generate(s, out, func(i int) int32 { return in.Device()[i] + pick(pairs, i) }))
			for i, v := range host {
				want[i] = v + int32(wide[i])
			}
			expect(t, "generate", download(t, out), want)
		}
	})
}

func pick(b *launch.Buffer[int64], i int) int32 { return int32(b.Device()[i]) }
