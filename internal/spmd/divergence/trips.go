package divergence

import (
	"strings"

	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// maxTrips is how many iterations are few.
const maxTrips = 1024

// Trips is how many iterations a loop makes at most, 0 if that is not known to be
// few: one whose counter begins, goes on and ends with constants.
func (c *CFG) Trips(l *Loop) int {
	for b := range l.blocks {
		t := b.Term()
		if t.Op != "br" || len(t.Args) == 0 || l.Has(t.Blocks[0]) == l.Has(t.Blocks[1]) || !c.Dominates(b, l.Latch) {
			continue
		}
		test, ok := t.Args[0].(*ll.Inst)
		if !ok || test.Op != "icmp" {
			continue
		}
		counter, bound := test.Args[0], Constant(test.Args[1])
		if bound == nil || counter.Type().Kind != ll.Int || counter.Type().Bits > 64 {
			continue
		}
		if n := l.count(counter, test.Pred, *bound, l.Has(t.Blocks[0])); n > 0 {
			return n
		}
	}
	return 0
}

// count is how often the comparison of a counter with bound is as stay says, 0 if
// more often than maxTrips or not known.
func (l *Loop) count(counter ll.Value, pred string, bound int64, stay bool) int {
	phi, ahead := l.counter(counter)
	if phi == nil {
		return 0
	}
	var at, step *int64
	for n, from := range phi.Blocks {
		if from != l.Latch {
			at = Constant(phi.Args[n])
		} else if next, by := l.counter(phi.Args[n]); next == phi {
			step = &by
		}
	}
	if at == nil || step == nil || len(phi.Blocks) != 2 {
		return 0
	}
	bits := phi.Typ.Bits
	for n := 1; n <= maxTrips; n++ {
		if holds(pred, wrap(*at+ahead+int64(n-1)**step, bits), wrap(bound, bits), bits) != stay {
			return n
		}
	}
	return 0
}

// counter takes v for a phi of the loop's header, plus a constant.
func (l *Loop) counter(v ll.Value) (phi *ll.Inst, plus int64) {
	i, ok := v.(*ll.Inst)
	if ok && i.Op == "add" {
		if c := Constant(i.Args[1]); c != nil {
			plus = *c
			i, ok = i.Args[0].(*ll.Inst)
		}
	}
	if !ok || i.Op != "phi" || i.Block != l.Header {
		return nil, 0
	}
	return i, plus
}

// wrap is the low bits of n as a signed number.
func wrap(n int64, bits int) int64 { return n << (64 - bits) >> (64 - bits) }

// holds compares signed numbers as icmp does.
func holds(pred string, x, y int64, bits int) bool {
	mask := ^uint64(0) >> (64 - bits)
	ux, uy := uint64(x)&mask, uint64(y)&mask
	switch pred {
	case "eq":
		return x == y
	case "ne":
		return x != y
	case "slt":
		return x < y
	case "sle":
		return x <= y
	case "sgt":
		return x > y
	case "sge":
		return x >= y
	case "ult":
		return ux < uy
	case "ule":
		return ux <= uy
	case "ugt":
		return ux > uy
	}
	return ux >= uy
}

// Waits reports whether a loop does nothing but look at memory, in each iteration
// at the same: it ends only when another thread has changed that.
func (c *CFG) Waits(l *Loop) bool {
	looks := false
	for b := range l.blocks {
		if c.Loops[b.Index] != l {
			return false
		}
		for _, i := range b.Insts {
			switch i.Op {
			case "phi", "store":
				return false
			case "load", "cmpxchg":
				looks = true
			case "atomicrmw":
				if n := Constant(i.Args[1]); (i.Pred == "add" || i.Pred == "sub") && (n == nil || *n != 0) || strings.HasPrefix(i.Pred, "f") {
					return false
				}
				looks = true
			case "call":
				known := strings.HasPrefix(i.Callee, "llvm.") && !strings.HasPrefix(i.Callee, "llvm.mem")
				if f := ops.Of(i.Callee); !known && (f.Effect == ops.Unknown || f.Effect == ops.Reads) {
					return false
				}
			}
		}
	}
	return looks
}
