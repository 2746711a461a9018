package dl

import (
	"sync"
	"unsafe"
)

// A Call is a call of a C function. Pointers among its arguments must stay alive and in place until it returns.
type Call struct {
	At     uintptr           // the function
	Args   [mostArgs]uintptr // integers and pointers; what is not used may be anything
	Result uintptr
}

const mostArgs = 12

// Make makes it a call of a function with arguments, and reports whether it takes so many.
func (c *Call) Make(at uintptr, args []uintptr) bool {
	if len(args) > mostArgs {
		return false
	}
	c.At, c.Result = at, 0
	copy(c.Args[:], args)
	return true
}

// A Calls is memory for calls that follow each other.
type Calls struct {
	List []Call
	args [3]uintptr // of run
}

// NewCalls is memory for calls, none yet. Free gives it back.
func NewCalls() *Calls { return calls.Get().(*Calls) }

// Free gives the memory back.
func (c *Calls) Free() {
	clear(c.List) // the arguments of another's calls are nobody's business
	c.List = c.List[:0]
	calls.Put(c)
}

var calls = sync.Pool{New: func() any { return &Calls{List: make([]Call, 0, 8)} }}

// Add adds a call.
func (c *Calls) Add(at uintptr, args ...uintptr) {
	c.List = append(c.List, Call{})
	if !c.List[len(c.List)-1].Make(at, args) {
		panic("dl: a call of too many arguments")
	}
}

// Run makes the calls one after the other, on one thread, at the cost of little more than one of
// them from Go. It ends after the first one whose result, an int, is not 0, but
// makes the last one if always is set. It returns how many were made before the first that failed, or all.
func (c *Calls) Run(always bool) (made int) {
	if len(c.List) == 0 {
		return 0
	}
	c.run(always)
	for made < len(c.List) && int32(c.List[made].Result) == 0 {
		made++
	}
	return made
}

// Offsets that the assembly knows.
const (
	_ = -(unsafe.Offsetof(Call{}.Args) ^ 8)
	_ = -(unsafe.Offsetof(Call{}.Result) ^ 104)
	_ = -(unsafe.Sizeof(Call{}) ^ 112)
)
