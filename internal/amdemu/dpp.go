package amdemu

import "strconv"

// This file has data-parallel primitives (DPP): source 0 comes from another lane.

// lanesOf intersects dppLanes with row_mask (of rows of 16 lanes) or bank_mask
// (of the quads in each row).
func (m *modifiers) lanesOf(key, value string) error {
	set, err := strconv.ParseUint(value, 0, 4)
	if err != nil {
		return err
	}
	for l := range lanes {
		group := l / 16
		if key == "bank_mask" {
			group = l / 4 % 4
		}
		if set>>group&1 == 0 {
			m.dppLanes &^= 1 << l
		}
	}
	return nil
}

// dppControls say which lane l reads, -1 for none. Rows have 16 lanes.
// Source: DPP_CTRL in the ISA documents.
var dppControls = map[string]func(l, n int) int{
	"row_shl":         func(l, n int) int { return sameRow(l, l+n) },
	"row_shr":         func(l, n int) int { return sameRow(l, l-n) },
	"row_ror":         func(l, n int) int { return l&^15 | (l-n)&15 },
	"wave_shl":        func(l, n int) int { return inWave(l + 1) },
	"wave_shr":        func(l, n int) int { return inWave(l - 1) },
	"wave_rol":        func(l, n int) int { return (l + 1) & 63 },
	"wave_ror":        func(l, n int) int { return (l - 1) & 63 },
	"row_mirror":      func(l, n int) int { return l ^ 15 },
	"row_half_mirror": func(l, n int) int { return l ^ 7 },
	"row_bcast": func(l, n int) int { // 15: of the row before; 31: of the half before
		return inWave(l&^n - 1)
	},
	"row_newbcast": func(l, n int) int { return l&^15 | n&15 },
	"row_share":    func(l, n int) int { return l&^15 | n&15 },
	"row_xmask":    func(l, n int) int { return l ^ n&15 },
}

func sameRow(l, from int) int {
	if from&^15 != l&^15 || from < 0 {
		return -1
	}
	return from
}

func inWave(l int) int {
	if l < 0 || l >= lanes {
		return -1
	}
	return l
}

// swizzle applies DPP to a source and returns the lanes that have one.
func (w *wave) swizzle(m *modifiers, v *[lanes]uint64, active uint64) uint64 {
	old := *v
	valid := uint64(0)
	for l := range w.size {
		from := m.dpp(l)
		ok := from >= 0 && from < w.size && (m.dppAll || active>>from&1 != 0)
		switch {
		case ok:
			v[l] = old[from]
			valid |= 1 << l
		case m.dppZero:
			v[l] = 0
			valid |= 1 << l
		}
	}
	return valid
}
