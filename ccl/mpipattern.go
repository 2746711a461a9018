package ccl

import (
	"math/bits"
	"reflect"
	"unsafe"
)

// This file is what the operations between processes send to whom. Sums are made here and in the order of ranks, as
// within one process, so that the same numbers give the same bits on either way.

const (
	// little is up to how many bytes a reduction sends whole: one exchange in place of two.
	little = bodyMax
	// large is from how many bytes on a broadcast sends parts, which the ranks then exchange.
	large = 256 << 10
	// part is how many bytes of a reduction are exchanged at once.
	part = 32 << 20
)

// run does the operation.
func (o *jobOp) run() error {
	q := o.q
	n := q.bytes()
	src := func(i int) []byte { return piece(q.src, i, n) }
	dst := func(i int) []byte { return piece(q.dst, i, n) }
	switch q.what {
	case send:
		return o.exchange([]bit{{q.root, src(0)}}, nil)
	case recv:
		return o.exchange(nil, []bit{{q.root, dst(0)}})
	case broadcast:
		return o.broadcast()
	case allGather:
		copy(dst(q.rank), src(0))
		return o.exchange(o.others(func(int) []byte { return src(0) }), o.others(dst))
	case gather:
		if q.rank != q.root {
			return o.exchange([]bit{{q.root, src(0)}}, nil)
		}
		copy(dst(q.rank), src(0))
		return o.exchange(nil, o.others(dst))
	case scatter:
		if q.rank != q.root {
			return o.exchange(nil, []bit{{q.root, dst(0)}})
		}
		copy(dst(0), src(q.rank))
		return o.exchange(o.others(src), nil)
	case allToAll:
		copy(dst(q.rank), src(q.rank))
		return o.exchange(o.others(src), o.others(dst))
	case barrier:
		return o.barrier()
	}
	return o.reduction()
}

// others are bits of all other ranks, from the next one on, so that not all begin with one.
func (o *jobOp) others(b func(rank int) []byte) (all []bit) {
	for i := 1; i < o.q.size; i++ {
		rank := (o.q.rank + i) % o.q.size
		all = append(all, bit{rank, b(rank)})
	}
	return all
}

// barrier is the dissemination barrier: after as many steps as the size has bits, each rank has heard of all.
func (o *jobOp) barrier() error {
	size, rank := o.q.size, o.q.rank
	if size == 1 {
		return o.exchange(nil, nil)
	}
	for d := 1; d < size; d *= 2 {
		if err := o.exchange([]bit{{(rank + d) % size, []byte{1}}}, []bit{{(rank + size - d) % size, []byte{0}}}); err != nil {
			return err
		}
	}
	return nil
}

// broadcast goes down a binomial tree or, if it is long, is a scatter and an exchange of the parts.
func (o *jobOp) broadcast() error {
	q := o.q
	all := piece(q.dst, 0, q.bytes())
	own := (q.rank + q.size - q.root) % q.size // the root's is 0
	rank := func(i int) int { return (i + q.root) % q.size }
	if len(all) >= large && q.size > 2 {
		share := func(r int) []byte {
			i := (r + q.size - q.root) % q.size
			return all[len(all)*i/q.size : len(all)*(i+1)/q.size]
		}
		var err error
		if own == 0 {
			err = o.exchange(o.others(share), nil)
		} else {
			err = o.exchange(nil, []bit{{q.root, share(q.rank)}})
		}
		if err != nil {
			return err
		}
		return o.exchange(o.others(func(int) []byte { return share(q.rank) }), o.others(share))
	}
	first := bits.Len(uint(own)) // the tree's levels before have gone by
	var in, out []bit
	if own > 0 {
		in = append(in, bit{rank(own - 1<<(first-1)), all})
	}
	for k := first; own+1<<k < q.size; k++ {
		out = append(out, bit{rank(own + 1<<k), all})
	}
	if err := o.exchange(nil, in); err != nil {
		return err
	}
	o.step = 0 // the tree is one step: ranks receive in it, and then send in it
	return o.exchange(out, nil)
}

// reduction does what joins numbers.
func (o *jobOp) reduction() error {
	q := o.q
	factors, err := o.factors()
	if err != nil {
		return err
	}
	size := int(q.elem.Size())
	if q.what == reduceScatter {
		return o.reduceParts(factors, q.src, func(rank int) (from, n int) { return rank * q.n, q.n }, q.dst)
	}
	if q.n*size <= little {
		return o.reduceWhole(factors)
	}
	step := max(part/size, q.size)
	for first := 0; first < q.n; first += step {
		n := min(step, q.n-first)
		bounds := func(rank int) (from, count int) {
			from = n * rank / q.size
			return from, n*(rank+1)/q.size - from
		}
		src, dst := unsafe.Add(q.src, first*size), unsafe.Pointer(nil)
		if q.dst != nil {
			dst = unsafe.Add(q.dst, first*size)
		}
		from, count := bounds(q.rank)
		mine := make([]byte, max(count*size, 1))
		if err := o.reduceParts(factors, src, bounds, unsafe.Pointer(&mine[0])); err != nil {
			return err
		}
		mine = mine[:count*size]
		of := func(rank int) []byte {
			from, count := bounds(rank)
			return unsafe.Slice((*byte)(dst), n*size)[from*size:][:count*size]
		}
		if q.what == allReduce {
			err = o.exchange(o.others(func(int) []byte { return mine }), o.others(of))
		} else if q.rank == q.root {
			err = o.exchange(nil, o.others(of))
		} else {
			err = o.exchange([]bit{{q.root, mine}}, nil)
		}
		if err != nil {
			return err
		}
		if q.what == allReduce || q.rank == q.root {
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, from*size)), len(mine)), mine)
		}
	}
	return nil
}

// reduceWhole is a reduction of few numbers: each rank that needs them gets all.
func (o *jobOp) reduceWhole(factors []any) error {
	q := o.q
	mine := piece(q.src, 0, q.bytes())
	theirs := make([][]byte, q.size)
	var in, out []bit
	for _, b := range o.others(func(int) []byte { return mine }) {
		if q.what == allReduce || q.root == b.rank {
			out = append(out, b)
		}
		if q.what == allReduce || q.root == q.rank {
			theirs[b.rank] = make([]byte, len(mine))
			in = append(in, bit{b.rank, theirs[b.rank]})
		}
	}
	if err := o.exchange(out, in); err != nil || q.what == reduce && q.rank != q.root || q.n == 0 {
		return err
	}
	r := reduction{kind: q.op.kind, n: q.n, dst: []unsafe.Pointer{q.dst}, factors: factors}
	for rank := range q.size {
		if rank == q.rank {
			r.src = append(r.src, q.src)
		} else {
			r.src = append(r.src, unsafe.Pointer(&theirs[rank][0]))
		}
	}
	reducers[dataTypeOf(q.elem)](&r)
	return nil
}

// reduceParts sends each rank its part of the numbers at src, and stores the reduction of this rank's part to dst.
func (o *jobOp) reduceParts(factors []any, src unsafe.Pointer, bounds func(rank int) (from, n int), dst unsafe.Pointer) error {
	q := o.q
	size := int(q.elem.Size())
	from, n := bounds(q.rank)
	theirs := make([][]byte, q.size)
	out := o.others(func(rank int) []byte {
		from, n := bounds(rank)
		if n == 0 {
			return nil
		}
		return unsafe.Slice((*byte)(unsafe.Add(src, from*size)), n*size)
	})
	in := o.others(func(rank int) []byte {
		theirs[rank] = make([]byte, n*size)
		return theirs[rank]
	})
	if err := o.exchange(out, in); err != nil || n == 0 {
		return err
	}
	r := reduction{kind: q.op.kind, n: n, dst: []unsafe.Pointer{dst}, factors: factors}
	for rank := range q.size {
		if rank == q.rank {
			r.src = append(r.src, unsafe.Add(src, from*size))
		} else {
			r.src = append(r.src, unsafe.Pointer(&theirs[rank][0]))
		}
	}
	reducers[dataTypeOf(q.elem)](&r)
	return nil
}

// factors are those of a ScaledSum, which each rank has its own of.
func (o *jobOp) factors() ([]any, error) {
	q := o.q
	all := make([]any, q.size)
	if q.op.kind != opScaled {
		return all, nil
	}
	size := q.elem.Size()
	own := reflect.New(q.elem)
	own.Elem().Set(reflect.ValueOf(q.op.factor))
	mine := unsafe.Slice((*byte)(own.UnsafePointer()), size)
	values := make([]reflect.Value, q.size)
	for i := range values {
		values[i] = reflect.New(q.elem)
	}
	in := o.others(func(rank int) []byte { return unsafe.Slice((*byte)(values[rank].UnsafePointer()), size) })
	if err := o.exchange(o.others(func(int) []byte { return mine }), in); err != nil {
		return nil, err
	}
	values[q.rank] = own
	for i, v := range values {
		all[i] = v.Elem().Interface()
	}
	return all, nil
}
