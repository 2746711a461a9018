// Package abi holds the values that pass between heddle's stages: how a
// kernel's Go arguments become kernel-argument bytes (Signature), and what one
// compile yields (Object). It knows nothing of any compiler or driver.
package abi

// Class says how one kernel parameter crosses from host to device.
type Class uint8

const (
	// Zero is a type of no size (struct{}, [0]T): it selects code, nothing is passed.
	Zero Class = iota
	// Scalar is a bool, integer, float or complex number, copied.
	Scalar
	// Slice is Go's {pointer, length, capacity}; the host passes a *launch.Buffer.
	Slice
	// Pointer is the address of one element; the host passes a *launch.Buffer of at least one.
	Pointer
	// Aggregate is a struct or an array, copied with Go's layout.
	Aggregate
)

func (c Class) String() string {
	return [...]string{"zero", "scalar", "slice", "pointer", "aggregate"}[c]
}

// A Param is one parameter of a kernel, or one captured variable of its closure.
type Param struct {
	Name  string
	Type  string // the Go type, as error messages print it
	Class Class
	// Offset, Size and Align place it in the kernel-argument block, in bytes.
	Offset, Size, Align int
	// Elem and ElemSize describe what a Slice or Pointer refers to.
	Elem     string
	ElemSize int
	// Pointers are the offsets within the value of the device pointers that an
	// Aggregate contains (its slices and pointers): the host checks them.
	Pointers []int
	// Parts are the offsets within an Aggregate of the parameters that a GPU takes it as, nil if it is one: its fields, of
	// slices the pointer, length and capacity, and padding.
	Parts []int
	// Capture marks a captured variable or a bound receiver: filled by heddle, not by the caller.
	Capture bool
	// Pos is where a captured variable is declared, as file:line:col.
	Pos string
	// Buffer marks a captured *launch.Buffer, which is a Slice on the device.
	Buffer bool
	// Complex marks a Scalar whose two halves are parameters of their own on the device.
	Complex bool
}

// A Signature lays a kernel's parameters out as one block of bytes: the
// explicit ones in order, then the captured ones, each at its natural
// alignment as C and both GPU ABIs do.
type Signature struct {
	Params []Param
	Size   int // of the block: the end of the last parameter, as CUDA wants it to be exact
}

// Add appends p at the next offset its alignment allows.
//
//go:noinline
func (s *Signature) Add(p Param) {
	if p.Size > 0 {
		end := 0
		for _, q := range s.Params {
			end = max(end, q.Offset+q.Size)
		}
		p.Offset = (end + p.Align - 1) / p.Align * p.Align
		s.Size = p.Offset + p.Size
	}
	s.Params = append(s.Params, p)
}

// Places are the offsets of the device's parameters in the block, in their order: of a
// Slice its pointer, length and capacity.
func (s *Signature) Places() (at []int) {
	for i := range s.Params {
		p := &s.Params[i]
		for _, k := range p.Parts {
			at = append(at, p.Offset+k)
		}
		n := 1
		switch {
		case p.Class == Zero, p.Parts != nil:
			n = 0
		case p.Class == Slice:
			n = 3
		case p.Complex:
			n = 2
		}
		for k := range n {
			at = append(at, p.Offset+k*p.Size/n)
		}
	}
	return at
}

// Kind is the form of an Object's code.
type Kind uint8

const (
	GoFunc Kind = iota // no code: the simulator calls the Go function
	HSACO              // AMDGPU ELF code object
	PTX                // NVPTX assembly text
	Native             // relocatable object of the host CPU
)

func (k Kind) String() string { return [...]string{"go", "hsaco", "ptx", "native"}[k] }

// MathFix is what to do where the device math library that such objects are linked with is
// not at hand, "" for kinds that need none.
func (k Kind) MathFix() string {
	return [...]string{
		HSACO:  "install ROCm's device libraries (Debian: apt-get install rocm-device-libs), or set HEDDLE_DEVICE_LIBS to the directory of ocml.bc",
		PTX:    "install the CUDA toolkit (CUDA_HOME is where it is), or set HEDDLE_DEVICE_LIBS to the directory of libdevice.10.bc",
		Native: "",
	}[k]
}

// Names of the two module-level variables of a kernel that can panic. Both are
// in global memory. The loader stores the device address of a host-visible
// PanicRecord into SinkSymbol; LockSymbol is an int32, 0 until the first panic:
// whoever swaps it to 1 fills the record. The host stores 0 to re-arm it.
const (
	SinkSymbol = "heddle_panic_sink"
	LockSymbol = "heddle_panic_lock"
)

// SymbolsSymbol is the module-level variable, in global memory, of a kernel that names device
// variables: the loader stores the addresses of their instances there, in the order of
// Object.Symbols.
const SymbolsSymbol = "heddle_symbols"

// BankSymbol is the module-level variable, in constant memory, with the module's own copies of
// constants. The loader sees to it that they are up to date.
const BankSymbol = "heddle_bank"

// Decision is the kind of metadata, in LLVM IR, of branches that all threads of a block take alike, to the second successor
// as a rule.
const Decision = "heddle.decision"

// A Symbol is a device variable that a kernel names: package internal/symbol's Place, and
// what the kernel takes it for.
type Symbol struct {
	Name    string // of the package variable, for people
	Package string // its path
	Main    bool   // of a main package: at run time its path is main, or in a test its own
	File    string
	Line    int
	Kind    uint8 // package internal/symbol's
	Type    string
	Size    int // bytes
	// Banked: the kernel reads a copy, too, at an offset in BankSymbol.
	Banked bool
	Offset int
}

// PanicRecord is what the device writes when a kernel panics. State is written
// last, after a system-scope fence; the host reads it at each synchronisation.
// In PTX there is no fence, as one that is never come to slows all of a kernel's
// atomics down: there Sum says whether all has arrived.
// The device uses these byte offsets; the struct is 64 bytes.
type PanicRecord struct {
	State  uint32    // 0: none, Panicked: the record is complete
	Site   uint32    // for Object.Site
	Block  [3]uint32 // block index
	Thread [3]uint32 // thread index in the block
	Args   [2]uint64 // the site's run-time values: index and length, say
	Sum    uint32    // in PTX, see Adds
	_      [12]byte
}

// Adds reports whether Sum is what it is to be: the sum of the words from Site on,
// the n-th of them, from 0, times SumFactor(n), modulo 1<<32.
func (r *PanicRecord) Adds() bool {
	words := append(append([]uint32{r.Site}, r.Block[:]...), r.Thread[:]...)
	for _, a := range r.Args {
		words = append(words, uint32(a), uint32(a>>32))
	}
	sum := uint32(0)
	for n, w := range words {
		sum += w * uint32(SumFactor(n))
	}
	return sum == r.Sum
}

// SumFactor is what the n-th word of a record counts in its sum: an odd number, so that no word is lost.
func SumFactor(n int) int64 { return int64(2*n + 3) }

// States of a PanicRecord. Halted is the cpu device's: no panic, but the loop that
// a thread was in when the launch was ended.
const (
	Panicked = 1
	Halted   = 2
)

// A Site is one place in a kernel that can panic, or a loop.
type Site struct {
	File      string
	Line, Col int
	Func      string // the Go function that holds it
	// Format is the Go panic's text with up to two verbs for PanicRecord.Args:
	// %d signed, %u unsigned, %f float64 bits, %t bool; %% is a percent sign. "index out of range [%d] with length %d".
	Format string
	// Runtime marks an error that Go's own run time would raise (printed with
	// the prefix "runtime error: "), as against a call of panic.
	Runtime bool
	// First is the first number of the site: it has one for each context of the
	// function that holds it, Object.Frames[Frame], and one alone for NoFrame.
	First uint32
	Frame int
}

// Resources are one compiled kernel's static needs. Zero where the target's
// compiler does not tell (PTX: the driver knows after loading).
type Resources struct {
	SGPR, VGPR, AGPR     int // registers of a wave / of a lane
	SGPRSpill, VGPRSpill int
	LDS                  int // static shared memory, bytes a block
	Scratch              int // private memory, bytes a lane
	MaxThreads           int // threads a block may have, 0: the device's limit
	KernArg              int // bytes
	CodeBytes            int
}

// An Object is one kernel compiled for one architecture and warp size.
type Object struct {
	Kind     Kind
	Arch     string // "gfx942", "sm_90", "x86-64-v3"
	WarpSize int
	Kernel   string // symbol of the entry
	Name     string // the Go function, for people
	Code     []byte
	Key      string `json:"-"` // what the disk cache and archives call the code; "" if neither has it
	Sig      Signature
	// Condition is what the code takes for granted of launches, nil for nothing.
	Condition Condition `json:",omitempty"`
	Sites     []Site    // by their numbers; empty: the kernel cannot panic and has no sink
	Frames    []Frame
	Prints    []Print // by their numbers; empty: the kernel does not print and has no sink
	// Atomics are the places of atomic accesses, some of which are plain loads and stores in
	// the code of AMD's GPUs: for who looks for races there.
	Atomics []Place
	Symbols []Symbol // by their numbers; empty: the kernel names no device variable
	Shared  int      // static shared memory in bytes
	// Largest is the largest variable there.
	Largest Shared `json:",omitempty"`
	// Files are the source files by the names that the debug information in Code
	// has for them, which do not depend on the machine.
	Files map[string]string
	// Dynamic reports whether the kernel uses dynamic shared memory.
	Dynamic bool
	// Unshared reports that the kernel uses no shared memory: any that it has on an AMD GPU
	// is where LLVM keeps variables of single threads.
	Unshared bool
	// MaxThreads is the launch bound, 0 for none.
	MaxThreads int
	Res        Resources
	// Go is the function value itself, where Kind is GoFunc. Wait says that it may
	// capture variables by reference: a launch waits for it to end, or it would see
	// what the host assigns to them after the launch.
	Go   any
	Wait bool
	// Refused, of a Go function, says why the compiler refuses it, nil if it does not:
	// it waits for a check that was not over when the function was loaded. Nil where
	// there was no such check.
	Refused func() error `json:"-"`
}
