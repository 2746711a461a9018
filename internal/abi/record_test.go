package abi

import "testing"

// A record adds up if all its words are there.
func TestPanicRecordAdds(t *testing.T) {
	if (&PanicRecord{State: Panicked, Site: 1}).Adds() {
		t.Error("a record without its sum adds up")
	}
	whole := PanicRecord{State: Panicked, Site: 7, Block: [3]uint32{1, 2, 3}, Thread: [3]uint32{4, 5, 6}, Args: [2]uint64{1<<63 + 9, 1<<32 + 5}}
	words := []uint32{7, 1, 2, 3, 4, 5, 6, 9, 1 << 31, 5, 1}
	for n, w := range words {
		whole.Sum += w * uint32(SumFactor(n))
	}
	if !whole.Adds() {
		t.Error("a whole record does not add up")
	}
	for name, lose := range map[string]func(r *PanicRecord){
		"site": func(r *PanicRecord) { r.Site = 0 }, "block": func(r *PanicRecord) { r.Block[1] = 0 }, "thread": func(r *PanicRecord) { r.Thread[2] = 0 },
		"low half": func(r *PanicRecord) { r.Args[1] &^= 1<<32 - 1 }, "high half": func(r *PanicRecord) { r.Args[0] &= 1<<32 - 1 }, "sum": func(r *PanicRecord) { r.Sum = 0 },
	} {
		part := whole
		if lose(&part); part.Adds() {
			t.Errorf("a record without its %s adds up", name)
		}
	}
}
