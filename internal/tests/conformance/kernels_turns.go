package conformance

import "heddle/dsl"

// Loops that add the grid's size to an index, which the gangs of a block go through by
// turns on cpu (internal/spmd/turns.go).

// turnSum adds up what each thread comes by; every third ends at once.
func turnSum(in, out []int32) {
	t := dsl.GlobalIdx().X
	if t%3 == 2 {
		return
	}
	var sum int32
	for i := t; i < len(in); i += dsl.GlobalSize().X {
		sum = sum*3 + in[i]
	}
	out[t] = sum
}

// turnGrid is turnSum in grids of three dimensions, whose blocks differ.
func turnGrid(in, out []int32) {
	g, size := dsl.GlobalIdx(), dsl.GlobalSize()
	t := (g.Z*size.Y+g.Y)*size.X + g.X
	sum := int32(dsl.BlockIdx().X + 100*dsl.BlockIdx().Y + 10000*dsl.BlockIdx().Z)
	for i := t; i < len(in); i += size.X * size.Y * size.Z {
		sum = sum*3 + in[i]
	}
	out[t] = sum
}

// turnBarriers has such loops before, between and behind barriers, with ends that differ
// from warp to warp.
func turnBarriers(in, out []int32) {
	all := dsl.Shared[[1024]int32]()
	t, size := dsl.ThreadIdx().X, dsl.BlockDim().X
	n := len(in) - 64*(t/32%5)
	var sum int32
	for i := dsl.GlobalIdx().X; i < n; i += dsl.GlobalSize().X {
		sum += in[i]
	}
	all[t] = sum
	dsl.SyncThreads()
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		sum ^= in[i] + all[(t+1)%size]
	}
	dsl.SyncThreads()
	all[t] = sum
	below := int32(dsl.SyncThreadsCount(sum > 0))
	if t%64 == 5 {
		return
	}
	for i := dsl.GlobalIdx().X; i < n; i += dsl.GlobalSize().X {
		sum += in[i] * 2
	}
	out[dsl.GlobalIdx().X] = sum + below + all[size-1-t]
}

// turnPanic panics before the loop, in it and behind it, where in says so.
func turnPanic(before, in, after, out []int32) {
	t := dsl.GlobalIdx().X
	table := [4]int32{1, 2, 3, 4}
	sum := table[before[t]]
	for i := t; i < len(in); i += dsl.GlobalSize().X {
		sum += table[in[i]]
	}
	out[t] = sum + table[after[t]]
}

// turnMeets has such a loop before barriers, whose number differs from block to block. In block bad a thread panics behind
// them, or a warp leaves before the last one.
func turnMeets(bad, panics, leaves int, in, out []int32) {
	all := dsl.Shared[[256]int32]()
	t, b := dsl.ThreadIdx().X, dsl.BlockIdx().X
	var sum int32
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		sum += in[i]
	}
	all[t] = sum
	dsl.SyncThreads()
	for range b % 3 {
		sum += all[(t+1)%256]
		dsl.SyncThreads()
		all[t] = sum
		dsl.SyncThreads()
	}
	if b == bad {
		if t == panics {
			out[len(out)] = 1
		}
		if t/32 == leaves {
			return
		}
	}
	//lint:ignore heddle what is wrong with it is the test
	dsl.SyncThreads()
	out[dsl.GlobalIdx().X] = sum*3 + all[255-t]
}
