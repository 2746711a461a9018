#include "textflag.h"
#include "funcdata.h"

DATA ·code(SB)/8, $·stub(SB)
GLOBL ·code(SB), NOPTR, $8

// func stub(args uintptr)
//
// The caller takes it for a function of the func value's type: the arguments are in registers
// and behind the return address, the func value in DX.
TEXT ·stub(SB), NOSPLIT, $216-8
	NO_LOCAL_POINTERS
	MOVQ AX, 24(SP)
	MOVQ BX, 32(SP)
	MOVQ CX, 40(SP)
	MOVQ DI, 48(SP)
	MOVQ SI, 56(SP)
	MOVQ R8, 64(SP)
	MOVQ R9, 72(SP)
	MOVQ R10, 80(SP)
	MOVQ R11, 88(SP)
	MOVQ X0, 96(SP)
	MOVQ X1, 104(SP)
	MOVQ X2, 112(SP)
	MOVQ X3, 120(SP)
	MOVQ X4, 128(SP)
	MOVQ X5, 136(SP)
	MOVQ X6, 144(SP)
	MOVQ X7, 152(SP)
	MOVQ X8, 160(SP)
	MOVQ X9, 168(SP)
	MOVQ X10, 176(SP)
	MOVQ X11, 184(SP)
	MOVQ X12, 192(SP)
	MOVQ X13, 200(SP)
	MOVQ X14, 208(SP)
	MOVQ DX, 0(SP)
	LEAQ 24(SP), AX
	MOVQ AX, 8(SP)
	LEAQ args+0(FP), AX
	MOVQ AX, 16(SP)
	CALL ·entry(SB)
	RET
