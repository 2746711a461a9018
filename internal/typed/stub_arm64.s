#include "textflag.h"
#include "funcdata.h"

DATA ·code(SB)/8, $·stub(SB)
GLOBL ·code(SB), NOPTR, $8

// func stub(args uintptr)
//
// The caller takes it for a function of the func value's type: the arguments are in registers
// and on its stack, the func value in R26.
TEXT ·stub(SB), NOSPLIT, $280-8
	NO_LOCAL_POINTERS
	MOVD R0, 32(RSP)
	MOVD R1, 40(RSP)
	MOVD R2, 48(RSP)
	MOVD R3, 56(RSP)
	MOVD R4, 64(RSP)
	MOVD R5, 72(RSP)
	MOVD R6, 80(RSP)
	MOVD R7, 88(RSP)
	MOVD R8, 96(RSP)
	MOVD R9, 104(RSP)
	MOVD R10, 112(RSP)
	MOVD R11, 120(RSP)
	MOVD R12, 128(RSP)
	MOVD R13, 136(RSP)
	MOVD R14, 144(RSP)
	MOVD R15, 152(RSP)
	FMOVD F0, 160(RSP)
	FMOVD F1, 168(RSP)
	FMOVD F2, 176(RSP)
	FMOVD F3, 184(RSP)
	FMOVD F4, 192(RSP)
	FMOVD F5, 200(RSP)
	FMOVD F6, 208(RSP)
	FMOVD F7, 216(RSP)
	FMOVD F8, 224(RSP)
	FMOVD F9, 232(RSP)
	FMOVD F10, 240(RSP)
	FMOVD F11, 248(RSP)
	FMOVD F12, 256(RSP)
	FMOVD F13, 264(RSP)
	FMOVD F14, 272(RSP)
	FMOVD F15, 280(RSP)
	MOVD R26, 8(RSP)
	ADD  $32, RSP, R20
	MOVD R20, 16(RSP)
	MOVD $args+0(FP), R20
	MOVD R20, 24(RSP)
	CALL ·entry(SB)
	RET
