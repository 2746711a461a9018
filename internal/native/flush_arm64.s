#include "textflag.h"

// Cache lines have at least 16 bytes.
#define LINE 16

// func flushRange(first, last unsafe.Pointer)
TEXT ·flushRange(SB), NOSPLIT|NOFRAME, $0-16
	MOVD first+0(FP), R0
	MOVD last+8(FP), R1
	MOVD R0, R2
data:
	WORD $0xd50b7b22 // dc cvau, x2
	ADD  $LINE, R2
	CMP  R1, R2
	BLS  data
	WORD $0xd5033b9f // dsb ish
	MOVD R0, R2
code:
	WORD $0xd50b7522 // ic ivau, x2
	ADD  $LINE, R2
	CMP  R1, R2
	BLS  code
	WORD $0xd5033b9f // dsb ish
	WORD $0xd5033fdf // isb
	RET
