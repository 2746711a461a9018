package dsl

import "heddle/internal/simt"

// Asm returns what an instruction of the GPU computes from args (HIP's and CUDA's asm).
//
//	if dsl.Arch().IsAMD() {
//		sum = dsl.Asm[int32]("v_add3_u32 %0, %1, %2, %3", "=v,v,v,v", a, b, c)
//	} else if dsl.Arch().IsNVIDIA() {
//		sum = dsl.Asm[int32]("vadd.s32.s32.s32.add %0, %1, %2, %3;", "=r,r,r,r", a, b, c)
//	}
//
// In text, a constant, %0 is the result and %1 the first of args, and %% is a percent sign,
// as in HIP. constraints, a constant, says where each of them lies, in this order and
// separated by commas, then what else is changed, as LLVM names it (Language Reference,
// "Inline Assembler Expressions"): on AMD GPUs v and s are vector and scalar registers,
// on NVIDIA ones h, r and l are integer registers of 16, 32 and 64 bits and f and d
// float ones; a number is the place of that operand; ~{memory} is memory. T and args are
// numbers and pointers; with struct{} for T there is no result, and %0 is the first of args.
//
// The compiler may leave the instructions out where nobody wants the result, and
// do them elsewhere: see AsmVolatile. The host's processor and the simulator have none: the
// first refuses the kernel unless Arch guards the call, the second panics.
func Asm[T any](text, constraints string, args ...any) (result T) {
	simt.Running("Asm")
	refuse(noAsm)
	return result
}

// AsmVolatile is [Asm] of instructions that do more than to compute a result: they are done
// where they stand (HIP's and CUDA's asm volatile).
func AsmVolatile[T any](text, constraints string, args ...any) (result T) {
	simt.Running("AsmVolatile")
	refuse(noAsm)
	return result
}

const noAsm = "inline assembly does not run on the simulator: put it under if dsl.Arch().IsGPU()"

// refuse panics. It is a variable so that tools that read a program, as staticcheck does, do
// not take what follows a call to Asm for code that is never reached.
var refuse = func(why string) { panic(why) }
