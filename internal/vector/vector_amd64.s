//go:build !purego

#include "textflag.h"

DATA one<>+0(SB)/8, $0x3ff0000000000000
GLOBL one<>(SB), RODATA|NOPTR, $8

// func addRows(rows, n, step int, y, b *float64)
TEXT ·addRows(SB), NOSPLIT, $0-40
	MOVQ rows+0(FP), CX
	MOVQ n+8(FP), BX
	MOVQ step+16(FP), R8
	MOVQ y+24(FP), DI
	MOVQ b+32(FP), SI
	SHLQ $3, R8

row:
	XORQ AX, AX

four:
	VMOVUPD (DI)(AX*8), Y0
	VADDPD  (SI)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, BX
	JLT     four
	ADDQ    R8, DI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET

// func sumRows(rows, n, step int, dst, x *float64)
//
// 16 columns at a time, then 4: their sums stay in registers.
TEXT ·sumRows(SB), NOSPLIT, $0-40
	MOVQ n+8(FP), BX
	MOVQ step+16(FP), R8
	MOVQ dst+24(FP), DI
	MOVQ x+32(FP), SI
	SHLQ $3, R8

wide:
	CMPQ    BX, $16
	JLT     narrow
	MOVQ    rows+0(FP), CX
	MOVQ    SI, AX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3

wideRow:
	VADDPD  (AX), Y0, Y0
	VADDPD  32(AX), Y1, Y1
	VADDPD  64(AX), Y2, Y2
	VADDPD  96(AX), Y3, Y3
	ADDQ    R8, AX
	DECQ    CX
	JNZ     wideRow
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, SI
	SUBQ    $16, BX
	JMP     wide

narrow:
	TESTQ   BX, BX
	JZ      end
	MOVQ    rows+0(FP), CX
	MOVQ    SI, AX
	VMOVUPD (DI), Y0

narrowRow:
	VADDPD  (AX), Y0, Y0
	ADDQ    R8, AX
	DECQ    CX
	JNZ     narrowRow
	VMOVUPD Y0, (DI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	SUBQ    $4, BX
	JMP     narrow

end:
	VZEROUPPER
	RET

// func relu(n int, y *float64)
TEXT ·relu(SB), NOSPLIT, $0-16
	MOVQ   n+0(FP), CX
	MOVQ   y+8(FP), DI
	XORQ   AX, AX
	VXORPD Y0, Y0, Y0

four:
	VMOVUPD   (DI)(AX*8), Y1
	VMULPD    Y0, Y1, Y2
	VCMPPD    $0x1d, Y0, Y1, Y3 // at least 0
	VBLENDVPD Y3, Y1, Y2, Y1
	VMOVUPD   Y1, (DI)(AX*8)
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       four
	VZEROUPPER
	RET

// func rectify(n int, y *float64)
TEXT ·rectify(SB), NOSPLIT, $0-16
	MOVQ   n+0(FP), CX
	MOVQ   y+8(FP), DI
	XORQ   AX, AX
	VXORPD Y0, Y0, Y0

four:
	VMOVUPD (DI)(AX*8), Y1
	VMAXPD  Y1, Y0, Y1 // itself for NaN and -0
	VADDPD  Y0, Y1, Y1
	VMOVUPD Y1, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET

// func reluSlope(n int, dst, y, grad *float64)
TEXT ·reluSlope(SB), NOSPLIT, $0-32
	MOVQ   n+0(FP), CX
	MOVQ   dst+8(FP), DI
	MOVQ   y+16(FP), SI
	MOVQ   grad+24(FP), DX
	XORQ   AX, AX
	VXORPD Y0, Y0, Y0

four:
	VMOVUPD   (SI)(AX*8), Y1
	VMOVUPD   (DX)(AX*8), Y2
	VMULPD    Y0, Y2, Y3
	VBLENDVPD Y1, Y3, Y2, Y2 // by the sign of y
	VMOVUPD   Y2, (DI)(AX*8)
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       four
	VZEROUPPER
	RET

// func tanhSlope(n int, dst, y, grad *float64)
TEXT ·tanhSlope(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), CX
	MOVQ         dst+8(FP), DI
	MOVQ         y+16(FP), SI
	MOVQ         grad+24(FP), DX
	XORQ         AX, AX
	VBROADCASTSD one<>(SB), Y0

four:
	VMOVUPD (SI)(AX*8), Y1
	VMULPD  Y1, Y1, Y1
	VSUBPD  Y1, Y0, Y1
	VMULPD  (DX)(AX*8), Y1, Y1
	VMOVUPD Y1, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET

// func scale(n int, x *float64, f float64)
TEXT ·scale(SB), NOSPLIT, $0-24
	MOVQ         n+0(FP), CX
	MOVQ         x+8(FP), DI
	VBROADCASTSD f+16(FP), Y0
	XORQ         AX, AX

four:
	VMULPD  (DI)(AX*8), Y0, Y1
	VMOVUPD Y1, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET

// func blend(n int, dst, src *float64, tau float64)
TEXT ·blend(SB), NOSPLIT, $0-32
	MOVQ         n+0(FP), CX
	MOVQ         dst+8(FP), DI
	MOVQ         src+16(FP), SI
	VBROADCASTSD tau+24(FP), Y0
	XORQ         AX, AX

four:
	VMOVUPD (DI)(AX*8), Y1
	VMOVUPD (SI)(AX*8), Y2
	VSUBPD  Y1, Y2, Y2
	VMULPD  Y2, Y0, Y2
	VADDPD  Y2, Y1, Y1
	VMOVUPD Y1, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET

// func adam(n int, w, m, v, grad, f *float64)
TEXT ·adam(SB), NOSPLIT, $0-48
	MOVQ         n+0(FP), CX
	MOVQ         w+8(FP), DI
	MOVQ         m+16(FP), SI
	MOVQ         v+24(FP), DX
	MOVQ         grad+32(FP), BX
	MOVQ         f+40(FP), R8
	VBROADCASTSD (R8), Y8
	VBROADCASTSD 8(R8), Y9
	VBROADCASTSD 16(R8), Y10
	VBROADCASTSD 24(R8), Y11
	VBROADCASTSD 32(R8), Y12
	VBROADCASTSD 40(R8), Y13
	VBROADCASTSD 48(R8), Y14
	XORQ         AX, AX

four:
	VMOVUPD (BX)(AX*8), Y0
	VMULPD  (SI)(AX*8), Y8, Y1
	VMULPD  Y0, Y9, Y2
	VADDPD  Y2, Y1, Y1
	VMOVUPD Y1, (SI)(AX*8)
	VMULPD  Y0, Y0, Y0
	VMULPD  (DX)(AX*8), Y10, Y2
	VMULPD  Y0, Y11, Y0
	VADDPD  Y0, Y2, Y2
	VMOVUPD Y2, (DX)(AX*8)
	VSQRTPD Y2, Y2
	VDIVPD  Y13, Y2, Y2
	VADDPD  Y14, Y2, Y2
	VMULPD  Y1, Y12, Y1
	VDIVPD  Y2, Y1, Y1
	VMOVUPD (DI)(AX*8), Y3
	VSUBPD  Y1, Y3, Y3
	VMOVUPD Y3, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET

// func rmsprop(n int, w, v, grad, f *float64, inRoot bool)
TEXT ·rmsprop(SB), NOSPLIT, $0-41
	MOVQ         n+0(FP), CX
	MOVQ         w+8(FP), DI
	MOVQ         v+16(FP), DX
	MOVQ         grad+24(FP), BX
	MOVQ         f+32(FP), R8
	MOVBLZX      inRoot+40(FP), R9
	VBROADCASTSD (R8), Y8
	VBROADCASTSD 8(R8), Y9
	VBROADCASTSD 16(R8), Y10
	VBROADCASTSD 24(R8), Y11
	XORQ         AX, AX

four:
	VMOVUPD (BX)(AX*8), Y0
	VMULPD  Y0, Y0, Y1
	VMULPD  (DX)(AX*8), Y8, Y2
	VMULPD  Y1, Y9, Y1
	VADDPD  Y1, Y2, Y2
	VMOVUPD Y2, (DX)(AX*8)
	TESTL   R9, R9
	JNZ     inside
	VSQRTPD Y2, Y2
	VADDPD  Y11, Y2, Y2
	JMP     move

inside:
	VADDPD  Y11, Y2, Y2
	VSQRTPD Y2, Y2

move:
	VMULPD  Y0, Y10, Y0
	VDIVPD  Y2, Y0, Y0
	VMOVUPD (DI)(AX*8), Y1
	VSUBPD  Y0, Y1, Y1
	VMOVUPD Y1, (DI)(AX*8)
	ADDQ    $4, AX
	CMPQ    AX, CX
	JLT     four
	VZEROUPPER
	RET
