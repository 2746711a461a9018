package ccl

import "unsafe"

// part does what one of a meeting's ranks has to do. Each rank writes what no other rank reads or
// writes, so that they need no order.
func (m *meeting) part(mine int) {
	q := m.come[mine]
	if q.what == split {
		return
	}
	n := q.bytes()
	switch q.what {
	case recv:
		copy(piece(q.dst, 0, n), piece(m.come[0].src, 0, n))
	case broadcast:
		if mine != q.root {
			copy(piece(q.dst, 0, n), piece(m.come[q.root].src, 0, n))
		}
	case allGather:
		for _, to := range m.come {
			copy(piece(to.dst, mine, n), piece(q.src, 0, n))
		}
	case gather:
		copy(piece(m.come[q.root].dst, mine, n), piece(q.src, 0, n))
	case scatter:
		copy(piece(q.dst, 0, n), piece(m.come[q.root].src, mine, n))
	case allToAll:
		for i, to := range m.come {
			copy(piece(to.dst, mine, n), piece(q.src, i, n))
		}
	case reduceScatter:
		m.reduce(mine*q.n, q.n, []unsafe.Pointer{q.dst})
	case allReduce, reduce:
		// Each rank joins a part of the numbers for all.
		from, to := q.n*mine/q.size, q.n*(mine+1)/q.size
		at := from * int(q.elem.Size())
		var dst []unsafe.Pointer
		for i, to := range m.come {
			if (q.what == allReduce || i == q.root) && q.n > 0 {
				dst = append(dst, unsafe.Add(to.dst, at))
			}
		}
		m.reduce(from, to-from, dst)
	}
}

// piece is block i, of n bytes, of the memory at p.
func piece(p unsafe.Pointer, i, n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(p, i*n)), n)
}

// reduce joins n numbers of all ranks, from number first on, and stores them to each dst.
func (m *meeting) reduce(first, n int, dst []unsafe.Pointer) {
	if n == 0 {
		return
	}
	q := m.come[0]
	r := reduction{kind: q.op.kind, n: n, dst: dst}
	for _, q := range m.come {
		r.src = append(r.src, unsafe.Add(q.src, first*int(q.elem.Size())))
		r.factors = append(r.factors, q.op.factor)
	}
	reducers[dataTypeOf(q.elem)](&r)
}
