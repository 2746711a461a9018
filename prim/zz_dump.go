package prim

import "heddle/dsl"

//heddle:launchbounds 256
func DumpScan(in, out []float32, states []dsl.Atomic[uint64], next *uint64, n int) {
	mem := dsl.SharedSlice[float32](256 * 15)
	tile := ticket(next)
	op := func(a, b float32) float32 { return a + b }
	scanTile[float32, [15]float32](mem, 256, tile, n, func(i int) float32 { return *elem(&in[0], i) }, func(i int, v float32) { *elem(&out[0], i) = v }, 0, false, op,
		func(tile int, own float32) float32 {
			if dsl.LaneID() == 0 {
				publish(states, tile, sumOwn, own)
			}
			return lookBack(states, tile, op)
		},
		func(all float32) { publish(states, tile, sumAll, all) })
}
