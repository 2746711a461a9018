package prim_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unsafe"

	"heddle/launch"
	"heddle/prim"
)

var (
	rounds      = flag.Int("rounds", 0, "how many random calls each device makes; 0 is 6, and 300 with -full")
	fuzzFor     = flag.Duration("for", 0, "make random calls for so long, in place of -rounds")
	fuzzDevices = flag.String("devices", "", "the devices of the random calls, by commas: sim,cpu,emu:gfx942,cuda:0; none are those of all tests, \"all\" all")
	fuzzOnly    = flag.String("only", "", "random calls whose name, such as int32/sort, has this `text`")
)

// A call is an algorithm with a type, on random data, against plain Go.
type call struct {
	name string
	size int // bytes of an element
	run  func(f *fuzz)
}

// A fuzz is one random call.
type fuzz struct {
	t    *testing.T
	dev  *launch.Device
	s    *launch.Stream
	r    *rand.Rand
	what string
	n    int
	o    prim.Options
}

// TestRandom makes random calls of all algorithms, with random types, lengths, values, options and places, and compares them with plain Go. A failure
// prints the seed, for -seed; -rounds, -for, -devices and -only choose.
func TestRandom(t *testing.T) {
	first := *seed
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	count := *rounds
	switch {
	case count > 0:
	case *fullTests:
		count = 300
	default:
		count = 6
	}
	var calls []call
	for _, c := range allCalls() {
		if strings.Contains(c.name, *fuzzOnly) {
			calls = append(calls, c)
		}
	}
	if len(calls) == 0 {
		t.Fatalf("no call's name has -only %s", *fuzzOnly)
	}
	end := time.Now().Add(*fuzzFor)
	onDevices(t, *fuzzDevices, func(t *testing.T, dev *launch.Device) {
		made := 0
		for ; *fuzzFor == 0 && made < count || *fuzzFor > 0 && time.Now().Before(end); made++ {
			randomCall(t, dev, calls, first+uint64(made))
		}
		t.Logf("%d calls from -seed %d on", made, first)
	})
}

// randomCall makes the call of a seed.
func randomCall(t *testing.T, dev *launch.Device, calls []call, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	c := calls[r.IntN(len(calls))]
	f := &fuzz{t: t, dev: dev, s: dev.Stream(), r: r, n: length(r)}
	items := 24
	if c.size > 8 {
		items = 7 // a block's memory holds no more
	}
	f.o = prim.Options{
		Tuning:        prim.Tuning{Threads: 64 << r.IntN(2), Items: 1 + r.IntN(items), Blocks: 1 + r.IntN(3)},
		Descending:    r.IntN(2) == 0,
		Deterministic: r.IntN(3) == 0,
	}
	switch r.IntN(3) {
	case 0:
		f.o.Tuning.Serial = 1
	case 1:
		f.o.Tuning.Serial = 2 + f.n/40 + r.IntN(1<<r.IntN(12)) // more tiles take emulated GPUs long
	}
	f.what = fmt.Sprintf("-seed %d: %s of %d, %+v", seed, c.name, f.n, f.o.Tuning)
	t.Run(fmt.Sprint(seed), func(t *testing.T) { // whose buffers are closed at its end
		f.t = t
		c.run(f)
		if err := dev.Sync(); err != nil {
			t.Fatalf("%s: %v", f.what, err)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// length is none, few, around a power of two, or any.
func length(r *rand.Rand) int {
	switch r.IntN(8) {
	case 0:
		return r.IntN(3)
	case 1, 2, 3:
		return max(0, 1<<r.IntN(13)+r.IntN(3)-1)
	}
	return r.IntN(1 << r.IntN(13))
}

// in is a buffer of a host's values; of three one begins at another address than allocations do.
func in[T any](f *fuzz, host []T) *launch.Buffer[T] {
	f.t.Helper()
	skip := 0
	if f.r.IntN(3) == 0 {
		skip = 1 + f.r.IntN(3)
	}
	all := make([]T, skip+len(host))
	copy(all[skip:], host)
	return upload(f.t, f.dev, all).Slice(skip, len(all))
}

// out is room for n elements; what is in it is not 0.
func out[T any](f *fuzz, n int) *launch.Buffer[T] {
	f.t.Helper()
	host := make([]T, n)
	if _, ok := any(host).([]bool); !ok && n > 0 {
		for i := range unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(host))), n*int(unsafe.Sizeof(host[0]))) {
			*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(host)), i)) = 0xa5
		}
	}
	return in(f, host)
}

// orIn is a new output for an input, or the input itself.
func orIn[T any](f *fuzz, b *launch.Buffer[T]) *launch.Buffer[T] {
	if f.r.IntN(2) == 0 {
		return b
	}
	return out[T](f, b.Len())
}

// make makes a call; of three one gets exactly the temporary memory that it asks for.
func (f *fuzz) make(call func(o prim.Options) error) {
	f.t.Helper()
	o := f.o
	if f.r.IntN(3) == 0 {
		n, err := prim.TempSize(func(ask prim.Options) error {
			ask.Tuning, ask.Deterministic, ask.Descending, ask.FirstBit, ask.LastBit = o.Tuning, o.Deterministic, o.Descending, o.FirstBit, o.LastBit
			return call(ask)
		})
		if err != nil {
			f.t.Fatalf("%s: the size of temporary memory: %v", f.what, err)
		}
		o.Temp = alloc[byte](f.t, f.dev, n)
		must(f.t, o.Temp.Fill(f.s, 0xff))
	}
	if err := call(o); err != nil {
		f.t.Fatalf("%s: %v", f.what, err)
	}
}

// equal compares values by what bits makes of them.
func equal[T any](f *fuzz, what string, got *launch.Buffer[T], want []T, bits func(v T) uint64) {
	f.t.Helper()
	v := download(f.t, got)
	if len(v) != len(want) {
		f.t.Fatalf("%s: %s: %d elements, want %d", f.what, what, len(v), len(want))
	}
	for i := range v {
		if bits(v[i]) != bits(want[i]) {
			f.t.Fatalf("%s: %s: element %d of %d is %v, want %v", f.what, what, i, len(v), v[i], want[i])
		}
	}
}

// some compares the first count[0] elements.
func some[T any](f *fuzz, what string, got *launch.Buffer[T], count *launch.Buffer[int], want []T, bits func(v T) uint64) {
	f.t.Helper()
	k := download(f.t, count)[0]
	if k != len(want) {
		f.t.Fatalf("%s: %s: the count is %d, want %d", f.what, what, k, len(want))
	}
	k = min(k, got.Len())
	equal(f, what, got.Slice(0, k), want[:k], bits)
}
