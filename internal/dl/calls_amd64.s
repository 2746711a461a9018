//go:build unix

#include "textflag.h"

// void run(Call *first, size_t n, size_t always), by the calling convention of C: System V's ABI for AMD64.
//
//	BX   the call
//	R12  how many are left, with this one
//	R13  always
TEXT run<>(SB), NOSPLIT|NOFRAME, $0
	PUSHQ BX
	PUSHQ R12
	PUSHQ R13
	SUBQ  $48, SP // the last six arguments; SP is a multiple of 16 now
	MOVQ  DI, BX
	MOVQ  SI, R12
	MOVQ  DX, R13

next:
	MOVQ 56(BX), AX
	MOVQ AX, 0(SP)
	MOVQ 64(BX), AX
	MOVQ AX, 8(SP)
	MOVQ 72(BX), AX
	MOVQ AX, 16(SP)
	MOVQ 80(BX), AX
	MOVQ AX, 24(SP)
	MOVQ 88(BX), AX
	MOVQ AX, 32(SP)
	MOVQ 96(BX), AX
	MOVQ AX, 40(SP)
	MOVQ 8(BX), DI
	MOVQ 16(BX), SI
	MOVQ 24(BX), DX
	MOVQ 32(BX), CX
	MOVQ 40(BX), R8
	MOVQ 48(BX), R9
	MOVQ 0(BX), R11
	XORL AX, AX // no floating-point arguments
	CALL R11
	MOVQ AX, 104(BX)
	DECQ R12
	JZ   done
	ADDQ $112, BX
	TESTL AX, AX
	JZ   next

	// It failed: only the last one is left, if it is made always.
	TESTQ R13, R13
	JZ    done
	DECQ  R12
	IMUL3Q $112, R12, AX
	ADDQ  AX, BX
	MOVQ  $1, R12
	JMP   next

done:
	ADDQ $48, SP
	POPQ R13
	POPQ R12
	POPQ BX
	RET

DATA ·runAt(SB)/8, $run<>(SB)
GLOBL ·runAt(SB), NOPTR, $8
