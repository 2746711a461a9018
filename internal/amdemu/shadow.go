package amdemu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"
)

// This file has what the sanitizer and the counters do at each access but for
// races: bytes that were never written, lines of memory, banks of LDS.

// checkWritten notes what the lanes m write, and fails where one reads what
// nothing wrote: none of the bytes of its access. Compilers load padding, and
// widen loads of less than a dword, so one unwritten byte means nothing. Nor does
// a load of a place in the stack frame: code that is not optimised restores
// registers that it has not saved yet, to write to some lanes of them. Nor does a load
// of one or two bytes of a thread's own variables that lie in eight of which some were
// written: a copy of a struct within an array goes byte by byte, padding included.
func (a *access) checkWritten(w *wave, at *arena, m uint64) {
	if at.whole != nil && at.whole.Load() {
		return
	}
	p, base, addr := unsafe.Pointer(unsafe.SliceData(at.written)), at.base, &w.mem.addr
	n, span := prefix(m), w.mem.span
	dwords := n > 0 && a.size == 4
	switch {
	case a.effect&effectRead == 0, a.fixed && at.kind == private:
	case span > 0:
		if bytes.IndexByte(at.written[addr[0]-base:][:span], 0) >= 0 {
			a.findUnwritten(w, at, m)
		}
	case dwords:
		unwritten := false
		for _, at := range addr[:n] {
			unwritten = unwritten || *(*uint32)(unsafe.Add(p, at-base)) == 0
		}
		if unwritten {
			a.findUnwritten(w, at, m)
		}
	default:
		a.findUnwritten(w, at, m)
	}
	switch {
	case a.effect&effectWrite == 0:
	case span > 0:
		copy(at.written[addr[0]-base:], ones[:span])
	case dwords:
		for _, at := range addr[:n] {
			*(*uint32)(unsafe.Add(p, at-base)) = 0x01010101
		}
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			setAll(at.written[addr[bits.TrailingZeros64(rest)&63]-base:], a.size)
		}
	}
}

// ones are as many bytes as all lanes can access.
var ones = func() (b [lanes * 16]byte) {
	fill(b[:], 1)
	return b
}()

// findUnwritten fails for the first lane that loads what nothing wrote.
func (a *access) findUnwritten(w *wave, at *arena, m uint64) {
	if at.kind == private && a.inFrame(w) {
		return
	}
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		if from := w.mem.addr[l] - at.base; !anySet(at.written[from:], a.size) && !at.padding(from, a.size) {
			w.fail(l, fmt.Sprintf("load of %d bytes that nothing has written, at %s", a.size, a.spot(w, at, l)))
		}
	}
}

// padding says whether n bytes at an offset may be padding of a thread's own variable.
func (at *arena) padding(from, n uint64) bool {
	word := from &^ 7
	return n <= 2 && at.own <= from && from < at.ownEnd && word+8 <= uint64(len(at.written)) && anySet(at.written[word:], 8)
}

// inFrame says whether the address is a constant that the instruction before put
// into the register: a place in the stack frame too far for the offset of the
// access itself.
func (a *access) inFrame(w *wave) bool {
	set := w.code.before(a.in.addr)
	if set == nil || set.name != "v_mov_b32" || len(set.operands) != 2 || len(a.in.operands) < 2 {
		return false
	}
	to, from, addr := &set.operands[0], &set.operands[1], &a.in.operands[1]
	return from.file == literal && to.file == vgpr && addr.file == vgpr && addr.n == 1 && addr.reg == to.reg
}

// anySet says whether one of the first n bytes is not 0.
func anySet(b []byte, n uint64) bool {
	for ; n >= 4; n, b = n-4, b[4:] {
		if binary.LittleEndian.Uint32(b) != 0 {
			return true
		}
	}
	for _, x := range b[:n] {
		if x != 0 {
			return true
		}
	}
	return false
}

// setAll makes the first n bytes 1.
func setAll(b []byte, n uint64) {
	for ; n >= 4; n, b = n-4, b[4:] {
		binary.LittleEndian.PutUint32(b, 0x01010101)
	}
	for i := range b[:n] {
		b[i] = 1
	}
}

// spot names the place that lane l accesses.
func (a *access) spot(w *wave, at *arena, l int) string {
	addr := w.mem.addr[l]
	switch at.kind {
	case local:
		return fmt.Sprintf("%#x of shared memory", addr)
	case private:
		return fmt.Sprintf("%#x of private memory", addr%w.scratch.stride)
	}
	if r := w.mem.memory.find(addr); r != nil {
		return fmt.Sprintf("byte %d of %s", addr-r.base, r.describe())
	}
	return fmt.Sprintf("%#x", addr)
}

// Sizes of the hardware, in bytes.
const (
	lineSize = 128 // of L2, of MI200 to MI300 and of GFX10 on
	banks    = 32  // of LDS, of a dword each
)

// A bank is the dwords that lanes want of one bank of LDS.
type bank struct {
	n     int
	words [32]uint64
}

// countLines counts what an access of the lanes m costs: lines of global memory,
// or what LDS's banks make it wait. A cycle of LDS serves each bank once: 32
// lanes at 4 bytes a lane, 16 at 8, 8 at 16.
func (a *access) countLines(w *wave, at *arena, m uint64) {
	s, first := &w.mem.stats, w.mem.addr[0]
	switch at.kind {
	case global:
		s.Bytes += uint64(bits.OnesCount64(m)) * a.size
		if span := w.mem.span; span > 0 {
			s.Transactions += (first+span-1)/lineSize - first/lineSize + 1
			return
		}
		s.Transactions += a.lines(w, m)
	case local:
		if w.mem.span > 0 && first&3 == 0 {
			return
		}
		n := banks * 4 / int(max(a.size, 4))
		for first := 0; first < w.size; first += n {
			if part := m & ((1<<n - 1) << first); part != 0 {
				s.Conflicts += a.conflicts(w, part)
			}
		}
	}
}

// lines is how many lines the lanes m touch.
func (a *access) lines(w *wave, m uint64) uint64 {
	seen := w.mem.lines[:0]
	for rest := m; rest != 0; rest &= rest - 1 {
		addr := w.mem.addr[bits.TrailingZeros64(rest)&63]
		for line := addr / lineSize; line <= (addr+a.size-1)/lineSize; line++ {
			if !contains(seen, line) {
				seen = append(seen, line)
			}
		}
	}
	return uint64(len(seen))
}

// contains looks from the end, where the line of the lane before is.
func contains(seen []uint64, x uint64) bool {
	for i := len(seen) - 1; i >= 0; i-- {
		if seen[i] == x {
			return true
		}
	}
	return false
}

// conflicts is by how many cycles the lanes m exceed one: those that want
// different dwords of a bank take turns.
func (a *access) conflicts(w *wave, m uint64) uint64 {
	if a.free(w, m) {
		return 0
	}
	all := &w.mem.banks
	for i := range all {
		all[i].n = 0
	}
	most := 1
	for ; m != 0; m &= m - 1 {
		addr := w.mem.addr[bits.TrailingZeros64(m)&63]
		for word := addr / 4; word <= (addr+a.size-1)/4; word++ {
			b := &all[word%banks]
			if b.n < len(b.words) && !contains(b.words[:b.n], word) {
				b.words[b.n] = word
				b.n++
				most = max(most, b.n)
			}
		}
	}
	return uint64(most - 1)
}

// free says that no two of the lanes m want different dwords of a bank.
func (a *access) free(w *wave, m uint64) bool {
	var first [banks]uint64
	used := uint32(0)
	for ; m != 0; m &= m - 1 {
		addr := w.mem.addr[bits.TrailingZeros64(m)&63]
		for word, last := addr/4, (addr+a.size-1)/4; word <= last; word++ {
			switch b := word % banks; {
			case used>>b&1 == 0:
				used |= 1 << b
				first[b] = word
			case first[b] != word:
				return false
			}
		}
	}
	return true
}
