// Package ssa2ir compiles a kernel from go/ssa to LLVM IR. It is at the top level to be
// read: programs import package kernel, and what is exported here may change at any time.
//
// It works in two steps. Check judges every instruction that the kernel
// reaches and reports all that a device cannot do, at once and at the user's
// line. Lower translates the checked program for one machine; it may be called
// for many. What both need to know is planned once: every function is compiled
// as an instance, which fixes what its func-typed parameters hold (plan.go), so
// that all calls are static.
//
// The table rules (rules.go) has every SSA instruction:
//
//	instruction              becomes                                    file
//	Alloc                    stack slot in the first block, zeroed      memory.go
//	Store, UnOp *            store, load: one per scalar                memory.go
//	FieldAddr, IndexAddr     getelementptr, after nil and bounds check  memory.go
//	Field, Index, Lookup     element of a value                         memory.go, strings.go
//	Slice                    {ptr, len, cap}, after bounds checks       memory.go
//	SliceToArrayPointer      ptr, after length check                    memory.go
//	BinOp, UnOp              arithmetic with Go's corner cases          arith.go
//	Convert, ChangeType      casts; float to integer as gc does        convert.go
//	Call                     call, intrinsic row or builtin             call.go
//	MakeClosure, Extract     tuples of values                           call.go
//	Phi                      one phi per scalar                         phi.go
//	Jump, If, Return         br, ret                                    call.go
//	Panic                    call @heddle_panic(site, ...)              panic.go
//	Range, Next              counters over strings                      strings.go
//	MakeInterface, ChangeInterface, TypeAssert
//	                         what it holds, whose type is known         dynamic.go
//	MakeMap, MapUpdate, MakeChan, Send, Select, Go, Defer, RunDefers,
//	MakeSlice, MultiConvert                                  refused    check.go
//
// # Values
//
// int is i64, bool is i1, float32 is float, a slice {ptr, i64, i64}, a string
// {ptr, i64}, a complex number two floats, a pointer a generic ptr. Structs and
// arrays have Go's layout. Aggregates are kept as their elements (target.Agg);
// those of more than 16 scalars stay in memory. A func value is the tuple of
// its bindings; its code is known while compiling.
//
// # Example
//
//	func Saxpy(a float32, x, y []float32) {
//		if i := dsl.GlobalIdx().X; i < len(y) {
//			y[i] += a * x[i]
//		}
//	}
//
// becomes, with heddle dump -stage ir, the kernel p_Saxpy, which takes each
// slice as pointer, length and capacity, and calls the function proper:
//
//	define amdgpu_kernel void @p_Saxpy(float %a, ptr addrspace(1) %x, i64 %x.len, i64 %x.cap, ...) {
//		...
//		call void @heddle_p_Saxpy(float %a, { ptr, i64, i64 } %11, { ptr, i64, i64 } %14)
//		ret void
//	}
//
// # Panics
//
// A check that fails jumps to a block that calls @heddle_panic with the number
// of the place in the source and up to two values. That function fills a record
// the host can see and ends the thread; the text is made on the host. The number
// tells by which calls the place was reached, too (context.go). A check that cannot
// fail is not made (prove.go); others are made before a loop (hoist.go, version.go), once for a section of
// the kernel (bounded.go), or together with those that follow (join.go).
package ssa2ir
