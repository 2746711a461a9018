// Package target describes the machines kernels are compiled for, and holds
// the builder with which IR for them is written.
//
// A Target is data: names, address spaces and a small vocabulary of functions
// (geometry, barrier, shuffle, ballot, fence, ...), filled in one file each:
// amdgpu.go, nvptx.go, cpu.go. The intrinsic rows and the lowering speak that
// vocabulary and never name a target. A Machine is a Target with what varies
// below it: the processor, the warp size, the versions.
package target

import (
	"fmt"
	"slices"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"heddle/internal/abi"
	"heddle/internal/lazy"
)

// A Register is a built-in geometry value of three axes.
type Register int

// The geometry of a launch.
const (
	ThreadIdx Register = iota
	BlockIdx
	BlockDim
	GridDim
)

// A Scope is how far an atomic operation reaches.
type Scope int

// The scopes of HIP: __threadfence_block, __threadfence, __threadfence_system, and the warp.
const (
	Warp Scope = iota
	Block
	Device
	System
)

// Limits that hold on every device heddle compiles for; they become ranges.
const (
	MaxBlock = 1024
	MaxGrid  = 1<<31 - 1
)

// KernelInfo is what a kernel's attributes depend on.
type KernelInfo struct {
	MaxThreads int // launch bound: threads a block, 0 for none
	MinBlocks  int // launch bound: blocks (CUDA) or warps per execution unit (HIP), 0 for none
}

// MostBlocks is how many blocks a grid has at most along an axis.
func (t *Target) MostBlocks(axis int) int64 {
	if axis > 0 && t.GridYZ > 0 {
		return t.GridYZ
	}
	return MaxGrid
}

// MostThreads is how many threads a grid of blocks of so many has at most along an axis.
func (t *Target) MostThreads(axis int, block int64) int64 {
	n := t.MostBlocks(axis) * block
	if t.GridThreads > 0 {
		n = min(n, t.GridThreads)
	}
	return n
}

// Where says where something is done.
type Where uint8

const (
	Nowhere    Where = iota
	IfItPays         // by an estimate
	Everywhere       // in tests
)

// A Target is everything the compiler knows about one kind of machine.
type Target struct {
	Name, Triple string
	Kind         abi.Kind
	KernelConv   enum.CallingConv
	// Address spaces by LLVM's numbers. A pointer to Generic may point into any.
	Generic, Global, Shared, Constant, Private int
	// ReadOnly is for addresses in global memory that nobody writes to while a kernel runs.
	ReadOnly int
	// ParamSpace is where an aggregate kernel argument lies, ParamAttr ("byref",
	// "byval") the attribute that says so.
	ParamSpace int
	ParamAttr  string
	// PartParams: the parts of a small one are parameters instead (abi.Param.Parts).
	PartParams bool
	// Scopes are LLVM's syncscope names for atomics, by Scope.
	Scopes [4]string
	// DebugKind is the emission kind of line tables that the target's assembler takes.
	DebugKind enum.EmissionKind

	// Machine resolves a processor name to a Machine, or says why it cannot.
	Machine func(cpu string, warpSize int) (*Machine, error)
	// Attrs are the attributes of the result and of the function that a
	// declaration of that name gets, as LLVM spells them. May be nil.
	Attrs func(name string) (ret, f []string)
	// Finish adds the attributes and metadata of a kernel, once the module's functions are written.
	Finish func(m *Module, f *ir.Func, k KernelInfo)

	// Atomic makes an atomic access that LLVM does not make as it should; nil leaves it to
	// LLVM. May be nil.
	Atomic func(b *Builder, a Access) Value
	// Wraps: at scopes below this one an atomic that begins anew at a limit (uinc_wrap, udec_wrap) is an instruction.
	Wraps Scope
	// FastAdd is what ends an atomic addition of floats in a module with FastAtomics. May be nil.
	FastAdd func(m *Module) []any
	// Geometry is one axis (0 to 2) of a register as i32, with its range.
	Geometry func(b *Builder, r Register, axis int) Value
	// Ops are the operations of package ops that the target has its own code for.
	// For others there is that of the table portable.
	Ops *lazy.Value[map[string]Expansion]
	// SharedVar is the generic address of the static shared variable of that
	// name, DynamicVar that of dynamic shared memory. Where they are nil, shared
	// memory is variables in an address space of its own.
	SharedVar  func(b *Builder, name string, size int64) Value
	DynamicVar func(b *Builder) Value
	// ChecksMasks says that a lane which its own mask leaves out panics. The check
	// costs little here; other targets leave the result of such a call undefined.
	ChecksMasks bool
	// PanicGeometry is Geometry for the panic function, read anew there, so that
	// no register is kept for it. Where it is not nil the panic function becomes
	// part of each function that panics, once: a kernel with a call in it would
	// cost registers and instructions.
	PanicGeometry func(b *Builder, r Register, axis int) Value
	// PanicSum: a panic's record says what its words add up to, see abi.PanicRecord; elsewhere a fence has its state written last.
	PanicSum bool
	// Panic reports the panic at a site (i32) with two values (i64) and ends the
	// launch; the block is then unreachable. Where it is nil the module gets a
	// panic function, which writes the record and ends with ops.Exit.
	Panic func(b *Builder, site, x, y Value)
	// ExitAfter ends a thread that waits if n is a multiple of patience, a power of two, and an int32 variable
	// of the module is not 0. Where it is nil there are branches, to a panic.
	ExitAfter func(b *Builder, n Value, patience int64, variable string)
	// Uses has a value be there at this point, without an instruction: else LLVM moves a load to where it is used, behind
	// a branch. May be nil.
	Uses func(b *Builder, v Value)
	// Stays keeps what is computed next, in its block, from being computed ahead of the branch that leads there. May be nil.
	Stays func(b *Builder)
	// StreamLoad loads a number of 32 or 64 bits from global memory, and leaves the cache to what is loaded more than once.
	// May be nil.
	StreamLoad func(b *Builder, t Type, p Value) Value
	// ShortParams: an int that is passed and needs 32 bits is a parameter of these. LLVM 17 does not know then how often NVIDIA's loops run.
	ShortParams bool
	// TellsShort: the code generator is told which slices have less than 1<<31 elements.
	TellsShort bool
	// Disjoint: the host sees to it that slices that are only read lie apart from what is written.
	Disjoint bool
	// SatInt makes an i32 of a float: the nearest there is of what does not fit, 0 of a NaN. May be nil.
	SatInt func(b *Builder, x Value) Value
	// RoundInt makes an integer of 32 or 64 bits of a float, the nearest there is of what does not fit and 0 of a NaN, rounded to the nearest, down,
	// up or to zero (n, d, u, z). Where it is nil comparisons do it.
	RoundInt func(b *Builder, x Value, bits int, signed bool, mode string) Value
	// Low is the low half of an i64, of which LLVM does not make an i64 again; small says that it is no less than 0 and below 1<<31.
	// Where it is nil a truncation is.
	Low func(b *Builder, v Value, small bool) Value
	// MulAdd is x*y + z of two i32 without sign and an i64: where it is nil, of extensions, which LLVM may leave in other blocks, and then does not
	// know to be short.
	MulAdd func(b *Builder, x, y, z Value) Value
	// Apart keeps LLVM from making one of what stands before it and what is like it elsewhere. May be nil.
	Apart func(b *Builder)
	// LoopSites: the branch back of every loop says in its metadata llvm.loop where
	// in the source the loop is, as !{!"heddle.site", i32 n}, n a place of the
	// object's table of sites, for who ends a launch early.
	LoopSites bool
	// UnrollsShort: short loops over constants are unrolled wholly.
	UnrollsShort bool
	// UnrollsMedium: loops of medium length are unrolled four times.
	UnrollsMedium bool
	// Chooses: local arrays of few elements, in variables of no more bytes than this, are kept in registers, of which an index chooses one.
	Chooses int64
	// LongInt64: a conversion between an int64 and a float is a dozen instructions.
	LongInt64 bool
	// Narrow: arithmetic of 64 bits costs more than that of 32.
	Narrow bool
	// GridYZ is the most blocks along y and along z, 0 for MaxGrid.
	GridYZ int64
	// GridThreads is the most threads of a grid along an axis, 0 for as many as MostBlocks have.
	GridThreads int64
	// Joins: several checks are one branch, and what else is done about checks where it is the branch that costs.
	Joins bool
	// Bank: constants that a warp's threads read together are operands of instructions.
	Bank bool
	// Versions: loops with checks are made twice, the first time without them.
	Versions bool
	// Groups: checks that cannot be made ahead of a loop are made for some iterations at once.
	Groups bool
	// Votes: where lanes part it costs much more than their vote and a branch that all take alike.
	Votes bool
	// Bounded says where a kernel has a version without the checks of indices that are known to go no further than a few numbers.
	Bounded Where
	// AnyLaunch: no condition is left to the host (in tests).
	AnyLaunch bool
	// BoundedArith: such a version is to gain twice what it costs, and gains by the arithmetic of 64 bits, too.
	BoundedArith bool
	// OrdersZeros: of llvm.maxnum and llvm.minnum, -0 is less than +0.
	OrdersZeros bool
	// Maximum says whether llvm.maximum and llvm.minimum of a type are one instruction. May be nil.
	Maximum func(m *Machine, t Type) bool
	// Half: the code generator has numbers of 16 bits. Elsewhere they are their bits.
	Half bool
	// RoundLosesSign: llvm.round makes 0 of -0.
	RoundLosesSign bool
	// MathFunc is the device library's symbol of a C math function.
	MathFunc func(name string, bits int) string
	// FastMathFunc is the symbol of an approximation for Builder.Fast, "" if
	// there is none. May be nil.
	FastMathFunc func(name string, bits int) string
	// LibraryFunc is the device library's symbol of a function that not all targets' have,
	// by HIP's name, "" if this one has none. May be nil.
	LibraryFunc func(name string, bits int) string
}

// Pointer is the type of a pointer to any memory, Go's.
func (t *Target) Pointer() *PtrType { return Ptr(t.Generic) }

// All lists the targets. Nothing registers itself.
var All = []*Target{&AMDGPU, &NVPTX, &CPU}

// A Machine is what one compile is for.
type Machine struct {
	*Target
	CPU      string // "gfx942", "sm_90", "x86-64-v3"
	Features string // LLVM's subtarget features
	WarpSize int
	// Generation is the family within the target: 9 to 12 for gfx900 to gfx12xx, 70 to 90 for sm_70 to sm_90.
	Generation int
	// CodeObject is the AMDGPU code object version, 4 or 5.
	CodeObject int
	// Swap128: it compares and swaps 128 bits.
	Swap128 bool
	// Images: textures and surfaces are AMD's image instructions, which the kernel's options ask for.
	Images bool
	// MathLib says that the target's device math library is at hand.
	MathLib bool
}

// For is the machine of an architecture's name, at a warp size (0: its default).
func For(arch string, warpSize int) (*Machine, error) {
	for _, t := range All {
		m, err := t.Machine(arch, warpSize)
		if m != nil || err != nil {
			return m, err
		}
	}
	return nil, fmt.Errorf("unknown architecture %q: want one such as gfx90a, gfx942, gfx1100, sm_90, x86-64-v3 or aarch64", arch)
}

// Archs are the architectures every kernel is compiled for in heddle's tests.
var Archs = []string{
	"gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
	"gfx1030", "gfx1100", "gfx1200", "gfx1201",
	"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90",
}

// axisName is LLVM's name of an axis.
func axisName(axis int) string { return "xyz"[axis : axis+1] }

func warpOf(arch string, want int, have ...int) (int, error) {
	if want == 0 {
		return have[0], nil
	}
	if slices.Contains(have, want) {
		return want, nil
	}
	return 0, fmt.Errorf("%s has no warp size %d: it has %s", arch, want, strings.Trim(fmt.Sprint(have), "[]"))
}

// BoundsEverywhere has all targets make two versions of what can have them (Bounded), for tests.
// Objects' keys do not say so: there must be no cache.
func BoundsEverywhere() {
	for _, t := range All {
		t.Bounded = Everywhere
	}
}

// ForAnyLaunch has all targets compile for any launch, though the host could see to a condition, for tests that else
// meet such code only where a condition fails. Objects' keys do not say so: there must be no cache.
func ForAnyLaunch() {
	for _, t := range All {
		t.AnyLaunch = true
	}
}

// LoopsAsNVIDIA gives loops on all targets the forms that NVPTX's have, for tests that run
// them where there is no NVIDIA GPU. Objects' keys do not say so: there must be no cache.
func LoopsAsNVIDIA() {
	for _, t := range []*Target{&CPU, &AMDGPU} {
		t.UnrollsShort, t.UnrollsMedium, t.Narrow = NVPTX.UnrollsShort, NVPTX.UnrollsMedium, NVPTX.Narrow
		t.Versions, t.Groups, t.Votes = NVPTX.Versions, NVPTX.Groups, NVPTX.Votes
		t.Joins, t.Disjoint, t.GridYZ, t.GridThreads = NVPTX.Joins, NVPTX.Disjoint, NVPTX.GridYZ, NVPTX.GridThreads
	}
}
