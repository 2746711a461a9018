package abi

// This file is how what a kernel prints comes to the host. A call of dsl.Printf becomes a
// record in a ring of 64-bit words, in memory that the host sees while the kernel runs;
// what it says in text is in the object's table Prints. All kernels of a device share one
// ring:
//
//	PrintSink     one of each loaded kernel: where it finds the rest
//	PrintControl  in device memory: devices have atomics there, and not everywhere else
//	PrintRing     in host memory, followed by the words
//
// A thread that prints compares Head with Tail, and takes the words that it needs by
// advancing Head with a compare-and-swap; it counts itself in Dropped if there is no room.
// It writes its words, then, after a system-scope fence, the half of the first word that
// is not 0. The host reads that, formats the record, writes 0 to all of it and advances
// Tail. Head and Tail count words and never go back.

// PrintSymbol is the module-level variable, in global memory, of a kernel that prints: the
// loader stores a PrintSink there. Code for the host finds its address in NativeLaunch.
const PrintSymbol = "heddle_print"

// PrintSink is where a kernel prints to; 32 bytes.
type PrintSink struct {
	Control uintptr // 0: device address of a PrintControl
	Ring    uintptr // 8: device address of a PrintRing
	Words   uint64  // 16: of the ring, a power of two
	Kernel  uint64  // 24: whose table it is, a number below 1 << 32 of the host's
}

// PrintControl is what the device counts; 16 bytes.
type PrintControl struct {
	Head    uint64 // 0: words taken
	Dropped uint64 // 8: prints for which there was no room
}

// PrintRing is what precedes the ring's words; 64 bytes.
type PrintRing struct {
	Tail    uint64       // 0: words given back, written by the host
	Control PrintControl // 8: the host's copy
	_       [5]uint64
}

// Fields of a record's first word. The lower 32 bits are written last.
const (
	PrintLength = 8  // bits of the record's words, this one included
	PrintFormat = 24 // bits of the index into Prints, above
	PrintKernel = 32 // bits of PrintSink.Kernel, above
)

// A Print is one call of dsl.Printf.
type Print struct {
	Format string // as package fmt takes it; addresses are printed as numbers
	Args   []PrintArg
}

// A PrintArg is one of its arguments.
type PrintArg struct {
	// Kind is the Go type that the format is applied to: bool, int to int64, uint to
	// uint64, uintptr, float32, float64, complex64, complex128, string. A
	// complex number takes two words of the record, a string none, the others one.
	Kind string
	Text string `json:",omitempty"` // of a string, which is a constant
}

// Words is how many words of a record an argument takes.
func (a *PrintArg) Words() int {
	switch a.Kind {
	case "string":
		return 0
	case "complex64", "complex128":
		return 2
	}
	return 1
}
