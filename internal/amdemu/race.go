package amdemu

import (
	"bytes"
	"fmt"
	"math/bits"
	"sync/atomic"
)

// This file finds races: two waves access the same bytes, one of them writes,
// not both by atomics, and nothing orders the two. It is made to report no race
// where there is none, so it misses some:
//
//   - Of each four bytes it remembers the last write and two reads.
//   - A wave's accesses are ordered before everything that comes later in time
//     once the wave has passed a barrier, or has done an atomic after a fence or a
//     wait, whether or not the other wave has waited for that. Between workgroups,
//     a wave that has executed a fence of device scope itself may have acquired
//     what others did before, by means that leave no trace.
//   - Lanes of one wave do not race.
//   - Bytes that an atomic accessed are an atomic variable until the next
//     barrier (LDS) or launch (global memory): loads and stores of them may be
//     atomic ones, which look like others.
//   - A write that changes nothing, as many threads' setting of the same flag,
//     is no race with other writes.
//
// Waves of a workgroup run in turn, and workgroups in parallel, so that two
// accesses with nothing between are found in whatever order they come.

// A record is one access: the wave's slot, its epoch, which of the four bytes,
// and the instruction's address in dwords, lowest bits.
//
//	slot 20 | epoch 24 | mask 4 | pc 16
//
// 0 is no access. The slot atomicSlot marks an atomic variable; then the epoch
// is the phase (see above) in which it is one.
type record uint64

// waveSlots is how many waves of a launch are told apart: wave n has slot
// n%waveSlots.
const (
	waveSlots  = 1<<17 - 1
	atomicSlot = 1<<20 - 1
	epochMask  = 1<<24 - 1
)

func newRecord(slot int, epoch uint32, mask uint64, pc uint64) record {
	return record(uint64(slot)<<44 | uint64(epoch&epochMask)<<20 | mask<<16 | pc>>2&0xffff)
}

func (r record) slot() int     { return int(r >> 44) }
func (r record) epoch() uint32 { return uint32(r>>20) & epochMask }
func (r record) mask() uint64  { return uint64(r >> 16 & 15) }

// pc is the instruction's address, if it is near another.
func (r record) pc(near uint64) uint64 {
	return near + uint64(int64(int16(uint16(r)-uint16(near>>2)))*4)
}

// A cell is what is remembered of the accesses to four bytes.
type cell struct{ write, read, read2 record }

// An epoch is a wave's time: count moves where the wave orders its accesses or
// waits for them. What it did in epochs before group is ordered for its
// workgroup, before device for all.
type epoch struct {
	count, group, device atomic.Uint32
	waited               uint32 // the epoch begun by the last wait; the wave's own
}

// order is a barrier, or the end of a launch: it orders all that came before.
func (e *epoch) order(device bool) {
	n := e.count.Add(1)
	e.waited = n
	e.group.Store(n)
	if device {
		e.device.Store(n)
	}
}

// wait is a fence or a wait: an atomic that follows orders what came before.
func (e *epoch) wait() {
	n := e.count.Add(1)
	e.waited = n
	// Keep differences of epochs far below their 24 bits.
	if n-e.group.Load() > 1<<22 {
		e.group.Store(n)
	}
	if n-e.device.Load() > 1<<22 {
		e.device.Store(n)
	}
}

// release is an atomic.
func (e *epoch) release(device bool) {
	if int32(e.waited-e.group.Load()) > 0 {
		e.group.Store(e.waited)
	}
	if device && int32(e.waited-e.device.Load()) > 0 {
		e.device.Store(e.waited)
	}
}

// unordered says whether an access in an epoch is not ordered yet.
func (e *epoch) unordered(at uint32, sameGroup bool) bool {
	n, done := e.count.Load(), e.group.Load()
	if !sameGroup {
		done = e.device.Load()
	}
	return (n-at)&epochMask <= n-done
}

// raceState is what a wave keeps for races.
type raceState struct {
	global, local *epoch
	dirty         bool      // the wave accessed memory since its last wait
	acquired      bool      // the wave had a fence of device scope
	check         raceCheck // of the current access
}

func (r *raceState) release(device bool) {
	r.global.release(device)
	r.local.release(device)
}

func (w *wave) startRaces() {
	if m := w.mem.memory; m.options.Races {
		w.mem.race = raceState{global: &m.epochs[w.slot()], local: &w.group.lds.epochs[w.id&63]}
	}
}

// slot is the wave's in global memory.
func (w *wave) slot() int { return w.mem.number % waveSlots }

// resetRaces readies LDS for a workgroup.
func (l *lds) resetRaces() {
	clear(l.cells)
	l.phase++
}

// fence is a cache operation; device means that it is for all workgroups, not only
// for the wave's own.
func (w *wave) fence(device bool) {
	atomic.AddUint32(&w.mem.sync, 1)
	if r := &w.mem.race; r.global != nil {
		r.global.wait()
		r.local.wait()
		r.dirty = false
		r.acquired = r.acquired || device
	}
}

// waitMemory is s_waitcnt: all that is left on GFX9 of a fence for the workgroup.
func (w *wave) waitMemory() {
	if r := &w.mem.race; r.global != nil && r.dirty {
		r.global.wait()
		r.local.wait()
		r.dirty = false
	}
}

// passBarrier says that the workgroup of w has passed a barrier; it is called
// once for each wave of it, before any of them goes on.
func (w *wave) passBarrier() {
	if r := &w.mem.race; r.global != nil {
		r.global.order(false)
		r.local.order(false)
		r.dirty = false
		w.group.lds.phase++
	}
}

// BeginLaunch and EndLaunch enclose a launch of n waves, which is ordered with
// all that ends before it begins or begins when it has ended.
func (m *Memory) BeginLaunch() { m.launch.Add(1) }

func (m *Memory) EndLaunch(n int) {
	if !m.options.Races {
		return
	}
	most := uint32(0)
	for i := range m.epochs[:min(n, waveSlots)] {
		m.epochs[i].order(true)
		most = max(most, m.epochs[i].count.Load())
	}
	// Epochs in records have 24 bits: forget before they come round.
	if most > 1<<23 {
		m.forget()
	}
}

// forget drops all that is known for races.
func (m *Memory) forget() {
	for _, r := range *m.regions.Load() {
		clear(r.cells)
	}
	for i := range m.epochs {
		e := &m.epochs[i]
		e.count.Store(0)
		e.group.Store(0)
		e.device.Store(0)
		e.waited = 0
	}
}

// A conflict is a race that was found: a lane of the current access with an
// access before.
type conflict struct {
	lane   int
	with   record
	verb   string // what the earlier one did
	old    [16]byte
	silent bool // it is none if the write changes nothing
}

// raceCheck is what the checks of one access have in common.
type raceCheck struct {
	kind     raceKind
	epochs   []epoch
	self     record // of the access, with an empty mask
	slot     int
	phase    uint32
	first, n int // the slots of the workgroup
	acquired bool
	found    *conflict
}

// A raceKind is a kind of access, for races.
type raceKind uint8

const (
	raceRead   raceKind = iota
	raceWrite           // plain
	raceStore           // coherent: perhaps an atomic store
	raceAtomic          // read-modify-write
)

// checkRaces notes an access for the lanes m. It returns a conflict with an
// earlier one, nil if there is none.
func (a *access) checkRaces(w *wave, at *arena, m uint64) *conflict {
	r := &w.mem.race
	if r.global == nil || a.effect == effectRead|effectOrdered {
		return nil
	}
	c := &r.check
	if at.kind == local {
		*c = raceCheck{epochs: w.group.lds.epochs[:], slot: w.id & 63, phase: w.group.lds.phase, n: len(w.group.lds.epochs)}
		c.self = newRecord(c.slot, r.local.count.Load(), 0, a.in.addr)
	} else {
		*c = raceCheck{epochs: w.mem.memory.epochs, slot: w.slot(), phase: w.mem.memory.launch.Load(),
			first: w.slot() - w.id, n: len(w.group.waves), acquired: r.acquired}
		c.self = newRecord(c.slot, r.global.count.Load(), 0, a.in.addr)
	}
	c.kind = a.raceKind()
	r.dirty = true
	first := (w.mem.addr[0] - at.base)
	switch {
	case w.mem.span > 0 && first&3 == 0 && a.size&3 == 0:
		c.dwords(at.cells[first>>2:][:w.mem.span>>2], 0, int(a.size>>2))
	default:
		for rest := m; rest != 0; rest &= rest - 1 {
			l := bits.TrailingZeros64(rest) & 63
			off := w.mem.addr[l] - at.base
			if off&3 == 0 && a.size&3 == 0 {
				c.dwords(at.cells[off>>2:][:a.size>>2], l, lanes)
				continue
			}
			for end := off + a.size; off < end; {
				next := min(off&^3+4, end)
				c.touch(&at.cells[off>>2], (1<<(next-off)-1)<<(off&3), l)
				off = next
			}
		}
	}
	if c.found != nil && c.found.silent {
		l := c.found.lane
		copy(c.found.old[:], at.bytes[w.mem.addr[l]-at.base:][:a.size])
	}
	return c.found
}

func (a *access) raceKind() raceKind {
	switch a.effect {
	case effectRead:
		return raceRead
	case effectWrite:
		return raceWrite
	case effectWrite | effectOrdered:
		return raceStore
	}
	return raceAtomic
}

// races says whether an earlier access of the bytes of mask by another wave is
// not ordered before this one.
func (c *raceCheck) races(r record, mask uint64) bool {
	s := r.slot()
	if r == 0 || s == c.slot || r.mask()&mask == 0 || s == atomicSlot {
		return false
	}
	same := uint(s-c.first) < uint(c.n)
	return (same || !c.acquired) && c.epochs[s].unordered(r.epoch(), same)
}

// note keeps the first conflict.
func (c *raceCheck) note(l int, with record, verb string, silent bool) {
	if c.found == nil {
		c.found = &conflict{lane: l, with: with, verb: verb, silent: silent}
	}
}

// with is the record of this access, of bytes of the same epoch together.
func (c *raceCheck) with(old record, mask uint64) record {
	if (old^c.self)>>20 == 0 {
		mask |= old.mask()
	}
	return c.self | record(mask<<16)
}

// touch checks and notes the access of lane l to the bytes of mask.
func (c *raceCheck) touch(at *cell, mask uint64, l int) {
	wr := at.write
	if wr != 0 && c.kind < raceStore && wr.slot() == atomicSlot && wr.epoch() == c.phase&epochMask {
		return // an atomic variable
	}
	if wr.slot() != c.slot && c.kind != raceStore && c.races(wr, mask) {
		c.note(l, wr, "stored", c.kind == raceWrite)
	}
	switch c.kind {
	case raceRead:
		c.read(at, mask)
	case raceWrite:
		if c.races(at.read, mask) {
			c.note(l, at.read, "loaded", true)
		}
		if c.races(at.read2, mask) {
			c.note(l, at.read2, "loaded", true)
		}
		*at = cell{write: c.with(wr, mask)}
	default:
		*at = cell{write: newRecord(atomicSlot, c.phase, 15, 0)}
	}
}

// dwords checks and notes accesses to all of some cells, by lanes from l on with
// n cells each. It is short where only this wave has accessed them, as far as is
// remembered.
func (c *raceCheck) dwords(cells []cell, l, n int) {
	want, slot := c.self|15<<16, record(c.slot)
	for i := range cells {
		at := &cells[i]
		alone := (at.write == 0 || at.write>>44 == slot) && (at.read == 0 || at.read>>44 == slot) && at.read2 == 0
		switch {
		case alone && c.kind == raceRead:
			at.read = want
		case alone && c.kind == raceWrite:
			at.write, at.read = want, 0
		default:
			c.touch(at, 15, l+i/n)
		}
	}
}

// read notes a load. Of two loads by different waves any store conflicts with one.
func (c *raceCheck) read(at *cell, mask uint64) {
	switch {
	case at.read == 0 || at.read.slot() == c.slot:
		if r := c.with(at.read, mask); r != at.read {
			at.read = r
		}
	case at.read2.slot() == c.slot && at.read2 != 0:
		if r := c.with(at.read2, mask); r != at.read2 {
			at.read2 = r
		}
	default:
		at.read, at.read2 = c.with(0, mask), at.read
	}
}

// report fails with a conflict, once the access is done.
func (a *access) report(w *wave, at *arena, c *conflict) {
	l := c.lane
	if c.silent && bytes.Equal(at.bytes[w.mem.addr[l]-at.base:][:a.size], c.old[:a.size]) {
		return
	}
	number, what := c.with.slot(), "barrier"
	if at.kind == local {
		number += w.mem.number - w.id
	} else if first := w.slot() - w.id; number < first || number >= first+len(w.group.waves) {
		what = "fence"
	}
	pc := c.with.pc(a.in.addr)
	w.fail(l, fmt.Sprintf("race: %s %ss here what %s %s at %s, with no %s between: %s",
		w.mem.places.waveName(w.mem.number), a.act(), w.mem.places.waveName(number), c.verb, w.mem.places.where(pc), what,
		a.spot(w, at, l)))
}

// act is the verb of a sentence about the access.
func (a *access) act() string {
	if a.effect&effectRead != 0 && a.effect&effectWrite != 0 {
		return "atomically change"
	}
	return a.verb()
}
