package divergence

import "heddle/internal/spmd/ll"

// Pressure is how many bits of registers a lane takes where most values are
// live that differ from lane to lane.
func (a *Analysis) Pressure() int {
	size := func(v ll.Value) int {
		if s, t := a.ShapeOf(v), v.Type(); s.Kind != Varying || s.Rows || t.Kind == ll.Int && t.Bits == 1 {
			return 0
		}
		return 8 * v.Type().Size() / a.sharers(v)
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

// sharers are how many lanes have one part of a register in common where they hold a value: of a tile,
// all rows have what they load by the same addresses, and a product that is only added takes none.
func (a *Analysis) sharers(v ll.Value) int {
	i, ok := v.(*ll.Inst)
	switch {
	case !ok || a.Tile == 0:
	case i.Op == "load" && a.sameInRows(i.Args[0]):
		return a.Tile
	case i.Op == "load" && a.sameInRow(i.Args[0]), i.Op == "fmul" && a.isFused(i):
		return a.Lanes
	}
	return 1
}

// sameInRow reports whether the lanes of each row access the same: such a load is an operand of what uses it.
func (a *Analysis) sameInRow(p ll.Value) bool {
	stride, ok := a.RowStride(a.ShapeOf(p))
	return ok && stride == 0
}

// sameInRows reports whether all rows of a tile access the same.
func (a *Analysis) sameInRows(p ll.Value) bool {
	s := a.ShapeOf(p)
	if s.Kind != Patterned {
		return false
	}
	offs := a.Offsets(s)
	for l, n := range offs {
		if n != offs[l%TileRow] {
			return false
		}
	}
	return true
}

// isFused reports whether a product becomes part of the addition that alone uses it.
func (a *Analysis) isFused(i *ll.Inst) bool {
	users := a.Users(i)
	return i.Has("contract") && len(users) == 1 && users[0].Block == i.Block && users[0].Has("contract") && (users[0].Op == "fadd" || users[0].Op == "fsub")
}

// InRegisters reports whether what the lanes access by p fills registers as it lies in memory: what follows
// each other, in all or in each row, or is the same.
func (a *Analysis) InRegisters(p ll.Value, t *ll.Type) bool {
	s := a.ShapeOf(p)
	stride, ok := a.RowStride(s)
	if a.Tile == 0 {
		stride, ok = s.Stride, s.Kind == Uniform || s.Kind == Linear
	}
	return ok && (stride == 0 || stride == int64(t.Size()))
}
