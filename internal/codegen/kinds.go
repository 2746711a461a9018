package codegen

import (
	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// A backend is how one kind of object is made: all that is not the same for every kind.
// Each is filled in by a file of its own: amdgpu.go, nvptx.go, cpu.go.
type backend struct {
	// normal completes a request, and says what is wrong with it.
	normal func(r *Request) error
	// ownPasses: HEDDLE_OPT does not choose the passes.
	ownPasses bool
	// external: the kernel is a function that others can call, and needs no other mark.
	external bool
	// comgr: AMD's library may compile instead of libLLVM.
	comgr bool

	// emit makes the code of an object, and check looks at what came out and notes the
	// kernel's resources.
	emit  func(r *Request) ([]byte, error)
	check func(r *Request, obj *abi.Object) error
	// compile runs the pipeline in libLLVM, as Request.compile does.
	compile func(r *Request, kind llvm.FileType, ir *string) ([]byte, error)

	// What Request.compile asks for, in this order; cpu.go's compile asks for none of it.

	// early rewrites a module's text before it is read. May be nil.
	early func(r *Request, text []byte) []byte
	// features are the processor's, as LLVM spells them.
	features func(r *Request, lib *llvm.Library) (string, error)
	// effort is the level of code generation for a release of LLVM.
	effort func(r *Request, major int) int
	// flags sets the flags of a parsed module. May be nil.
	flags func(r *Request, m *llvm.Module, major int)
	// prepare adds attributes to its functions, once the libraries are linked.
	prepare func(r *Request, m *llvm.Module)
	// pipeline is the passes for a release of LLVM.
	pipeline func(r *Request, major int) string
	// carries: sums of words are one sum, in an optimised module (carries.go).
	carries bool
	// short: what is known to need 32 bits in an optimised module is computed in as many (short.go).
	short bool
	// flat says which branches of an optimised module become choices (flatten.go); nil: none.
	flat *flattening
	// memmove: LLVM expands memmove where expandsMemmove says so. For NVPTX it has only
	// loops of bytes, so nothing is lost if heddle expands all.
	memmove bool
	// fix rewrites what LLVM, or who assembles its code, would make wrong code of, in an
	// optimised module.
	fix func(r *Request, c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) (*llvm.Module, error)

	// mathLib finds the device math library, "" if there is none: a directory of
	// libraries, or a file.
	mathLib func() string
	// mathDirs are patterns of the directories that it looks into.
	mathDirs func() []string
	// libraries are what modules may need of it, in the order they are linked.
	libraries []library
	// configure says in a module how its libraries are to compute.
	configure func(r *Request, c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) error
	// version identifies what heddle itself adds to such objects, beyond cacheFormat.
	version func() string
}

// backends are those of the kinds of object, nil for kinds that are not compiled.
var backends [max(abi.HSACO, abi.PTX, abi.Native) + 1]*backend

// backendOf is the backend of a kind of object, nil if the kind is not compiled.
func backendOf(kind abi.Kind) *backend {
	if int(kind) < len(backends) {
		return backends[kind]
	}
	return nil
}

// noVersion is the version of objects to which heddle adds nothing of its own.
func noVersion() string { return "" }
