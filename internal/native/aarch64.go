package native

import (
	"errors"

	"heddle/internal/lazy"
)

// aarch64 is 64-bit Arm. Relocations are those of "ELF for the Arm 64-bit
// Architecture", section "Relocation types".
var aarch64 = lazy.Value[*machine]{Make: func() *machine {
	return &machine{
		name: "arm64",
		relocs: map[uint32]reloc{
			0:             {name: "R_AARCH64_NONE"},
			257:           {name: "R_AARCH64_ABS64", size: 8, apply: word64},
			258:           {name: "R_AARCH64_ABS32", size: 4, apply: unsigned32},
			260:           {name: "R_AARCH64_PREL64", size: 8, apply: relative64},
			261:           {name: "R_AARCH64_PREL32", size: 4, apply: relative32},
			rAArch64PLT32: {name: "R_AARCH64_PLT32", size: 4, apply: relative32, call: true},
			283:           {name: "R_AARCH64_CALL26", size: 4, apply: branch26, call: true},
			282:           {name: "R_AARCH64_JUMP26", size: 4, apply: branch26, call: true},
			280:           {name: "R_AARCH64_CONDBR19", size: 4, apply: branch19},
			273:           {name: "R_AARCH64_LD_PREL_LO19", size: 4, apply: branch19},
			274:           {name: "R_AARCH64_ADR_PREL_LO21", size: 4, apply: adr},
			275:           {name: "R_AARCH64_ADR_PREL_PG_HI21", size: 4, apply: adrp},
			276:           {name: "R_AARCH64_ADR_PREL_PG_HI21_NC", size: 4, apply: adrp},
			277:           {name: "R_AARCH64_ADD_ABS_LO12_NC", size: 4, apply: low12(0)},
			278:           {name: "R_AARCH64_LDST8_ABS_LO12_NC", size: 4, apply: low12(0)},
			284:           {name: "R_AARCH64_LDST16_ABS_LO12_NC", size: 4, apply: low12(1)},
			285:           {name: "R_AARCH64_LDST32_ABS_LO12_NC", size: 4, apply: low12(2)},
			286:           {name: "R_AARCH64_LDST64_ABS_LO12_NC", size: 4, apply: low12(3)},
			299:           {name: "R_AARCH64_LDST128_ABS_LO12_NC", size: 4, apply: low12(4)},
			311:           {name: "R_AARCH64_ADR_GOT_PAGE", size: 4, apply: adrp, got: true},
			312:           {name: "R_AARCH64_LD64_GOT_LO12_NC", size: 4, apply: low12(3), got: true},
		},
		// adrp x16, slot; ldr x16, [x16, lo12(slot)]; br x16
		stub: func(b []byte, at, slot uint64) {
			order.PutUint32(b, 0x90000010)
			order.PutUint32(b[4:], 0xf9400210)
			order.PutUint32(b[8:], 0xd61f0200)
			order.PutUint32(b[12:], 0xd4200000) // brk 0
			// The image is smaller than what these reach, and slots are aligned.
			_ = adrp(b, slot, at)
			_ = low12(3)(b[4:], slot, at+4)
		},
	}
}}

// rAArch64PLT32 is R_AARCH64_PLT32, which debug/elf lacks.
const rAArch64PLT32 = 314

// field replaces the bits of the instruction at b that mask selects.
func field(b []byte, mask, bits uint32) error {
	order.PutUint32(b, order.Uint32(b)&^mask|bits&mask)
	return nil
}

// fits reports whether v is a signed number of that many bits.
func fits(v int64, bits uint) bool { return v>>(bits-1) == 0 || v>>(bits-1) == -1 }

var errAlign = errors.New("the target is not aligned as the instruction needs it")

func branch26(b []byte, target, p uint64) error {
	d := int64(target - p)
	switch {
	case d&3 != 0:
		return errAlign
	case !fits(d, 28):
		return errRange
	}
	return field(b, 0x03ffffff, uint32(d>>2))
}

func branch19(b []byte, target, p uint64) error {
	d := int64(target - p)
	switch {
	case d&3 != 0:
		return errAlign
	case !fits(d, 21):
		return errRange
	}
	return field(b, 0x7ffff<<5, uint32(d>>2)<<5)
}

func adr(b []byte, target, p uint64) error { return imm21(b, int64(target-p)) }

func adrp(b []byte, target, p uint64) error {
	return imm21(b, int64(target&^0xfff-p&^0xfff)>>12)
}

// imm21 sets the split immediate of adr and adrp.
func imm21(b []byte, v int64) error {
	if !fits(v, 21) {
		return errRange
	}
	return field(b, 3<<29|0x7ffff<<5, uint32(v&3)<<29|uint32(v>>2)&0x7ffff<<5)
}

// low12 sets the 12-bit immediate of an add, or of a load or store of
// 1<<scale bytes.
func low12(scale uint) func(b []byte, target, p uint64) error {
	return func(b []byte, target, _ uint64) error {
		low := uint32(target) & 0xfff
		if low&(1<<scale-1) != 0 {
			return errAlign
		}
		return field(b, 0xfff<<10, low>>scale<<10)
	}
}
