package amdemu

import (
	"bytes"
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
)

// This file finds races: two waves access the same bytes, one of them stores,
// not both by atomics, and nothing orders the two. It is made to report no race
// where there is none, so it misses some:
//
//   - Of each four bytes it remembers the last store and two loads.
//   - All atomics of a workgroup's waves, whatever their order and address, order
//     what came before them in their wave for what comes behind later ones in
//     others: of atomics in LDS the code does not tell relaxed ones from others.
//   - A wave that has executed a fence of device scope may have acquired what
//     other workgroups did before: it has no races with them. Nor have waves of its
//     workgroup that meet it at a barrier, or acquire by an atomic, after that.
//   - Lanes of one wave do not race.
//   - Bytes that an atomic accessed are an atomic variable until the next
//     barrier (LDS) or launch (global memory): loads and stores of them may be
//     atomic ones, which look like others.
//   - A store that changes nothing, as many threads' setting of the same flag,
//     is no race with other stores or loads. Where two waves store in the same
//     places at the same time, what the other stores may not be known.
//
// Atomic loads and stores that look like others are known by their places in the source
// (Program.Atomics). Where the code does not name those, flags in LDS, or between waves of a
// workgroup, that are only ever loaded and stored are an error and should be none.
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

// An epoch is a wave's time in its launch: count moves where the wave releases
// what it did. What was done before done was done by earlier launches.
// The step is odd while the wave stores: what it stores is noted, and not in memory yet.
type epoch struct{ count, done, step atomic.Uint32 }

// storing and moved enclose what a wave does to store in global memory, from its note on.
func (e *epoch) storing() { e.step.Add(1) }
func (e *epoch) moved()   { e.step.Add(1) }

// stored waits until what the wave has noted is in memory. It reports false where that
// takes too long: perhaps the wave waits for this one.
func (e *epoch) stored() bool {
	const patience = 10_000
	began := e.step.Load()
	for range patience {
		if began&1 == 0 || e.step.Load() != began {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// later says whether epoch a is after b, of which 24 bits count.
func later(a, b uint32) bool { return (a-b-1)&epochMask < 1<<23 }

// groupOrder is what the waves of a workgroup know of each other's time.
type groupOrder struct {
	// seen[b][a] is the epoch of a up to which all is ordered before what b does
	// next; met[a] is a's epoch at its last atomic.
	seen [64][64]uint32
	met  [64]uint32
	// A wave has gone through too many epochs for the records' bits: races are not
	// looked for in this workgroup any more.
	exhausted bool
}

// begin readies it for wave a of n, whose epoch is now.
func (o *groupOrder) begin(a, n int, now uint32) {
	for b := range o.seen[:n] {
		o.seen[b][a] = now - 1
	}
	o.met[a] = now - 1
}

// acquire is an atomic load by wave b of n.
func (o *groupOrder) acquire(b, n int) {
	for a, t := range o.met[:n] {
		if int32(t-o.seen[b][a]) > 0 {
			o.seen[b][a] = t
		}
	}
}

// release is an atomic store by wave b in its epoch now. What b has seen others
// have, or all of the workgroup know.
func (o *groupOrder) release(b int, now uint32) { o.met[b] = now }

// barrier orders what wave a of n has done before what all do next.
func (o *groupOrder) barrier(a, n int, now uint32) {
	for b := range o.seen[:n] {
		o.seen[b][a] = now
	}
}

// raceState is what a wave keeps for races.
type raceState struct {
	own      *epoch // nil: races are not looked for
	began    uint32 // own.count at the wave's start
	acquired bool   // the wave had a fence of device scope
	check    raceCheck
}

func (w *wave) startRaces() {
	m, l := w.mem.memory, w.group.lds
	if !m.options.Races || w.id >= len(l.order.met) {
		return
	}
	own := &m.epochs[w.slot()]
	own.step.Store(0) // odd if a wave of its slot has panicked at a store
	now := own.count.Add(1)
	w.mem.race = raceState{own: own, began: now}
	l.order.begin(w.id, len(w.group.waves), now)
}

// slot is the wave's in global memory.
func (w *wave) slot() int { return w.mem.number % waveSlots }

// nextEpoch begins an epoch of the wave and returns the one that has ended.
func (w *wave) nextEpoch() uint32 {
	r := &w.mem.race
	now := r.own.count.Add(1) - 1
	if now-r.began > 1<<22 {
		w.group.lds.order.exhausted = true
	}
	return now
}

// resetRaces readies LDS for a workgroup.
func (l *lds) resetRaces() {
	clear(l.cells)
	l.phase++
	l.order.exhausted = false
}

// fence is a cache operation; device means that it is for all workgroups, not only
// for the wave's own.
func (w *wave) fence(device bool) {
	atomic.AddUint32(&w.mem.sync, 1)
	w.mem.race.acquired = w.mem.race.acquired || device
}

// acquire and release order the wave's accesses with those of its workgroup.
func (w *wave) acquire() {
	w.group.lds.order.acquire(w.id, len(w.group.waves))
	w.acquireFromOthers()
}

// acquireFromOthers passes on to the wave what others of its workgroup have acquired.
func (w *wave) acquireFromOthers() {
	for _, other := range w.group.waves {
		w.mem.race.acquired = w.mem.race.acquired || other.mem.race.acquired
	}
}

func (w *wave) release() {
	w.group.lds.order.release(w.id, w.nextEpoch())
}

// passBarrier says that the workgroup of w has passed a barrier; it is called
// once for each wave of it, before any of them goes on.
func (w *wave) passBarrier() {
	if w.mem.race.own != nil {
		w.group.lds.order.barrier(w.id, len(w.group.waves), w.nextEpoch())
		w.acquireFromOthers()
		w.group.lds.phase++
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
	seen     []uint32 // of the workgroup's waves, by this one
	self     record   // of the access, with an empty mask
	slot     int
	phase    uint32
	first    int // the slot of the workgroup's first wave
	acquired bool
	acquires bool // the access loads an atomic variable
	releases bool // the access stores to one
	found    *conflict
}

// A raceKind is a kind of access, for races.
type raceKind uint8

const (
	raceRead   raceKind = iota
	raceWrite           // plain
	raceLoad            // coherent: perhaps an atomic load
	raceStore           // coherent: perhaps an atomic store
	raceAtomic          // read-modify-write
)

func (a *access) raceKind() raceKind {
	e := a.effect
	if a.in.atomic {
		e |= effectOrdered
	}
	switch e {
	case effectRead:
		return raceRead
	case effectWrite:
		return raceWrite
	case effectRead | effectOrdered:
		return raceLoad
	case effectWrite | effectOrdered:
		return raceStore
	}
	return raceAtomic
}

// checkRaces notes an access for the lanes m. It returns a conflict with an
// earlier one, nil if there is none.
func (a *access) checkRaces(w *wave, at *arena, m uint64) *conflict {
	r := &w.mem.race
	c, g := &r.check, w.group
	if r.own == nil || g.lds.order.exhausted {
		return nil
	}
	*c = raceCheck{kind: a.raceKind(), seen: g.lds.order.seen[w.id][:len(g.waves)], slot: w.id, phase: g.lds.phase & epochMask}
	if at.kind == global {
		c.epochs, c.slot, c.first, c.acquired = w.mem.memory.epochs, w.slot(), w.slot()-w.id, r.acquired
		c.phase = w.mem.memory.launch.Load() & epochMask
	}
	c.self = newRecord(c.slot, r.own.count.Load(), 0, a.in.addr)
	if c.kind == raceLoad {
		c.acquires = true
		return nil
	}
	first := w.mem.addr[0] - at.base
	switch {
	case a.scalar:
		c.scalar(at.cells[first>>2:], a.size)
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
		if at.kind == global && !c.epochs[c.found.with.slot()].stored() {
			return nil
		}
		l := c.found.lane
		copy(c.found.old[:], at.bytes[w.mem.addr[l]-at.base:][:a.size])
	}
	return c.found
}

// ordered does what the access means for the order of others; it has been done.
func (a *access) ordered(w *wave) {
	if w.mem.race.own == nil {
		return
	}
	c := &w.mem.race.check
	if c.acquires || c.kind == raceAtomic {
		w.acquire()
	}
	if c.releases || c.kind == raceStore || c.kind == raceAtomic {
		w.release()
	}
}

// races says whether an earlier access of the bytes of mask by another wave is
// not ordered before this one.
func (c *raceCheck) races(r record, mask uint64) bool {
	s := r.slot()
	if r == 0 || s == c.slot || !overlap(r.mask(), mask) || s == atomicSlot {
		return false
	}
	if a := s - c.first; uint(a) < uint(len(c.seen)) {
		return later(r.epoch(), c.seen[a])
	}
	return !c.acquired && later(r.epoch()+1, c.epochs[s].done.Load())
}

// overlap says whether accesses to the bytes of two masks meet. An empty mask is
// that of bytes which are not known.
func overlap(a, b uint64) bool {
	if a == 0 || b == 0 {
		return a|b == 15
	}
	return a&b != 0
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
	variable := at.read != 0 && at.read.slot() == atomicSlot
	if variable && at.read.epoch() != c.phase {
		variable, at.read = false, 0
	}
	if variable && c.kind == raceRead {
		c.acquires = true
		return
	}
	if variable && c.kind == raceWrite {
		c.releases = true
		return
	}
	if c.kind != raceStore && c.races(at.write, mask) {
		c.note(l, at.write, "stored", c.kind == raceWrite)
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
		*at = cell{write: c.with(at.write, mask)}
	default:
		// What this wave stored before still has to be ordered for others.
		if at.write.slot() != c.slot {
			at.write = 0
		}
		at.read, at.read2 = newRecord(atomicSlot, c.phase, 15, 0), 0
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

// scalar checks and notes a scalar load. Compilers load a dword where the program
// loads a byte of it, and four where it loads three.
func (c *raceCheck) scalar(cells []cell, size uint64) {
	switch {
	case size <= 4:
		c.touch(&cells[0], 0, 0)
	case size > 8 && size <= 16:
		c.dwords(cells[:3], 0, lanes)
	default:
		c.dwords(cells[:size/4], 0, lanes)
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
	if first := w.mem.number - w.id; at.kind == local {
		number += first
	} else {
		if number += w.mem.number / waveSlots * waveSlots; number > w.mem.number && number >= waveSlots {
			number -= waveSlots
		}
		if number < first || number >= first+len(w.group.waves) {
			what = "fence"
		}
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
