package ccl

import (
	"reflect"
	"sync"
	"unsafe"

	"heddle/internal/dl"
)

// This file says what requests are in calls of the library.

// An issuing is calls of the library that are yet to be made, all at once: by one call from Go.
type issuing struct {
	lib    *library
	calls  *dl.Calls
	of     []issued // what the calls are
	scaled []scaling
}

// issuings are of nobody.
var issuings = sync.Pool{New: func() any { return new(issuing) }}

func newIssuing(l *library) *issuing {
	i := issuings.Get().(*issuing)
	i.lib, i.calls = l, dl.NewCalls()
	return i
}

// free gives the memory back.
func (l *issuing) free() {
	l.calls.Free()
	clear(l.of)
	*l = issuing{of: l.of[:0]}
	issuings.Put(l)
}

// An issued is a call of the library.
type issued struct {
	f function
	q *request // the one it is made for
}

// A scaling is the library's operation of a ScaledSum.
type scaling struct{ kind, comm uintptr }

// add adds a call.
func (l *issuing) add(q *request, f function, args ...uintptr) {
	l.of = append(l.of, issued{f, q})
	l.calls.Add(l.lib.at[f], args...)
}

// run makes the calls. The end of a group is called in any case.
func (l *issuing) run(grouped bool) error {
	n := l.calls.Run(grouped)
	if n == len(l.of) {
		return nil
	}
	failed := l.of[n]
	return failed.q.fail(l.lib.status(failed.f, int(int32(l.calls.List[n].Result))))
}

// request adds what a request is.
func (l *issuing) request(q *request, comm, stream uintptr) error {
	if rules[q.what].reduces || q.what == barrier {
		return l.reduction(q, comm, stream)
	}
	src, dst, n, typ := uintptr(q.src), uintptr(q.dst), uintptr(q.bytes()), uintptr(typeUint8)
	if n == 0 {
		return nil
	}
	sendTo := func(rank, block int) {
		l.add(q, ncclSend, src+uintptr(block)*n, n, typ, uintptr(rank), comm, stream)
	}
	recvFrom := func(rank, block int) {
		l.add(q, ncclRecv, dst+uintptr(block)*n, n, typ, uintptr(rank), comm, stream)
	}
	switch q.what {
	case broadcast:
		l.add(q, ncclBroadcast, src, dst, n, typ, uintptr(q.root), comm, stream)
	case allGather:
		l.add(q, ncclAllGather, src, dst, n, typ, comm, stream)
	case send:
		sendTo(q.root, 0)
	case recv:
		recvFrom(q.root, 0)
	case allToAll:
		for i := range q.size {
			sendTo(i, i)
			recvFrom(i, i)
		}
	case gather:
		sendTo(q.root, 0)
		for i := range q.size {
			if q.rank == q.root {
				recvFrom(i, i)
			}
		}
	case scatter:
		for i := range q.size {
			if q.rank == q.root {
				sendTo(i, i)
			}
		}
		recvFrom(q.root, 0)
	}
	return nil
}

// reduction is request of one that reduces, or of a Barrier.
func (l *issuing) reduction(q *request, comm, stream uintptr) error {
	src, dst, n := uintptr(q.src), uintptr(q.dst), uintptr(q.n)
	typ, op := uintptr(dataTypeOf(q.elem)), uintptr(q.op.kind)
	switch {
	case q.op.kind == opAvg && q.size == 1:
		// NCCL's average of one rank left out the last of 4099 float64 (on an H100).
		op = uintptr(opSum)
	case q.op.kind == opScaled:
		var err error
		if op, err = l.scale(q, comm); err != nil {
			return err
		}
	}
	switch q.what {
	case reduce:
		l.add(q, ncclReduce, src, dst, n, typ, op, uintptr(q.root), comm, stream)
	case reduceScatter:
		l.add(q, ncclReduceScatter, src, dst, n, typ, op, comm, stream)
	default:
		l.add(q, ncclAllReduce, src, dst, n, typ, op, comm, stream)
	}
	return nil
}

// scale makes the library's operation of a ScaledSum, which lives until the group has ended.
func (l *issuing) scale(q *request, comm uintptr) (op uintptr, err error) {
	const hostImmediate = 1 // ncclScalarHostImmediate
	factor := reflect.New(q.elem)
	factor.Elem().Set(reflect.ValueOf(q.op.factor))
	out := new(int32)
	err = l.lib.call(ncclRedOpCreatePreMulSum, uintptr(unsafe.Pointer(out)), uintptr(factor.UnsafePointer()), uintptr(dataTypeOf(q.elem)), hostImmediate, comm)
	if err != nil {
		return 0, err
	}
	op = uintptr(uint32(*out))
	l.scaled = append(l.scaled, scaling{op, comm})
	return op, nil
}
