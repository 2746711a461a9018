// Package run is what generated closures call: it gives them values that no
// compiler can know, and compares each kernel's launches with a plain call.
package run

import (
	"embed"
	"fmt"
	"iter"
	"math/rand/v2"
	"path"
	"reflect"
	"runtime"
	"strings"

	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var sources embed.FS

var _ = kernel.Source(sources)

// A Checker compares kernels with plain calls on some devices.
type Checker struct {
	// Kernels and Launches count what was done.
	Kernels, Launches int
	// Refused are documented refusals, at most one for each func value.
	Refused []Failure
	// Failed are wrong values and all other errors.
	Failed []Failure

	rand    *rand.Rand
	devices []*launch.Device
}

// A Failure is a kernel that did not do what its func value does.
type Failure struct {
	ID   string // as passed to New
	Func string // folder/file:line, and the symbol's name
	Msg  string
}

// String is f in one line.
func (f Failure) String() string { return fmt.Sprintf("%s (%s): %s", f.ID, f.Func, f.Msg) }

// NewChecker makes a checker for these devices. The same seed gives the same
// values.
func NewChecker(seed uint64, devices ...*launch.Device) *Checker {
	return &Checker{rand: rand.New(rand.NewPCG(seed, 0x636c6f73)), devices: devices}
}

// documented are parts of the errors with which heddle may refuse a closure.
var documented = []string{
	"start on this line", "closure layout mismatch", "cannot find the type argument",
	"of a generic type inside generic code", // a method value there
}

// Next is a random number.
//
//go:noinline
func (c *Checker) Next() uint64 { return c.rand.Uint64() >> (c.rand.Uint64() % 64) }

// Seq yields n random numbers.
func (c *Checker) Seq(n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for range n {
			if !yield(c.Next()) {
				return
			}
		}
	}
}

// Map is a map of n random numbers.
//
//go:noinline
func (c *Checker) Map(n int) map[int16]uint32 {
	m := map[int16]uint32{}
	for range n {
		m[int16(c.Next())] = uint32(c.Next())
	}
	return m
}

// Slice is a slice of n random numbers.
//
//go:noinline
func (c *Checker) Slice(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(c.Next())
	}
	return s
}

// Chan is a channel that holds a random number.
func (c *Checker) Chan() <-chan uint64 {
	ch := make(chan uint64, 1)
	ch <- c.Next()
	return ch
}

// Any is an int32, a bool or a float64.
//
//go:noinline
func (c *Checker) Any() any {
	switch x := c.Next(); x % 3 {
	case 0:
		return int32(x)
	case 1:
		return x&4 != 0
	default:
		return float64(int16(x))
	}
}

// A Kernel is a func value under test.
type Kernel struct {
	c       *Checker
	id      string
	fn      any
	args    []any
	k       *kernel.Kernel
	refused bool
}

// Check makes a kernel and checks it.
func (c *Checker) Check(id string, fn any, args ...any) *Kernel {
	k := c.New(id, fn, args...)
	k.Check()
	return k
}

// specialized is of how many kernels one has its captured variables as constants.
const specialized = 8

// New makes a kernel. fn's last parameter is its output, a []uint64; args are
// for those before.
//
//go:noinline
func (c *Checker) New(id string, fn any, args ...any) *Kernel {
	c.Kernels++
	var opts kernel.Options
	if c.Kernels%specialized == 0 {
		opts.Specialize = []string{"*"}
	}
	return &Kernel{c: c, id: id, fn: fn, args: args, k: kernel.NewWith(fn, opts)}
}

// outLen is how many numbers a kernel may write.
const outLen = 2

// Check calls the function and launches the kernel on every device.
func (k *Kernel) Check() {
	if k.refused {
		return
	}
	want := make([]uint64, outLen)
	var in []reflect.Value
	for _, a := range append(k.args[:len(k.args):len(k.args)], want) {
		in = append(in, reflect.ValueOf(a))
	}
	reflect.ValueOf(k.fn).Call(in)
	for _, dev := range k.c.devices {
		k.c.Launches++
		got, err := k.launch(dev)
		switch {
		case err != nil:
			k.fail(dev.Name()+": "+err.Error(), isDocumented(err))
			return
		case got != [outLen]uint64(want):
			k.fail(fmt.Sprintf("%s: result is %#x, of a plain call %#x", dev.Name(), got, want), false)
			return
		}
	}
}

func isDocumented(err error) bool {
	for _, part := range documented {
		if strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}

func (k *Kernel) fail(msg string, refused bool) {
	f := runtime.FuncForPC(reflect.ValueOf(k.fn).Pointer())
	file, line := f.FileLine(f.Entry())
	k.refused = true
	failure := Failure{k.id, fmt.Sprintf("%s:%d, %s", path.Join(path.Base(path.Dir(file)), path.Base(file)), line, f.Name()), msg}
	if refused {
		k.c.Refused = append(k.c.Refused, failure)
	} else {
		k.c.Failed = append(k.c.Failed, failure)
	}
}

func (k *Kernel) launch(dev *launch.Device) (got [outLen]uint64, err error) {
	out, err := launch.Alloc[uint64](dev, outLen)
	if err != nil {
		return got, err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	if err := k.k.Launch(dev.Stream(), launch.Linear(1, 1), append(k.args[:len(k.args):len(k.args)], out)...); err != nil {
		return got, err
	}
	return got, out.Download(got[:])
}
