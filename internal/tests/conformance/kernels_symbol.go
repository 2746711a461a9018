package conformance

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Device variables.

var (
	tallied    = dsl.NewGlobal([16]uint32{})
	fivePrimes = dsl.NewGlobal([5]int16{2, 3, 5, 7, 11})
	weights    = dsl.NewConstant(weighting{Bias: -1, Of: [8]float32{1, 2, 4}})
	common     = dsl.NewManaged([64]int64{3: 9})
	steps      = dsl.NewConstant([6]int64{1, 10, 100})
	list       = dsl.NewGlobal(linked{})
	toggled    = dsl.NewGlobal(false)
	nothing    = dsl.NewGlobal(struct{}{})
)

type weighting struct {
	Bias float32
	Of   [8]float32
}

// linked has device addresses in it.
type linked struct {
	Name  vector.Int4
	Items []int32
	Last  *int32
}

// tallyBytes adds what x has of each number below 16.
func tallyBytes(x []uint8) {
	i := dsl.GlobalIdx().X
	if i < len(x) {
		dsl.AtomicAdd(&tallied.Ptr()[x[i]%16], 1)
	}
}

// doubleTallies doubles the counts that another kernel has made.
func doubleTallies() { tallied.Ptr()[dsl.ThreadIdx().X] *= 2 }

// firstPrimes reads what nobody has written.
func firstPrimes(out []int16) {
	for i, p := range fivePrimes.Ptr() {
		out[i] = p
	}
	_ = nothing.Ptr()
}

func weigh(x, out []float32) {
	i := dsl.GlobalIdx().X
	w := weights.Ptr()
	out[i] = w.Bias + x[i]*w.Of[i%8] + w.Of[1]
}

// stepped reads what all threads read together, from their own copy where there is a bank.
func stepped(n int, out []int64) {
	var sum int64
	by := steps.Ptr()
	for k := range n {
		sum = 3*sum + by[k]
	}
	out[dsl.GlobalIdx().X] = sum + by[5]*int64(len(by))
}

// lastStep is another kernel that does.
func lastStep(out []int64) { out[dsl.GlobalIdx().X] = steps.Ptr()[dsl.BlockIdx().X] }

// addShared adds to what the host has in memory.
func addShared(by int64) { common.Ptr()[dsl.GlobalIdx().X] += by }

// incrementAt adds to an element of any device variable.
func incrementAt[S dsl.Symbol[[16]uint32]](s S, i int) { s.Ptr()[i]++ }

// followList goes by addresses that the host has stored.
func followList(out []int32) {
	l := *list.Ptr()
	i := dsl.ThreadIdx().X
	out[i] = l.Items[i]*l.Name.Y + *l.Last
	if i == 0 {
		incrementAt(tallied, 15)
		other := toggled
		*other.Ptr() = !*toggled.Ptr()
		list.Ptr().Name.X = int32(len(l.Items))
	}
}

func symbolCases() []Case {
	return []Case{globalCase(), constantCase(), copiesCase(), managedCase(), addressesCase()}
}

func globalCase() Case {
	k, k2, kp := kernel.New(tallyBytes), kernel.New(doubleTallies), kernel.New(firstPrimes)
	return Case{"symbol/global", "device variables", []*kernel.Kernel{k, k2, kp}, func(t *T) {
		start, want := [16]uint32{5: 100}, [16]uint32{5: 100}
		t.must(launch.CopyToSymbol(t.Dev, tallied, &start))
		x := filled(1000, func(i int) uint8 { return uint8(i * i / 7) })
		for _, v := range x {
			want[v%16]++
		}
		for i := range want {
			want[i] *= 2
		}
		s := t.Dev.Stream()
		t.must(k.Launch(s, launch.Linear(len(x), 96), upload(t, x)))
		t.must(k2.Launch(s, launch.Linear(16, 16)))
		var got, later [16]uint32
		t.must(launch.CopyFromSymbolAsync(s, &later, tallied))
		t.must(launch.CopyFromSymbol(t.Dev, &got, tallied))
		same(t, got[:], want[:])
		same(t, later[:], want[:])

		t.must(launch.CopyToSymbolAsync(s, tallied, &start))
		t.must(k2.Launch(s, launch.Linear(16, 16)))
		b, err := launch.SymbolBuffer[uint32](t.Dev, tallied)
		t.must(err)
		want = [16]uint32{5: 200}
		same(t, download(t, b), want[:])
		t.must(b.Close())

		out := alloc[int16](t, 5)
		t.run(kp, launch.Linear(1, 1), out)
		same(t, download(t, out), []int16{2, 3, 5, 7, 11})
	}}
}

func constantCase() Case {
	k := kernel.New(weigh)
	return Case{"symbol/constant", "device variables", []*kernel.Kernel{k}, func(t *T) {
		x := filled(70, func(i int) float32 { return float32(i) })
		in, out := upload(t, x), alloc[float32](t, len(x))
		for round := range 3 {
			w := weighting{Bias: float32(round), Of: [8]float32{1, 2, 4, float32(round)}}
			t.must(launch.CopyToSymbol(t.Dev, weights, &w))
			t.run(k, launch.Linear(len(x), len(x)), in, out)
			same(t, download(t, out), filled(len(x), func(i int) float32 { return w.Bias + x[i]*w.Of[i%8] + w.Of[1] }))
		}
	}}
}

// copiesCase writes a constant in all the ways there are: the kernels' own copies follow.
func copiesCase() Case {
	k, late := kernel.New(stepped), kernel.New(lastStep)
	return Case{"symbol/copies", "device variables", []*kernel.Kernel{k, late}, func(t *T) {
		s, out := t.Dev.Stream(), alloc[int64](t, 4)
		v := [6]int64{1, 10, 100}
		check := func(n int) {
			t.run(k, launch.Linear(4, 2), n, out)
			want := int64(0)
			for _, x := range v[:n] {
				want = 3*want + x
			}
			want += 6 * v[5]
			same(t, download(t, out), []int64{want, want, want, want})
		}
		t.must(launch.CopyToSymbol(t.Dev, steps, &v))
		check(3)
		v[1], v[5] = -7, 8
		t.must(launch.CopyToSymbol(t.Dev, steps, &v))
		check(6)
		b, err := launch.SymbolBuffer[int64](t.Dev, steps)
		t.must(err)
		for i := range 3 {
			v[i] = int64(i) << 40
			t.must(b.Upload(v[:]))
			check(5)
		}
		first, second := v, v
		first[0], second[0] = 55, 66
		outs := [2]*launch.Buffer[int64]{alloc[int64](t, 2), alloc[int64](t, 2)}
		t.must(launch.CopyToSymbolAsync(s, steps, &first))
		t.must(late.Launch(s, launch.Linear(2, 1), outs[0]))
		t.must(launch.CopyToSymbolAsync(s, steps, &second))
		t.must(late.Launch(s, launch.Linear(2, 1), outs[1]))
		t.must(s.Sync())
		same(t, download(t, outs[0]), first[:2])
		same(t, download(t, outs[1]), second[:2])
		v = second
		check(2)
	}}
}

func managedCase() Case {
	k := kernel.New(addShared)
	return Case{"symbol/managed", "device variables", []*kernel.Kernel{k}, func(t *T) {
		host := common.Ptr()
		before := *host
		t.run(k, launch.Linear(64, 32), int64(1)<<40)
		host[1] -= 5
		t.run(k, launch.Linear(64, 32), int64(1))
		before[1] -= 5
		same(t, host[:], filled(64, func(i int) int64 { return before[i] + 1<<40 + 1 }))
		var copied [64]int64
		t.must(launch.CopyFromSymbol(t.Dev, &copied, common))
		same(t, copied[:], host[:])
	}}
}

func addressesCase() Case {
	k := kernel.New(followList)
	return Case{"symbol/addresses", "device variables", []*kernel.Kernel{k}, func(t *T) {
		items, out := upload(t, filled(32, func(i int) int32 { return int32(i * i) })), alloc[int32](t, 32)
		l := linked{vector.MakeInt4(0, 3, 0, 0), items.Device(), &items.Device()[31]}
		t.must(launch.CopyToSymbol(t.Dev, list, &l))
		var before, after [16]uint32
		var was, is bool
		t.must(launch.CopyFromSymbol(t.Dev, &before, tallied))
		t.must(launch.CopyFromSymbol(t.Dev, &was, toggled))
		t.run(k, launch.Linear(32, 32), out)
		t.must(launch.CopyFromSymbol(t.Dev, &after, tallied))
		t.must(launch.CopyFromSymbol(t.Dev, &is, toggled))
		same(t, download(t, out), filled(32, func(i int) int32 { return int32(i*i)*3 + 31*31 }))
		if after[15] != before[15]+1 || is == was {
			t.Errorf("tallied[15] was %d and is %d, toggled was %t and is %t", before[15], after[15], was, is)
		}
		t.must(launch.CopyFromSymbol(t.Dev, &l, list))
		if l.Name.X != 32 || unsafe.SliceData(l.Items) != unsafe.SliceData(items.Device()) {
			t.Errorf("the variable is %v", l)
		}
	}}
}
