package abi

import (
	"encoding/binary"
	"testing"
)

// TestCondition computes each kind of step.
func TestCondition(t *testing.T) {
	args := binary.LittleEndian.AppendUint64(nil, 1<<40+7)
	args = append(args, 0xfe, 0xff, 0xff, 0xff, 0x80, 0, 0, 0)
	l := Launch{Args: args, Grid: [3]int{5, 6, 7}, Block: [3]int{8, 9, 10}, Shared: 11}
	konst := func(k uint64) Step { return Step{Op: StepConst, K: k} }
	for _, c := range []struct {
		c    Condition
		want uint64
	}{
		{nil, 0},
		{Condition{konst(9)}, 9},
		{Condition{{Op: StepArg, Y: 8}}, 1<<40 + 7},
		{Condition{{Op: StepSigned, Y: 8}}, 1<<40 + 7},
		{Condition{{Op: StepArg, X: 8, Y: 4}}, 0xfffffffe},
		{Condition{{Op: StepSigned, X: 8, Y: 4}}, 1<<64 - 2},
		{Condition{{Op: StepArg, X: 8, Y: 2}}, 0xfffe},
		{Condition{{Op: StepSigned, X: 8, Y: 2}}, 1<<64 - 2},
		{Condition{{Op: StepArg, X: 12, Y: 1}}, 0x80},
		{Condition{{Op: StepSigned, X: 12, Y: 1}}, 1<<64 - 128},
		{Condition{{Op: StepGrid, X: 1}}, 6},
		{Condition{{Op: StepBlock, X: 2}}, 10},
		{Condition{{Op: StepShared}}, 11},
		{Condition{konst(1<<35 + 3), {Op: StepLow}}, 3},
		{Condition{konst(12), konst(3), {Op: StepOr, X: 0, Y: 1}}, 15},
		{Condition{konst(12), konst(3), {Op: StepShr, X: 0, Y: 1}}, 1},
		{Condition{konst(1<<32 - 1), konst(3), {Op: StepAdd, X: 0, Y: 1}}, 1<<32 + 2},
		{Condition{konst(3), konst(12), {Op: StepSub, X: 0, Y: 1}}, 1<<64 - 9},
		{Condition{konst(1<<32 - 1), konst(3), {Op: StepAdd32, X: 0, Y: 1}}, 2},
		{Condition{konst(3), konst(12), {Op: StepSub32, X: 0, Y: 1}}, 1<<32 - 9},
		{Condition{konst(1 << 31), konst(12), {Op: StepMul, X: 0, Y: 1}}, 12 << 31},
		{Condition{konst(47), konst(12), {Op: StepDiv, X: 0, Y: 1}}, 3},
	} {
		if err := c.c.Check(len(args)); err != nil {
			t.Errorf("%v: %v", c.c, err)
			continue
		}
		if got := c.c.Value(&l); got != c.want || c.c.Holds(&l) != (c.want == 0) {
			t.Errorf("%v: %#x, want %#x", c.c, got, c.want)
		}
	}
}

// TestBadCondition shows what cannot be computed.
func TestBadCondition(t *testing.T) {
	for _, s := range []Step{
		{Op: StepArg, X: 9, Y: 8}, {Op: StepArg, X: -1, Y: 8}, {Op: StepSigned, Y: 3}, {Op: StepGrid, X: 3}, {Op: StepBlock, X: -1},
		{Op: StepLow, X: 1}, {Op: StepOr, X: 0, Y: 1}, {Op: StepAdd, X: -1}, {Op: StepDiv + 1},
	} {
		if err := (Condition{{Op: StepConst}, s}).Check(16); err == nil {
			t.Errorf("%v can be computed", s)
		}
	}
	if err := make(Condition, MaxSteps+1).Check(16); err == nil {
		t.Error("too many steps")
	}
}

// BenchmarkCondition is what a launch takes longer for a condition of 60 steps.
func BenchmarkCondition(b *testing.B) {
	l := Launch{Args: make([]byte, 64), Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1}}
	c := Condition{{Op: StepArg, Y: 8}, {Op: StepArg, X: 8, Y: 8}}
	for i := range 58 {
		c = append(c, Step{Op: [...]StepOp{StepMul, StepOr, StepAdd, StepLow, StepSub32, StepShr}[i%6], X: i, Y: i + 1})
	}
	for b.Loop() {
		if !c.Holds(&l) {
			b.Fatal("it does not hold")
		}
	}
}

// TestLongConditions computes conditions of few steps and of many: each adds 1 to what the one before it made.
func TestLongConditions(t *testing.T) {
	for _, n := range []int{2, fewSteps, fewSteps + 1, MaxSteps} {
		c := Condition{{Op: StepConst, K: 1}}
		for i := 1; i < n; i++ {
			c = append(c, Step{Op: StepAdd, X: i - 1, Y: 0})
		}
		if err := c.Check(0); err != nil {
			t.Fatal(err)
		}
		if got := c.Value(&Launch{}); got != uint64(n) {
			t.Errorf("%d steps: %d", n, got)
		}
	}
}
