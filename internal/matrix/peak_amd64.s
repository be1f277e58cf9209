//go:build !purego && !openblas

#include "textflag.h"

#define STEP(sum, t) \
	VMULPD Y14, Y15, t \
	VADDPD t, sum, sum

// func peak(n int)
TEXT ·peak(SB), NOSPLIT, $0-8
	MOVQ   n+0(FP), CX
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15

loop:
	STEP(Y0, Y10)
	STEP(Y1, Y11)
	STEP(Y2, Y12)
	STEP(Y3, Y13)
	STEP(Y4, Y10)
	STEP(Y5, Y11)
	STEP(Y6, Y12)
	STEP(Y7, Y13)
	STEP(Y8, Y10)
	STEP(Y9, Y11)
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
