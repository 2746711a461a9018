#include "textflag.h"

// func frames(s *stack)
// The frame pointer, BP, is still the caller's: this function has no frame. At
// it lies the frame pointer of the caller's caller, and above that the
// caller's return address.
TEXT ·frames(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ s+0(FP), DI
	MOVQ BP, AX
	MOVQ $20, CX // depth
next:
	TESTQ AX, AX
	JZ   done
	MOVQ 8(AX), DX
	MOVQ DX, (DI)
	ADDQ $8, DI
	MOVQ (AX), AX
	DECQ CX
	JNZ  next
done:
	RET
