package conformance

import (
	"container/heap"
	"math"
)

// Interfaces whose types are known while compiling: type switches and assertions of
// generic code, methods through them, interfaces as parameters.

// kindOf is what generic code does that is not the same for all types.
func kindOf[T any](x T) int {
	switch v := any(x).(type) {
	case int8, int16:
		return 16
	case int32:
		return int(v) + 32
	case float32:
		return int(math.Float32bits(v) >> 20)
	case [3]int:
		return v[2] - v[0]
	case string:
		return len(v)
	case map[string]int:
		return len(v)
	case doubler:
		return v.Double() + 1
	case nil:
		return -1
	default:
		return -2
	}
}

type doubler interface{ Double() int }

type assertPair struct{ A, B int }

func (p assertPair) Double() int { return 2*p.A + p.B }

type assertNest struct {
	assertPair
	C int8
}

// assertBig has more scalars than are taken apart.
type assertBig struct{ V [20]int }

func (b *assertBig) Double() int { b.V[3]++; return b.V[3] * 2 }

type ownInt int32

type assertSwitch struct{}

func (assertSwitch) Do(n int, out *[12]int) {
	pair := assertPair{n, 5}
	big := &assertBig{}
	big.V[3] = n
	*out = [12]int{
		kindOf(int8(n)), kindOf(int32(n)), kindOf(float32(n)), kindOf([3]int{n, 0, 9}), kindOf("weft"),
		kindOf(pair), kindOf(&pair), kindOf(assertNest{pair, 3}), kindOf(big), kindOf(ownInt(n)), kindOf(big.V),
	}
	out[11] = big.V[3]
}

// setTo writes through a pointer of the type that it finds.
func setTo[T any](x *T, n int) bool {
	switch p := any(x).(type) {
	case *int16:
		*p = int16(n)
	case *float64:
		*p = float64(n) / 2
	case *assertPair:
		p.B += n
	default:
		return false
	}
	return true
}

type assertValues struct {
	OK      [7]bool
	Short   int16
	Float   float64
	Pair    assertPair
	Fallen  uint8
	Sum     int
	Applied [4]int
	Sorted  [6]int
}

type assertOps struct{}

func (assertOps) Do(n int, out *assertValues) {
	out.OK[0], out.OK[1], out.OK[2] = setTo(&out.Short, n), setTo(&out.Float, n), setTo(&out.Pair, n)
	out.OK[3] = setTo(&out.Fallen, n)
	var x any = n
	if v, ok := x.(int); ok {
		out.Sum = v * 3
	}
	_, out.OK[4] = x.(doubler)
	out.Sum += x.(int)
	var d doubler = assertPair{n, 1}
	if n%2 == 1 {
		d = assertPair{1, n}
	}
	out.Sum += d.Double() * 100
	_, out.OK[5] = d.(interface{ Triple() int })
	out.OK[6] = d != nil
	out.Applied = [4]int{doubledTwice(assertPair{n, n}), doubledTwice(&assertPair{n, n}), doubledTwice(assertNest{C: 1}), viaAny(d, n)}
}

func doubledTwice(d doubler) int { return d.Double() * d.Double() }

//go:noinline
func viaAny(x any, n int) int {
	if d, ok := x.(doubler); ok {
		return doubledTwice(d) + n
	}
	return n
}

// smallest is a heap for package container/heap.
type smallest struct {
	n int
	v [8]int
}

func (h *smallest) Len() int           { return h.n }
func (h *smallest) Less(i, j int) bool { return h.v[i] < h.v[j] }
func (h *smallest) Swap(i, j int)      { h.v[i], h.v[j] = h.v[j], h.v[i] }
func (h *smallest) Push(x any)         { h.v[h.n] = x.(int); h.n++ }
func (h *smallest) Pop() any           { h.n--; return h.v[h.n] }

type assertHeap struct{}

func (assertHeap) Do(n int, out *[6]int) {
	var h smallest
	for i := range out {
		heap.Push(&h, (i*n+3)%7)
	}
	h.v[0] += n
	heap.Fix(&h, 0)
	for i := range out {
		out[i] = heap.Pop(&h).(int)
	}
}

// chained is a way through interfaces: method values and expressions, results, loops,
// embedded types, an interface of a generic type.
type assertChain struct{}

type addTo struct{ sum *int }

func (a addTo) Add(n int) { *a.sum += n }

type addInner struct{ addTo }

type addOuter struct {
	*addInner
	calls int
}

type adding interface{ Add(int) }

func addAll(a adding, n int) {
	for i := range n {
		a.Add(i)
	}
	if o, ok := a.(*addOuter); ok {
		o.calls++
		o.Add(o.calls * 1000)
	}
}

type keyed[K int | float32] interface {
	Key(int) K
	Before(a, b K) bool
}

type keyList[K int | float32] struct{ keys []K }

func (l keyList[K]) Key(i int) K        { return l.keys[i] }
func (l keyList[K]) Before(a, b K) bool { return a < b }

func firstNotBefore[K int | float32](l keyed[K], n int, k K) int {
	low := 0
	for low < n {
		if m := (low + n) / 2; l.Before(l.Key(m), k) {
			low = m + 1
		} else {
			n = m
		}
	}
	return low
}

func pairOf(x any, n int) (any, bool) { return x, n > 3 }

func onDoubler(f func(doubler) int, d doubler) int { return f(d) }

func (assertChain) Do(n int, out *[8]int) {
	var d doubler = assertPair{n, 1}
	double := d.Double
	for i := range 5 {
		if d.Double()%3 == 0 {
			d = assertPair{d.Double() + i, n}
		}
	}
	out[0], out[1] = double(), d.Double()
	out[2] = onDoubler(doubler.Double, d) + onDoubler(func(d doubler) int { return d.Double() * n }, assertPair{2, n})
	x, ok := pairOf(assertPair{n, 2}, n)
	if ok {
		out[3] = x.(assertPair).B
	}
	o := addOuter{&addInner{addTo{&out[4]}}, 3}
	addAll(o, 5)
	addAll(&o, 7)
	addAll(o.addInner, 2)
	keys := [...]float32{1, 2, 4, 7, 7, 9}
	out[5] = firstNotBefore[float32](keyList[float32]{keys[:]}, len(keys), float32(n))
	var big assertBig
	big.V[3] = n
	var kept any = big
	big.V[3] = 1000 // the interface has a copy
	out[6] = kept.(assertBig).V[3]
	copied := kept.(assertBig)
	copied.V[3] = -1
	out[7] = kept.(assertBig).V[3]
}

func assertCases() []Case {
	row := "interfaces of known types"
	return []Case{
		onEach("assert/switch", row, each[assertSwitch], upTo(9)),
		onEach("assert/ops", row, each[assertOps], upTo(9)),
		onEach("assert/chain", row, each[assertChain], upTo(9)),
		onEach("assert/heap", row, each[assertHeap], upTo(9)),
	}
}
