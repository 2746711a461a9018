package amdemu

// This file has sub-dword addressing (SDWA) of GFX8 and GFX9: parts of registers.

// A selection is SDWA's part of a register.
type selection struct{ shift, bits int }

var selections = map[string]selection{
	"BYTE_0": {0, 8}, "BYTE_1": {8, 8}, "BYTE_2": {16, 8}, "BYTE_3": {24, 8},
	"WORD_0": {0, 16}, "WORD_1": {16, 16}, "DWORD": {0, 32},
}

// extract is SDWA's selection of a source.
func extract(v uint64, s selection, signed bool) uint64 {
	v = v >> s.shift & (1<<s.bits - 1)
	if signed {
		v = uint64(uint32(int32(uint32(v)<<(32-s.bits)) >> (32 - s.bits)))
	}
	return v
}

// merge is SDWA's selection of what is written.
func (m *modifiers) merge(old, v uint32) uint32 {
	s := m.sel[2]
	field := uint32(1<<s.bits - 1)
	part := (v & field) << s.shift
	switch m.unused {
	case "UNUSED_PRESERVE":
		return old&^(field<<s.shift) | part
	case "UNUSED_SEXT":
		if s.bits < 32 && v>>(s.bits-1)&1 != 0 {
			part |= ^uint32(0) << (s.shift + s.bits)
		}
	}
	return part
}
