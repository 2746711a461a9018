package native

import (
	"heddle/internal/lazy"
)

// x86 is x86-64. Relocations are those of the System V ABI's processor
// supplement, section "Relocation".
var x86 = lazy.Value[*machine]{Make: func() *machine {
	return &machine{
		name: "amd64",
		relocs: map[uint32]reloc{
			0:  {name: "R_X86_64_NONE"},
			1:  {name: "R_X86_64_64", size: 8, apply: word64},
			24: {name: "R_X86_64_PC64", size: 8, apply: relative64},
			10: {name: "R_X86_64_32", size: 4, apply: unsigned32},
			11: {name: "R_X86_64_32S", size: 4, apply: signed32},
			2:  {name: "R_X86_64_PC32", size: 4, apply: relative32},
			4:  {name: "R_X86_64_PLT32", size: 4, apply: relative32, call: true},
			9:  {name: "R_X86_64_GOTPCREL", size: 4, apply: relative32, got: true},
			41: {name: "R_X86_64_GOTPCRELX", size: 4, apply: relative32, got: true},
			42: {name: "R_X86_64_REX_GOTPCRELX", size: 4, apply: relative32, got: true},
		},
		// jmp *slot(%rip), and traps behind it.
		stub: func(b []byte, at, slot uint64) {
			copy(b, []byte{0xff, 0x25})
			order.PutUint32(b[2:], uint32(slot-(at+6)))
			for i := range b[6:] {
				b[6+i] = 0xcc
			}
		},
	}
}}

func word64(b []byte, target, _ uint64) error {
	order.PutUint64(b, target)
	return nil
}

func relative64(b []byte, target, p uint64) error { return word64(b, target-p, p) }

func unsigned32(b []byte, target, _ uint64) error {
	if target != uint64(uint32(target)) {
		return errRange
	}
	order.PutUint32(b, uint32(target))
	return nil
}

func signed32(b []byte, target, _ uint64) error {
	if int64(target) != int64(int32(target)) {
		return errRange
	}
	order.PutUint32(b, uint32(target))
	return nil
}

func relative32(b []byte, target, p uint64) error { return signed32(b, target-p, p) }
