package amdemu

import (
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// A step is an instruction that a wave of the bench executes, with v4 or v[4:5]
// at byte at of LDS or of the buffer; "barrier" and "launch" are what they say.
type step struct {
	wave int
	text string
	at   int
}

// Accesses of one lane.
const (
	ldsStore   = "ds_write_b32 v4, v9"
	ldsLoad    = "ds_read_b32 v8, v4"
	ldsAdd     = "ds_add_u32 v4, v9"
	ldsByte    = "ds_write_b8 v4, v9"
	globStore  = "global_store_dword v[4:5], v9, off"
	wideStore  = "global_store_dwordx4 v[4:5], v[8:11], off"
	globLoad   = "global_load_dword v8, v[4:5], off"
	wideLoad   = "global_load_dwordx2 v[8:9], v[4:5], off"
	globAdd    = "global_atomic_add v[4:5], v9, off"
	cohStore   = "global_store_dword v[4:5], v9, off sc0 sc1"
	cohLoad    = "global_load_dword v8, v[4:5], off glc"
	fenceSmall = "buffer_gl0_inv"
	fenceWide  = "buffer_wbinvl1_vol"
)

// Waves 0 to 3 are one workgroup, 4 to 7 another.
var raceCases = []struct {
	name  string
	steps []step
	want  string // words of the fault at the last step, "" if there is none
}{
	{"store, load", []step{{0, ldsStore, 8}, {1, ldsLoad, 8}}, "wave 1 loads here what wave 0 stored at kernel.go:4096, with no barrier between: 0x8 of shared memory"},
	{"load, store", []step{{0, ldsLoad, 8}, {1, ldsStore, 8}}, "wave 1 stores here what wave 0 loaded"},
	{"store, store", []step{{0, ldsStore, 8}, {1, ldsStore, 8}}, "wave 1 stores here what wave 0 stored"},
	{"barrier", []step{{0, ldsStore, 8}, {0, "barrier", 0}, {1, ldsLoad, 8}}, ""},
	{"barrier before", []step{{0, "barrier", 0}, {0, ldsStore, 8}, {1, ldsLoad, 8}}, "race"},
	{"barrier, then again", []step{{0, ldsStore, 8}, {0, "barrier", 0}, {1, ldsLoad, 8}, {0, "ds_write_b32 v4, v10", 8}}, "wave 0 stores here what wave 1 loaded"},
	{"another place", []step{{0, ldsStore, 8}, {1, ldsLoad, 12}}, ""},
	{"the same wave", []step{{0, ldsStore, 8}, {0, ldsLoad, 8}}, ""},
	{"loads", []step{{0, ldsLoad, 8}, {1, ldsLoad, 8}}, ""},
	{"bytes", []step{{0, ldsByte, 8}, {1, ldsByte, 9}, {2, ldsByte, 10}}, ""},
	{"a byte of a dword", []step{{0, ldsByte, 9}, {1, ldsLoad, 8}}, "race"},
	{"bytes of one wave", []step{{0, ldsByte, 9}, {0, ldsByte, 8}, {1, ldsLoad, 8}}, "race"},
	{"unaligned", []step{{0, ldsByte, 12}, {1, ldsLoad, 9}}, "race"},
	{"two readers", []step{{0, ldsLoad, 8}, {1, ldsLoad, 8}, {2, ldsLoad, 8}, {2, ldsStore, 8}}, "race"},
	{"atomics", []step{{0, ldsAdd, 8}, {1, ldsAdd, 8}, {0, ldsLoad, 8}, {1, ldsStore, 8}}, ""},
	{"set without barrier, then atomics", []step{{0, ldsStore, 8}, {0, ldsAdd, 8}, {1, ldsStore, 12}, {1, ldsAdd, 8}}, "wave 1 atomically changes here what wave 0 stored"},
	{"atomic after another's store", []step{{0, ldsStore, 8}, {1, ldsAdd, 8}}, "wave 1 atomically changes here what wave 0 stored"},
	{"atomics order", []step{{0, ldsStore, 8}, {0, ldsAdd, 64}, {1, ldsAdd, 64}, {1, ldsLoad, 8}}, ""},
	{"atomics of both kinds of memory", []step{{0, ldsStore, 8}, {0, globAdd, 64}, {1, globAdd, 64}, {1, ldsLoad, 8}}, ""},
	{"atomics by way of a third", []step{{0, ldsStore, 8}, {0, ldsAdd, 64}, {1, ldsAdd, 64}, {1, ldsAdd, 68}, {2, ldsAdd, 68}, {2, ldsLoad, 8}}, ""},
	{"an atomic of one only", []step{{0, ldsStore, 8}, {0, ldsAdd, 64}, {1, ldsLoad, 8}}, "race"},
	{"an atomic of the other only", []step{{0, ldsStore, 8}, {1, ldsAdd, 64}, {1, ldsLoad, 8}}, "race"},
	{"an acquire before the release", []step{{0, ldsStore, 8}, {1, ldsAdd, 64}, {0, ldsAdd, 64}, {1, ldsLoad, 8}}, "race"},
	{"a store after the release", []step{{0, ldsAdd, 64}, {0, ldsStore, 8}, {1, ldsAdd, 64}, {1, ldsLoad, 8}}, "race"},
	{"fences alone", []step{{0, ldsStore, 8}, {0, fenceSmall, 0}, {1, fenceSmall, 0}, {1, ldsLoad, 8}}, "race"},
	{"a lock's release", []step{{0, ldsAdd, 64}, {0, ldsStore, 8}, {0, ldsStore, 64}, {1, ldsAdd, 64}, {1, ldsLoad, 8}}, ""},
	{"a flag that an atomic has set up", []step{{1, ldsAdd, 64}, {0, ldsStore, 8}, {0, ldsStore, 64}, {1, ldsLoad, 64}, {1, ldsLoad, 8}}, ""},
	{"atomic variable until the barrier", []step{{0, ldsAdd, 8}, {0, "barrier", 0}, {0, ldsStore, 8}, {1, ldsLoad, 8}}, "race"},

	{"global", []step{{0, globStore, 8}, {1, globLoad, 8}}, "wave 1 loads here what wave 0 stored at kernel.go:4096, with no barrier between: byte 8 of the buffer of 4096 bytes"},
	{"global, barrier", []step{{0, globStore, 8}, {0, "barrier", 0}, {1, globLoad, 8}}, ""},
	{"global wide", []step{{0, wideStore, 8}, {1, wideLoad, 20}}, "race"},
	{"blocks", []step{{0, globStore, 8}, {4, globLoad, 8}}, "wave 4 loads here what wave 0 stored at kernel.go:4096, with no fence between"},
	{"blocks, barrier", []step{{0, globStore, 8}, {0, "barrier", 0}, {4, globLoad, 8}}, "no fence between"},
	{"blocks, atomics relaxed", []step{{0, globStore, 8}, {0, globAdd, 64}, {4, globAdd, 64}, {4, globLoad, 8}}, "race"},
	{"blocks, release only", []step{{0, globStore, 8}, {0, fenceWide, 0}, {0, globAdd, 64}, {4, globLoad, 8}}, "race"},
	{"blocks, acquired", []step{{0, globStore, 8}, {4, fenceWide, 0}, {4, globLoad, 8}}, ""},
	{"blocks, acquired by another wave before a barrier", []step{{0, globStore, 8}, {4, fenceWide, 0}, {4, "barrier", 0}, {5, globLoad, 8}}, ""},
	{"blocks, acquired by another wave, no barrier", []step{{0, globStore, 8}, {4, fenceWide, 0}, {5, globLoad, 8}}, "race"},
	{"blocks, acquired by another wave after the barrier", []step{{0, globStore, 8}, {4, "barrier", 0}, {4, fenceWide, 0}, {5, globLoad, 8}}, "race"},
	{"blocks, acquired by another wave before atomics", []step{{0, globStore, 8}, {4, fenceWide, 0}, {4, ldsAdd, 64}, {5, ldsAdd, 64}, {5, globLoad, 8}}, ""},
	{"blocks, acquired for the block", []step{{0, globStore, 8}, {4, fenceSmall, 0}, {4, globLoad, 8}}, "race"},
	{"blocks, atomics", []step{{0, globAdd, 8}, {4, globAdd, 8}, {4, globLoad, 8}, {0, globStore, 8}}, ""},
	{"launches", []step{{0, globStore, 8}, {0, "launch", 0}, {4, globLoad, 8}, {5, globLoad, 8}}, ""},
	{"race of the second launch", []step{{0, globStore, 8}, {0, "launch", 0}, {4, globStore, 8}, {5, globLoad, 8}}, "race"},
	{"coherent", []step{{0, cohStore, 8}, {4, cohLoad, 8}, {4, cohStore, 8}, {0, globLoad, 8}}, ""},
	{"coherent load of a plain store", []step{{0, globStore, 8}, {4, cohLoad, 8}}, ""},
}

func TestRaces(t *testing.T) {
	for _, c := range raceCases {
		b := newBench(t, 64, Options{Races: true})
		other := newBench(t, 64, Options{Races: true}).w.group
		for i, w := range other.waves {
			w.startMemory(b.m, 4+i, testPlaces{})
		}
		waves := append(b.w.group.waves[:4:4], other.waves...)
		b.m.BeginLaunch()
		for i, s := range c.steps {
			w := waves[s.wave]
			switch s.text {
			case "barrier":
				for _, w := range w.group.waves {
					w.passBarrier()
				}
				continue
			case "launch":
				b.m.EndLaunch(8)
				b.m.BeginLaunch()
				continue
			}
			w.setMask(regExec, 1<<5)
			if strings.HasPrefix(s.text, "global") {
				w.setAddress(4, func(int) uint64 { return b.address(s.at) })
			} else {
				w.v[4][5] = uint32(s.at)
			}
			got := b.fault(w, s.text)
			switch {
			case i < len(c.steps)-1 && got != "":
				t.Errorf("%s: step %d: %s", c.name, i, got)
			case i == len(c.steps)-1 && c.want == "" && got != "":
				t.Errorf("%s: %s", c.name, got)
			case i == len(c.steps)-1 && !strings.Contains(got, c.want):
				t.Errorf("%s: fault %q, want %q", c.name, got, c.want)
			}
		}
		b.m.EndLaunch(8)
	}
}

// The same value stored by many waves is no race; a different one is.
func TestSilentStores(t *testing.T) {
	b := newBench(t, 64, Options{Races: true})
	for i, w := range b.w.group.waves {
		w.setAddress(4, func(int) uint64 { return b.address(16) })
		for l := range lanes {
			w.v[9][l] = 7
		}
		if got := b.fault(w, globStore); got != "" {
			t.Fatalf("wave %d: %s", i, got)
		}
	}
	b.w.v[9][63] = 8
	b.wantFault(b.w, globStore, "race", "wave 0 stores here what wave 3 stored")
}

// A wave of another workgroup notes its store before the value is in memory: what it
// stores is known only when it has.
func TestSilentStoreUnderWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the other wave goes on only where this one waits
	for _, c := range []struct {
		theirs uint32
		ends   bool // they store while this wave waits; else they never do
		race   bool
	}{{7, true, false}, {8, true, true}, {7, false, false}} {
		b := newBench(t, 64, Options{Races: true})
		w := newBench(t, 64, Options{Races: true}).w
		w.startMemory(b.m, 4, testPlaces{})
		for _, w := range []*wave{b.w, w} {
			w.setMask(regExec, 1)
			w.setAddress(4, func(int) uint64 { return b.address(16) })
			w.v[9][0] = 7
		}
		b.run(globStore)
		there := b.m.find(b.address(16)).bytes[16:]
		binary.LittleEndian.PutUint32(there, 0)
		b.w.mem.race.own.step.Add(1)
		if c.ends {
			go func() {
				binary.LittleEndian.PutUint32(there, c.theirs)
				b.w.mem.race.own.step.Add(1)
			}()
		}
		if got := b.fault(w, globStore); (got != "") != c.race {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Scalar loads take part, except what compilers load that programs do not: a
// byte's dword, and the fourth of three.
func TestScalarRace(t *testing.T) {
	for _, c := range []struct {
		store, load string
		at          int // of the store
		race        bool
	}{
		{globStore, "s_load_dwordx8 s[8:15], s[4:5], 0x20", 60, true},
		{globStore, "s_load_dword s8, s[4:5], 0x20", 32, true},
		{globStore, "s_load_dword s8, s[4:5], 0x20", 36, false},
		{"global_store_byte v[4:5], v9, off", "s_load_dword s8, s[4:5], 0x20", 33, false},
		{globStore, "s_load_dwordx4 s[8:11], s[4:5], 0x20", 40, true},
		{globStore, "s_load_dwordx4 s[8:11], s[4:5], 0x20", 44, false},
		{globStore, "s_load_dwordx2 s[8:9], s[4:5], 0x20", 36, true},
	} {
		for _, storeFirst := range []bool{true, false} {
			b := newBench(t, 64, Options{Races: true})
			w := b.w.group.waves[1]
			b.w.setMask(regExec, 1)
			b.w.setAddress(4, func(int) uint64 { return b.address(c.at) })
			a := b.address(0)
			w.s[4], w.s[5] = uint32(a), uint32(a>>32)
			var got string
			if storeFirst {
				b.run(c.store)
				got = b.fault(w, c.load)
			} else {
				bindMemory(t, c.load, 9)(w)
				got = b.fault(b.w, c.store)
			}
			if (got != "") != c.race || c.race && !strings.Contains(got, "race: ") {
				t.Errorf("%s at %d, %s: %q", c.store, c.at, c.load, got)
			}
		}
	}
}

// Records forget before their epochs come round, and never invent a race.
func TestEpochsComeRound(t *testing.T) {
	b := newBench(t, 64, Options{Races: true})
	at := func(w *wave) { w.setAddress(4, func(l int) uint64 { return b.address(4 * l) }) }
	at(b.w)
	b.run(globStore)
	for i := range 9 {
		for i := range 8 {
			b.m.epochs[i].count.Add(1<<22 - 3)
		}
		b.m.EndLaunch(8)
		for i, w := range b.w.group.waves {
			w.startMemory(b.m, i, testPlaces{})
		}
		w := b.w.group.waves[1+i%3]
		at(w)
		if got := b.fault(w, globLoad); got != "" {
			t.Fatal(got)
		}
	}
	// A wave with very many atomics: its workgroup is not looked at any more.
	b.w.startMemory(b.m, 0, testPlaces{})
	w := b.w.group.waves[1]
	b.run(globStore)
	b.m.epochs[0].count.Add(1 << 23)
	at(b.w)
	b.run(globAdd)
	w.setMask(regExec, 1)
	if got := b.fault(w, globLoad); got != "" {
		t.Fatal(got)
	}
}

func TestUninitialised(t *testing.T) {
	b := newBench(t, 64, Options{Uninitialised: true})
	b.w.setAddress(4, func(l int) uint64 { return b.address(4 * l) })
	for l := range lanes {
		b.w.v[6][l], b.w.v[7][l] = uint32(4*l), 0
	}
	b.run("scratch_load_dword v8, off, off offset:12") // where registers are saved
	b.wantFault(b.w, globLoad, "lane 0: load of 4 bytes that nothing has written, at byte 0 of the buffer of 4096 bytes")
	b.wantFault(b.w, "ds_read_b32 v8, v6 offset:4", "nothing has written, at 0x4 of shared memory")
	b.wantFault(b.w, "scratch_load_dword v8, v7, off offset:12", "nothing has written, at 0xc of private memory")
	for before, frame := range map[string]bool{
		"v_mov_b32_e32 v7, 0x19cc": true, "v_mov_b32_e32 v7, 0": true, "v_mov_b32_e32 v6, 0x19cc": false,
		"v_mov_b32_e32 v7, s33": false, "v_add_u32_e32 v7, 12, v7": false, "v_mov_b32_e32 v7, v6": false,
	} {
		b.w.code = decodeAll([]Line{{Addr: 0xff8, Size: 8, Text: before}}, 0xff8, 8, 9) // of bindMemory's 0x1000
		for _, load := range []string{"scratch_load_dword v8, v7, off offset:12", "buffer_load_dword v8, v7, s[8:11], 0 offen offset:12"} {
			b.w.s[8], b.w.s[9], b.w.s[10] = 0, privateBase>>32, 1<<32-1
			if frame {
				b.run(load)
			} else {
				b.wantFault(b.w, load, "nothing has written, at 0xc of private memory")
			}
		}
		b.wantFault(b.w, "ds_read_b32 v8, v7 offset:4", "nothing has written, at 0x4 of shared memory")
	}
	b.w.code = nil
	b.w.s[4], b.w.s[5] = uint32(b.address(256)), uint32(b.address(0)>>32)
	b.wantFault(b.w, "s_load_dword s8, s[4:5], 0x0", "nothing has written, at byte 256")

	b.w.setMask(regExec, ^uint64(1<<7))
	b.run(globStore)
	b.run("ds_write_b16 v6, v9 offset:4")
	b.run("scratch_store_dword off, v9, off offset:12")
	b.w.setMask(regExec, ^uint64(0))
	b.wantFault(b.w, globLoad, "lane 7", "byte 28 of")
	b.wantFault(b.w, "ds_read_b32 v8, v6 offset:4", "lane 7", "0x20 of shared")
	b.wantFault(b.w, "scratch_load_dword v8, v7, off offset:12", "lane 7", "0xc of private")
	b.run("global_load_dwordx2 v[8:9], v[4:5], off") // some of its bytes are written: may be padding
	b.wantFault(b.w, "global_load_ushort v8, v[4:5], off offset:256", "lane 0")
	b.wantFault(b.w, "global_atomic_add v[4:5], v9, off", "lane 7")

	// Bytes one after the other are all noted.
	b.w.setAddress(4, func(l int) uint64 { return b.address(3072 + l) })
	b.run("global_store_byte v[4:5], v9, off")
	b.run("global_load_ubyte v8, v[4:5], off")
	b.wantFault(b.w, "global_load_ubyte v8, v[4:5], off offset:1", "lane 63", "byte 3136")
	b.w.setAddress(4, func(l int) uint64 { return b.address(4 * l) })

	p := unsafe.Pointer(&b.buf[0])
	b.m.MarkWritten(unsafe.Pointer(&b.buf[28]), 4)
	b.run(globLoad)
	// A copy takes along what was never written.
	b.m.MarkCopied(unsafe.Pointer(&b.buf[2048]), p, 1024)
	b.w.setAddress(4, func(l int) uint64 { return b.address(2048 + 4*l) })
	b.run(globLoad)
	b.wantFault(b.w, "global_load_dword v8, v[4:5], off offset:256", "lane 0", "byte 2304")
	b.m.MarkWritten(p, len(b.buf))
	b.run("global_load_dword v8, v[4:5], off offset:256")

	b.w.scratch.reset()
	b.w.group.lds.reset()
	b.wantFault(b.w, "ds_read_b32 v8, v6 offset:4", "nothing has written")
	b.wantFault(b.w, "scratch_load_dword v8, v7, off offset:12", "nothing has written")
}

// A copy of a struct in an array goes byte by byte, padding included: in a thread's own
// variables, which may be in LDS, a byte that was never written is no fault beside one
// that was. Elsewhere it is, and so is one with nothing beside it.
func TestUninitialisedPadding(t *testing.T) {
	b := newBench(t, 64, Options{Uninitialised: true})
	for l := range lanes {
		b.w.v[6][l], b.w.v[7][l] = uint32(8*l), 0
	}
	b.run("ds_write_b16 v6, v9 offset:4")
	b.run("scratch_store_short v7, v9, off offset:16")
	b.run("scratch_load_ubyte v8, v7, off offset:18")
	b.run("scratch_load_ushort v8, v7, off offset:22")
	b.wantFault(b.w, "scratch_load_ubyte v8, v7, off offset:24", "nothing has written, at 0x18 of private memory")
	b.wantFault(b.w, "scratch_load_dword v8, v7, off offset:20", "nothing has written, at 0x14 of private memory")
	for _, own := range []uint64{1024, 512, 0} { // variables of threads begin here
		lds := b.w.group.lds
		lds.own, lds.ownEnd = own, 1024
		switch own {
		case 0:
			b.run("ds_read_u8 v8, v6 offset:6")
		case 512:
			b.wantFault(b.w, "ds_read_u8 v8, v6 offset:6", "nothing has written, at 0x6 of shared memory")
		}
	}
}
