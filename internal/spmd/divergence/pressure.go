package divergence

import "heddle/internal/spmd/ll"

// Pressure is how many bits of registers a lane takes where most values are
// live that differ from lane to lane.
func (a *Analysis) Pressure() int {
	size := func(v ll.Value) int {
		if a.ShapeOf(v).Kind != Varying {
			return 0
		}
		switch t := v.Type(); t.Kind {
		case ll.Int, ll.Float, ll.Ptr:
			if t.Kind == ll.Int && t.Bits == 1 {
				return 0
			}
			return 8 * t.Size()
		default:
			return 8 * t.Size()
		}
	}
	live := make([]map[ll.Value]bool, len(a.F.Blocks)) // at the beginning of each block
	for i := range live {
		live[i] = map[ll.Value]bool{}
	}
	most := 0
	// walk goes through b from its end, and reports whether more is live at its beginning.
	walk := func(b *ll.Block) bool {
		now, bits := map[ll.Value]bool{}, 0
		add := func(v ll.Value) {
			if i, ok := v.(*ll.Inst); ok && !now[i] && size(i) > 0 {
				now[i] = true
				bits += size(i)
			}
		}
		for _, s := range b.Succs() {
			for v := range live[s.Index] {
				add(v)
			}
			for _, phi := range s.Insts {
				if phi.Op != "phi" {
					break
				}
				add(a.Incoming(phi, b))
			}
		}
		for n := len(b.Insts) - 1; n >= 0; n-- {
			i := b.Insts[n]
			most = max(most, bits)
			if now[i] {
				delete(now, i)
				bits -= size(i)
			}
			for _, x := range i.Args {
				if i.Op != "phi" {
					add(x)
				}
			}
		}
		if len(now) == len(live[b.Index]) {
			return false
		}
		live[b.Index] = now
		return true
	}
	for changed := true; changed; {
		changed = false
		for n := len(a.Order) - 1; n >= 0; n-- {
			if b := a.Order[n]; !a.Dead[b.Index] && walk(b) {
				changed = true
			}
		}
	}
	return most
}
