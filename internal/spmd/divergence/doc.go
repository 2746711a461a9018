// Package divergence analyses a function that a gang of threads runs in lockstep: how each
// value differs from lane to lane (Shape), at which branches lanes take different ways, and
// where they meet again (Analysis). It has the control flow that rests on, too (CFG): dominators,
// postdominators, loops, and the order of the blocks. Package spmd writes code by it; this
// one writes nothing.
//
// A value is uniform, linear (lane 0's plus a stride for each lane), patterned (lane 0's plus
// a constant of each lane's) or varying; of a varying one it may be known that it is linear
// within each row of a tile. What is not known to be better is varying, which is always right.
package divergence
