package amdemu

import (
	"fmt"
	"math/bits"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// An effect is what an access does to memory.
type effect uint8

const (
	effectRead    effect = 1 << iota
	effectWrite          // both: an atomic
	effectOrdered        // by other means than barriers: an atomic or a coherent access
)

// A mover moves data between registers and memory, for the lanes of m, whose
// addresses in w.mem.addr lie in a.
type mover func(w *wave, a *arena, m uint64)

// An access is a load, store or atomic of one size at one address a lane.
type access struct {
	in   *inst
	size uint64 // bytes a lane
	effect
	move mover
	// fixed: at the same place of each lane's private memory, as saved registers are.
	fixed  bool
	scalar bool // of the wave, in lane 0's place
}

// verb names the access in errors.
func (a *access) verb() string {
	switch a.effect &^ effectOrdered {
	case effectRead:
		return "load"
	case effectWrite:
		return "store"
	}
	return "atomic operation"
}

// on moves the data of the lanes m in one arena, with the checks.
func (a *access) on(w *wave, at *arena, m uint64) {
	if at.written != nil {
		a.checkWritten(w, at, m)
	}
	var race *conflict
	var stores *epoch // its own, where others may see the note before the store
	if at.cells != nil {
		if at.kind == global && a.effect&(effectRead|effectWrite) == effectWrite && w.mem.race.own != nil {
			stores = w.mem.race.own
			stores.storing()
		}
		race = a.checkRaces(w, at, m)
	}
	if w.mem.counters {
		a.countLines(w, at, m)
	}
	if a.effect&(effectRead|effectWrite) == effectWrite {
		w.mem.wrote = true
	}
	if a.effect&effectOrdered != 0 {
		// For the host's ordering of what surrounds it.
		atomic.AddUint32(&w.mem.sync, 1)
		a.move(w, at, m)
		atomic.AddUint32(&w.mem.sync, 1)
	} else {
		a.move(w, at, m)
	}
	if stores != nil {
		stores.moved()
	}
	if race != nil {
		a.report(w, at, race)
	}
	if at.cells != nil {
		a.ordered(w)
	}
}

// global does the access for the lanes m at the global addresses in w.mem.addr.
func (a *access) global(w *wave, m uint64) {
	for m != 0 {
		r := w.region(w.mem.addr[bits.TrailingZeros64(m)&63])
		if r == nil || uint64(len(r.bytes)) < a.size {
			a.outside(w, m)
		}
		part := a.inside(w, m, r.base, uint64(len(r.bytes))-a.size)
		if part>>bits.TrailingZeros64(m)&1 == 0 {
			a.outside(w, m)
		}
		a.on(w, &r.arena, part)
		m &^= part
	}
}

// region is what holds an address, nil if nothing does.
func (w *wave) region(addr uint64) *region {
	if r := w.mem.last; r != nil && addr-r.base < uint64(len(r.bytes)) {
		return r
	}
	r := w.mem.memory.find(addr)
	if r != nil {
		w.mem.last = r
	}
	return r
}

// inside is those of the lanes m whose addresses are from base to base+limit. It
// sets w.mem.span where they are one after the other without gaps.
func (a *access) inside(w *wave, m, base, limit uint64) uint64 {
	addr := &w.mem.addr
	w.mem.span = 0
	if n := prefix(m); n > 0 {
		if n > 1 && addr[1]-addr[0] == a.size {
			differ, next := uint64(0), addr[0]
			for _, at := range addr[:n] {
				differ |= at ^ next
				next += a.size
			}
			if differ == 0 && addr[0]-base <= limit && addr[n-1]-base <= limit {
				w.mem.span = next - addr[0]
				return m
			}
		}
		most := uint64(0)
		for _, at := range addr[:n] {
			most = max(most, at-base)
		}
		if most <= limit {
			return m
		}
	}
	part := m
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		if addr[l]-base > limit {
			part &^= 1 << l
		}
	}
	return part
}

// prefix is n where the lanes m are those from 0 to n-1, else 0: the case that
// loops are short for.
func prefix(m uint64) int {
	if m&(m+1) == 0 {
		return bits.Len64(m)
	}
	return 0
}

// at is the place of an address that is known to lie inside.
func (a *arena) at(addr uint64) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(a.bytes)), addr-a.base)
}

// outside fails for the first of the lanes m.
func (a *access) outside(w *wave, m uint64) {
	l := bits.TrailingZeros64(m)
	addr := w.mem.addr[l]
	w.fail(l, fmt.Sprintf("%s of %d bytes at %#x: %s", a.verb(), a.size, addr, w.mem.memory.outside(addr, a.size)))
}

// local does the access for the lanes m at the addresses in LDS in w.mem.addr.
func (a *access) local(w *wave, m uint64) {
	l := &w.group.lds.arena
	if uint64(len(l.bytes)) >= a.size {
		part := a.inside(w, m, 0, uint64(len(l.bytes))-a.size)
		if part == m {
			a.on(w, l, m)
			return
		}
		m &^= part
	}
	lane := bits.TrailingZeros64(m)
	w.fail(lane, fmt.Sprintf("%s of %d bytes at %#x of shared memory, of which the block has %d bytes",
		a.verb(), a.size, w.mem.addr[lane], len(l.bytes)))
}

// private does the access for the lanes m at the addresses in their scratch in
// w.mem.addr, of which the low 32 bits count.
func (a *access) private(w *wave, m uint64) {
	s := &w.scratch
	w.mem.span = 0
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		off := uint64(uint32(w.mem.addr[l]))
		if off+a.size > s.lane {
			w.fail(l, fmt.Sprintf("%s of %d bytes at %#x of private memory, of which each thread has %d bytes: a stack overflow?",
				a.verb(), a.size, off, s.lane))
		}
		w.mem.addr[l] = uint64(l)*s.stride + off
	}
	a.on(w, &s.arena, m)
}

// option is the value of an option that is a number, 0 if it is not there.
func (in *inst) option(name string) (int64, error) {
	text, ok := in.options[name]
	if !ok {
		return 0, nil
	}
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: option %s:%s", in.text, name, text)
	}
	return v, nil
}

// coherent says whether the options are those of atomic and volatile accesses.
// Source: LLVM's User Guide for AMDGPU, memory models.
func (in *inst) coherent() effect {
	for _, name := range []string{"glc", "dlc", "sc0", "sc1"} {
		if _, ok := in.options[name]; ok {
			return effectOrdered
		}
	}
	switch in.options["scope"] {
	case "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS":
		return effectOrdered
	}
	return 0
}

// data is an operand that holds data: n vector registers.
func (in *inst) data(i, n int) (*operand, error) {
	if i >= len(in.operands) {
		return nil, fmt.Errorf("operands missing: %s", in.text)
	}
	o := &in.operands[i]
	if o.file != vgpr && o.file != agpr || o.n != n {
		return nil, fmt.Errorf("operand %s is not %d vector registers: %s", o.text, n, in.text)
	}
	return o, nil
}

// dataAndAddress are the operands of a load, "v1, v0", or of a store, "v0, v1": n registers
// of data, and which operand is the address.
func (in *inst) dataAndAddress(e effect, n int) (data *operand, address int, err error) {
	at, address := 0, 1
	if e == effectWrite {
		at, address = address, at
	}
	data, err = in.data(at, n)
	return data, address, err
}

// A shape is how memory and registers correspond: some dwords, or fewer bytes
// than one.
type shape struct {
	size int // bytes of memory
	// Of loads of less than a dword: the register's new value from its old one and
	// the bytes. Of stores: shift is that of the bytes in the register.
	load  func(old, x uint32) uint32
	shift uint
}

// registers is how many vector registers a shape takes.
func (t shape) registers() int { return (t.size + 3) / 4 }

// loads are the widths of loads, by the names of GFX9 and of GFX11.
var loads = map[string]shape{
	"ubyte u8":                {1, func(_, x uint32) uint32 { return x }, 0},
	"sbyte i8":                {1, func(_, x uint32) uint32 { return uint32(int8(x)) }, 0},
	"ushort u16":              {2, func(_, x uint32) uint32 { return x }, 0},
	"sshort i16":              {2, func(_, x uint32) uint32 { return uint32(int16(x)) }, 0},
	"ubyte_d16 d16_u8":        {1, func(old, x uint32) uint32 { return old&^0xffff | x }, 0},
	"ubyte_d16_hi d16_hi_u8":  {1, func(old, x uint32) uint32 { return old&0xffff | x<<16 }, 0},
	"sbyte_d16 d16_i8":        {1, func(old, x uint32) uint32 { return old&^0xffff | uint32(uint16(int8(x))) }, 0},
	"sbyte_d16_hi d16_hi_i8":  {1, func(old, x uint32) uint32 { return old&0xffff | uint32(int8(x))<<16 }, 0},
	"short_d16 d16_b16":       {2, func(old, x uint32) uint32 { return old&^0xffff | x }, 0},
	"short_d16_hi d16_hi_b16": {2, func(old, x uint32) uint32 { return old&0xffff | x<<16 }, 0},
	"dword b32":               {size: 4},
	"dwordx2 b64":             {size: 8},
	"dwordx3 b96":             {size: 12},
	"dwordx4 b128":            {size: 16},
}

// stores are the widths of stores.
var stores = map[string]shape{
	"byte b8":                 {size: 1},
	"short b16":               {size: 2},
	"byte_d16_hi d16_hi_b8":   {size: 1, shift: 16},
	"short_d16_hi d16_hi_b16": {size: 2, shift: 16},
	"dword b32":               {size: 4},
	"dwordx2 b64":             {size: 8},
	"dwordx3 b96":             {size: 12},
	"dwordx4 b128":            {size: 16},
}

// access moves data of the shape between memory and the registers d.
func (t shape) access(in *inst, e effect, d *operand) *access {
	a := &access{in: in, size: uint64(t.size), effect: e}
	switch {
	case e&effectRead != 0 && t.size < 4:
		a.move = t.loadPart(d)
	case e&effectRead != 0:
		a.move = t.loadDwords(d)
	case t.size < 4:
		a.move = t.storePart(d)
	default:
		a.move = t.storeDwords(d)
	}
	return a
}

// The functions below get addresses that have been checked, for the sake of speed:
// hosts have the byte order of the device, and allow unaligned accesses.

func (t shape) loadDwords(d *operand) mover {
	file, first, n := d.file, d.reg, t.size/4
	switch n {
	case 1:
		return func(w *wave, a *arena, m uint64) { w.loadDword(w.reg(file, first), a, 0, m) }
	case 2:
		return func(w *wave, a *arena, m uint64) { w.loadPair(w.reg(file, first), w.reg(file, first+1), a, m) }
	}
	return func(w *wave, a *arena, m uint64) {
		for i := range n {
			w.loadDword(w.reg(file, first+i), a, uint64(4*i), m)
		}
	}
}

// loadDword loads one dword, off bytes from the addresses.
func (w *wave) loadDword(z *vector, a *arena, off, m uint64) {
	p, base, addr := unsafe.Pointer(unsafe.SliceData(a.bytes)), a.base-off, &w.mem.addr
	n := prefix(m)
	switch {
	case n > 0 && w.mem.span == uint64(4*n):
		copy(z[:n], unsafe.Slice((*uint32)(unsafe.Add(p, addr[0]-base)), n))
	case n > 0:
		for l, at := range addr[:n] {
			z[l] = *(*uint32)(unsafe.Add(p, at-base))
		}
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			z[l] = *(*uint32)(unsafe.Add(p, addr[l]-base))
		}
	}
}

// loadPair loads two dwords by one access of the host, so that no store of another wave comes between them: an atomic load
// of 64 bits is such a load.
func (w *wave) loadPair(z0, z1 *vector, a *arena, m uint64) {
	p, base := unsafe.Pointer(unsafe.SliceData(a.bytes)), a.base
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		x := *(*uint64)(unsafe.Add(p, w.mem.addr[l]-base))
		z0[l], z1[l] = uint32(x), uint32(x>>32)
	}
}

// storePair is the store for [wave.loadPair].
func (w *wave) storePair(x0, x1 *vector, a *arena, m uint64) {
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest) & 63
		*(*uint64)(a.at(w.mem.addr[l])) = uint64(x0[l]) | uint64(x1[l])<<32
	}
}

func (t shape) storeDwords(d *operand) mover {
	file, first, n := d.file, d.reg, t.size/4
	switch n {
	case 1:
		return func(w *wave, a *arena, m uint64) { w.storeDword(w.reg(file, first), a, m) }
	case 2:
		return func(w *wave, a *arena, m uint64) { w.storePair(w.reg(file, first), w.reg(file, first+1), a, m) }
	}
	return func(w *wave, a *arena, m uint64) {
		var x [4]*vector
		for i := range n {
			x[i] = w.reg(file, first+i)
		}
		// Lane by lane: the last of lanes that overlap wins, whole.
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			p := a.at(w.mem.addr[l])
			for i, x := range x[:n] {
				*(*uint32)(unsafe.Add(p, 4*i)) = x[l]
			}
		}
	}
}

func (w *wave) storeDword(x *vector, a *arena, m uint64) {
	p, base, addr := unsafe.Pointer(unsafe.SliceData(a.bytes)), a.base, &w.mem.addr
	n := prefix(m)
	switch {
	case n > 0 && w.mem.span == uint64(4*n):
		copy(unsafe.Slice((*uint32)(unsafe.Add(p, addr[0]-base)), n), x[:n])
	case n > 0:
		for l, at := range addr[:n] {
			*(*uint32)(unsafe.Add(p, at-base)) = x[l]
		}
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			*(*uint32)(unsafe.Add(p, addr[l]-base)) = x[l]
		}
	}
}

func (t shape) loadPart(d *operand) mover {
	file, reg := d.file, d.reg
	return func(w *wave, a *arena, m uint64) {
		z := w.reg(file, reg)
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			off := w.mem.addr[l] - a.base
			x := uint32(a.bytes[off])
			if t.size == 2 {
				x |= uint32(a.bytes[off+1]) << 8
			}
			z[l] = t.load(z[l], x)
		}
	}
}

func (t shape) storePart(d *operand) mover {
	file, reg := d.file, d.reg
	return func(w *wave, a *arena, m uint64) {
		x := w.reg(file, reg)
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			off, v := w.mem.addr[l]-a.base, x[l]>>t.shift
			a.bytes[off] = byte(v)
			if t.size == 2 {
				a.bytes[off+1] = byte(v >> 8)
			}
		}
	}
}
