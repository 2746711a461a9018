package conformance

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Copies between the kinds of memory, and within each of them: LLVM expands
// memmove itself, by releases differently, and by what it knows of the pointers.

// moveLen is the elements of a thread in each kind of memory.
const moveLen = 20

// A move is a copy of N elements within a part of moveLen.
type move struct{ To, From, N int }

// moving gives each thread its part of local, shared and global memory.
func moving[T any](in, out []T, ms []move) {
	shared := dsl.Shared[[32 * moveLen]T]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	if i < len(ms) {
		moves(shared[t*moveLen:][:moveLen], in[i*moveLen:][:moveLen], out[i*6*moveLen:][:6*moveLen], ms[i])
	}
}

// moves copies there and back; out gets the result. Lengths and places
// are constants here and variables there.
func moves[T any](shared, in, out []T, m move) {
	var local [moveLen]T
	copy(local[:], in)
	copy(local[m.To:], local[m.From:][:m.N])
	copy(local[:], local[3:])
	copy(shared, local[:])
	copy(shared[m.To:], shared[m.From:][:m.N])
	copy(shared[5:], shared[:9])
	copy(out[:moveLen], shared)
	copy(out[moveLen:], in)
	within := out[moveLen : 2*moveLen]
	copy(within[m.To:], within[m.From:][:m.N])
	copy(within[2:], within)
	either := local[:]
	if m.N&1 != 0 {
		either = shared
	}
	copy(either[1:], either[:m.N])
	copy(local[:5], either[3:])
	copy(shared[7:], either[m.From:])
	copy(out[2*moveLen:], local[:])
	copy(out[3*moveLen:], shared)
	copy(shared[m.To:], in[m.From:])
	copy(local[m.N:], shared[:])
	copy(out[4*moveLen:], local[m.From:])
	copy(out[5*moveLen:], shared[m.N:])
}

// onMoves is a case of moving, with elements that of makes of numbers.
func onMoves[E comparable](of func(int) E) Case {
	k := kernel.New(moving[E])
	name := fmt.Sprintf("builtin/copy/%T", *new(E))
	return Case{name, "copy between and within local, shared and device memory", []*kernel.Kernel{k}, func(t *T) {
		var ms []move
		for to := range moveLen {
			for from := to % 3; from < moveLen; from += 3 {
				ms = append(ms, move{to, from, (7*to + 5*from) % (moveLen - from + 1)})
			}
		}
		in := filled(len(ms)*moveLen, of)
		want := make([]E, 6*len(in))
		for i, m := range ms {
			moves(make([]E, moveLen), in[i*moveLen:][:moveLen], want[i*6*moveLen:][:6*moveLen], m)
		}
		out := alloc[E](t, len(want))
		t.run(k, launch.Linear(len(ms), 32), upload(t, in), out, upload(t, ms))
		same(t, download(t, out), want)
	}}
}

// odd is an element of a size that is no power of two.
type odd struct {
	A uint8
	B [2]uint8
}

func copyCases() []Case {
	return []Case{
		onMoves(func(i int) uint8 { return uint8(i*7 + i>>8) }),
		onMoves(func(i int) int16 { return int16(i * 77) }),
		onMoves(func(i int) uint32 { return uint32(i) * 0x9e3779b9 }),
		onMoves(func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }),
		onMoves(func(i int) odd { return odd{uint8(i), [2]uint8{uint8(i >> 3), uint8(i * 5)}} }),
	}
}
