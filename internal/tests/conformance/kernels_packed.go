package conformance

import (
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Functions on fields of words: bits, bytes, halves.

// A field is the input of an operation on a bit field.
type field[T any] struct {
	X, Y          T
	Offset, Width int
}

func fields[T integer]() []field[T] {
	xs := integers[T]()
	var all []field[T]
	for i, x := range xs {
		for offset := -1; offset <= 66; offset += 1 + i%3 {
			for _, width := range []int{0, 1, 5 + i%7, 16, 31, 32, 33, 63, 64, -3} {
				all = append(all, field[T]{x, xs[(i*7+offset+1)%len(xs)], offset, width})
			}
		}
	}
	return all
}

type bitFields[T dsl.Integer] struct{}

func (bitFields[T]) Do(in field[T], out *[5]T) {
	out[0] = dsl.BitExtract(in.X, in.Offset, in.Width)
	out[1] = dsl.BitInsert(in.X, in.Y, in.Offset, in.Width)
	out[2] = dsl.BitExtract(in.X, 5, 12)
	out[3] = dsl.BitInsert(in.X, in.Y, 7, 11)
	out[4] = dsl.BitExtract(in.X, 3, in.Width) ^ dsl.BitInsert(in.X, in.Y, in.Offset, 9)
}

// words3 are inputs of functions of three words.
type words3 struct{ A, B, C uint32 }

func threeWords() []words3 {
	var all []words3
	for i, p := range pairs(integers[uint32]()) {
		for _, c := range []uint32{0, uint32(i), p.X * 0x9e3779b9, ^p.Y, 31, 32, 33, 0x3210, 0x7654, 0x80c41de8, 1 << 31} {
			if (i+int(c))%5 == 0 {
				all = append(all, words3{p.X, p.Y, c})
			}
		}
	}
	return all
}

type byteOps struct{}

func (byteOps) Do(in words3, out *[11]uint32) {
	a, b, c := in.A, in.B, in.C
	out[0], out[1], out[2] = dsl.BytePerm(a, b, c), dsl.BytePerm(a, b, 0x5140), dsl.BytePerm(a, b, 0xfa63)
	out[3], out[4] = dsl.FunnelShiftL(a, b, c), dsl.FunnelShiftLc(a, b, c)
	out[5], out[6] = dsl.FunnelShiftR(a, b, c), dsl.FunnelShiftRc(a, b, c)
	out[7], out[8] = dsl.Sad(a, b, c), dsl.Sad(int32(a), int32(b), c)
	out[9], out[10] = dsl.Sad4(a, b, c), dsl.Sad2(a, b, c)
}

type funnelKnown struct{}

func (funnelKnown) Do(in pair[uint32], out *[8]uint32) {
	a, b := in.X, in.Y
	out[0], out[1], out[2] = dsl.FunnelShiftL(a, b, 0), dsl.FunnelShiftL(a, b, 9), dsl.FunnelShiftL(a, b, 32)
	out[3], out[4] = dsl.FunnelShiftR(a, b, 7), dsl.FunnelShiftR(a, b, 40)
	out[5], out[6], out[7] = dsl.FunnelShiftLc(a, b, 40), dsl.FunnelShiftRc(a, b, 32), dsl.FunnelShiftRc(a, b, 31)
}

type means[T dsl.Integer] struct{}

func (means[T]) Do(in pair[T], out *[2]T) { *out = [2]T{dsl.Hadd(in.X, in.Y), dsl.Rhadd(in.X, in.Y)} }

type mul24[T dsl.Word] struct{}

func (mul24[T]) Do(in pair[T], out *[2]T) {
	p := dsl.Mul24(in.X, in.Y)
	*out = [2]T{p, dsl.Mul24(in.Y, in.X+1) + in.X}
}

// dotOps are dot products of arguments with the signs of A and B.
type dotOps[A, B dsl.Word] struct{}

func (dotOps[A, B]) Do(in words3, out *[8]uint32) {
	a, b := A(in.A), B(in.B)
	out[0], out[1] = uint32(dsl.Dot4(a, b, int32(in.C))), dsl.Dot4(a, b, in.C)
	out[2], out[3] = uint32(dsl.Dot4Sat(a, b, int32(in.C))), dsl.Dot4Sat(a, b, in.C)
	out[4], out[5] = uint32(dsl.Dot2(a, b, int32(in.C))), dsl.Dot2(a, b, in.C)
	out[6], out[7] = uint32(dsl.Dot2Sat(a, b, int32(in.C))), dsl.Dot2Sat(a, b, in.C)
}

// dotWords are words whose sums are near the ends, and others.
func dotWords() []words3 {
	var all []words3
	for i, w := range threeWords() {
		if i%2 == 0 {
			w.C = []uint32{1<<31 - 1, 1 << 31, ^uint32(0), 0, 70000, 1<<31 - 5000, 1<<31 + 4000, ^uint32(90000)}[i/2%8]
		}
		all = append(all, w)
	}
	return all
}

// An nth is the input of Fns.
type nth[T any] struct {
	Mask         T
	Base, Offset int
}

type fns[T dsl.Unsigned] struct{}

func (fns[T]) Do(in nth[T], out *int) { *out = dsl.Fns(in.Mask, in.Base, in.Offset) }

func places[T unsigned]() []nth[T] {
	var all []nth[T]
	for i, x := range integers[T]() {
		for base := -1; base < 65; base += 1 + i%4 {
			for _, offset := range []int{0, 1, -1, 2, -2, 5, -7, 16, 31, -32, 33, 64, -64, -1 << 63} {
				all = append(all, nth[T]{x, base, offset})
			}
		}
	}
	return all
}

// readsClocks reads each clock before and after some time has passed by each. It tells
// what must hold of that in any thread: time passed, and the wall clock did not go back.
// The counter of cycles of gfx11 begins again after 20 bits, so it need not be greater.
func readsClocks(out [][4]bool) {
	cycle, old, wall := dsl.Clock64(), dsl.Clock(), dsl.WallClock64()
	for dsl.WallClock64() == wall { // as long as it takes
	}
	for dsl.Clock64() == cycle || dsl.Clock() == old {
	}
	first := dsl.WallClock64()
	out[dsl.GlobalIdx().X] = [4]bool{dsl.Clock64() != cycle, dsl.Clock() != old, first > wall, dsl.WallClock64() >= first}
}

func clockCase() Case {
	k := kernel.New(readsClocks)
	return Case{"clocks", "timers", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[[4]bool](t, 70)
		t.run(k, launch.Linear(70, 70), out)
		for i, got := range download(t, out) {
			if got != [4]bool{true, true, true, true} {
				t.Fatalf("thread %d: %v", i, got)
			}
		}
	}}
}

func readsWallClock(out []int64) { out[0] = dsl.WallClock64() }

// rateCase holds the wall clock against the host's: between two launches it counts as
// long, at the rate that the device names, as the host does at least between them and at
// most from before the first to after the second.
func rateCase() Case {
	k := kernel.New(readsWallClock)
	return Case{"clocks/rate", "timers", []*kernel.Kernel{k}, func(t *T) {
		rate := t.Dev.Info().WallClockRate
		if rate == 0 {
			t.Skip("the driver does not tell the rate of the wall clock")
		}
		out := alloc[int64](t, 1)
		read := func() (counted int64, before, after time.Time) {
			before = time.Now()
			t.run(k, launch.Linear(1, 1), out)
			after = time.Now()
			return download(t, out)[0], before, after
		}
		read() // compiles
		first, began, done := read()
		time.Sleep(100 * time.Millisecond)
		second, starts, ended := read()
		const slack = 5 * time.Millisecond // for steps of the clock, and a rate that is rounded
		took := time.Duration(float64(second-first) / float64(rate) * 1e6)
		if least, most := starts.Sub(done)-slack, ended.Sub(began)+slack; took < least || took > most {
			t.Errorf("the wall clock counted %d at %d kHz, which is %v; on the host it was from %v to %v", second-first, rate, took, least, most)
		}
	}}
}

func packedCases() []Case {
	row := "integer functions; the standard math/bits"
	return []Case{
		onEach("packed/fields/int32", row, each[bitFields[int32]], fields[int32]()),
		onEach("packed/fields/uint32", row, each[bitFields[uint32]], fields[uint32]()),
		onEach("packed/fields/int64", row, each[bitFields[int64]], fields[int64]()),
		onEach("packed/fields/uint64", row, each[bitFields[uint64]], fields[uint64]()),
		onEach("packed/bytes", row, each[byteOps], threeWords()),
		onEach("packed/funnel-known", row, each[funnelKnown], pairs(integers[uint32]())),
		onEach("packed/means/int32", row, each[means[int32]], pairs(integers[int32]())),
		onEach("packed/means/uint32", row, each[means[uint32]], pairs(integers[uint32]())),
		onEach("packed/means/int64", row, each[means[int64]], pairs(integers[int64]())),
		onEach("packed/means/uint64", row, each[means[uint64]], pairs(integers[uint64]())),
		onEach("packed/mul24/int32", row, each[mul24[int32]], pairs(integers[int32]())),
		onEach("packed/mul24/uint32", row, each[mul24[uint32]], pairs(integers[uint32]())),
		onEach("packed/dot/signed", row, each[dotOps[int32, int32]], dotWords()),
		onEach("packed/dot/unsigned", row, each[dotOps[uint32, uint32]], dotWords()),
		onEach("packed/dot/mixed", row, each[dotOps[int32, uint32]], dotWords()),
		onEach("packed/dot/mixed2", row, each[dotOps[uint32, int32]], dotWords()),
		onEach("packed/fns/uint32", row, each[fns[uint32]], places[uint32]()),
		onEach("packed/fns/uint64", row, each[fns[uint64]], places[uint64]()),
		clockCase(), rateCase(),
	}
}
