//go:build !purego

#include "textflag.h"

// The factors of exp.go and tanh.go, four times each.
DATA log2e<>+0(SB)/8, $0x3ff71547652b82fe
DATA log2e<>+8(SB)/8, $0x3ff71547652b82fe
DATA log2e<>+16(SB)/8, $0x3ff71547652b82fe
DATA log2e<>+24(SB)/8, $0x3ff71547652b82fe
GLOBL log2e<>(SB), RODATA|NOPTR, $32

DATA ln2High<>+0(SB)/8, $0x3fe62e42fefa3000
DATA ln2High<>+8(SB)/8, $0x3fe62e42fefa3000
DATA ln2High<>+16(SB)/8, $0x3fe62e42fefa3000
DATA ln2High<>+24(SB)/8, $0x3fe62e42fefa3000
GLOBL ln2High<>(SB), RODATA|NOPTR, $32

DATA ln2Low<>+0(SB)/8, $0x3d53de6af278ece6
DATA ln2Low<>+8(SB)/8, $0x3d53de6af278ece6
DATA ln2Low<>+16(SB)/8, $0x3d53de6af278ece6
DATA ln2Low<>+24(SB)/8, $0x3d53de6af278ece6
GLOBL ln2Low<>(SB), RODATA|NOPTR, $32

DATA sixteenth<>+0(SB)/8, $0x3fb0000000000000
DATA sixteenth<>+8(SB)/8, $0x3fb0000000000000
DATA sixteenth<>+16(SB)/8, $0x3fb0000000000000
DATA sixteenth<>+24(SB)/8, $0x3fb0000000000000
GLOBL sixteenth<>(SB), RODATA|NOPTR, $32

DATA e7<>+0(SB)/8, $0x3efa01a01a01a01a
DATA e7<>+8(SB)/8, $0x3efa01a01a01a01a
DATA e7<>+16(SB)/8, $0x3efa01a01a01a01a
DATA e7<>+24(SB)/8, $0x3efa01a01a01a01a
GLOBL e7<>(SB), RODATA|NOPTR, $32

DATA e6<>+0(SB)/8, $0x3f2a01a01a01a01a
DATA e6<>+8(SB)/8, $0x3f2a01a01a01a01a
DATA e6<>+16(SB)/8, $0x3f2a01a01a01a01a
DATA e6<>+24(SB)/8, $0x3f2a01a01a01a01a
GLOBL e6<>(SB), RODATA|NOPTR, $32

DATA e5<>+0(SB)/8, $0x3f56c16c16c16c17
DATA e5<>+8(SB)/8, $0x3f56c16c16c16c17
DATA e5<>+16(SB)/8, $0x3f56c16c16c16c17
DATA e5<>+24(SB)/8, $0x3f56c16c16c16c17
GLOBL e5<>(SB), RODATA|NOPTR, $32

DATA e4<>+0(SB)/8, $0x3f81111111111111
DATA e4<>+8(SB)/8, $0x3f81111111111111
DATA e4<>+16(SB)/8, $0x3f81111111111111
DATA e4<>+24(SB)/8, $0x3f81111111111111
GLOBL e4<>(SB), RODATA|NOPTR, $32

DATA e3<>+0(SB)/8, $0x3fa5555555555555
DATA e3<>+8(SB)/8, $0x3fa5555555555555
DATA e3<>+16(SB)/8, $0x3fa5555555555555
DATA e3<>+24(SB)/8, $0x3fa5555555555555
GLOBL e3<>(SB), RODATA|NOPTR, $32

DATA e2<>+0(SB)/8, $0x3fc5555555555555
DATA e2<>+8(SB)/8, $0x3fc5555555555555
DATA e2<>+16(SB)/8, $0x3fc5555555555555
DATA e2<>+24(SB)/8, $0x3fc5555555555555
GLOBL e2<>(SB), RODATA|NOPTR, $32

DATA half<>+0(SB)/8, $0x3fe0000000000000
DATA half<>+8(SB)/8, $0x3fe0000000000000
DATA half<>+16(SB)/8, $0x3fe0000000000000
DATA half<>+24(SB)/8, $0x3fe0000000000000
GLOBL half<>(SB), RODATA|NOPTR, $32

DATA one<>+0(SB)/8, $0x3ff0000000000000
DATA one<>+8(SB)/8, $0x3ff0000000000000
DATA one<>+16(SB)/8, $0x3ff0000000000000
DATA one<>+24(SB)/8, $0x3ff0000000000000
GLOBL one<>(SB), RODATA|NOPTR, $32

DATA two<>+0(SB)/8, $0x4000000000000000
DATA two<>+8(SB)/8, $0x4000000000000000
DATA two<>+16(SB)/8, $0x4000000000000000
DATA two<>+24(SB)/8, $0x4000000000000000
GLOBL two<>(SB), RODATA|NOPTR, $32

DATA small<>+0(SB)/8, $0x3fe4000000000000
DATA small<>+8(SB)/8, $0x3fe4000000000000
DATA small<>+16(SB)/8, $0x3fe4000000000000
DATA small<>+24(SB)/8, $0x3fe4000000000000
GLOBL small<>(SB), RODATA|NOPTR, $32

DATA large<>+0(SB)/8, $0x4046800000000000
DATA large<>+8(SB)/8, $0x4046800000000000
DATA large<>+16(SB)/8, $0x4046800000000000
DATA large<>+24(SB)/8, $0x4046800000000000
GLOBL large<>(SB), RODATA|NOPTR, $32

DATA p0<>+0(SB)/8, $0xbfeedc5baafd6f4b
DATA p0<>+8(SB)/8, $0xbfeedc5baafd6f4b
DATA p0<>+16(SB)/8, $0xbfeedc5baafd6f4b
DATA p0<>+24(SB)/8, $0xbfeedc5baafd6f4b
GLOBL p0<>(SB), RODATA|NOPTR, $32

DATA p1<>+0(SB)/8, $0x4058d26a0e26682d
DATA p1<>+8(SB)/8, $0x4058d26a0e26682d
DATA p1<>+16(SB)/8, $0x4058d26a0e26682d
DATA p1<>+24(SB)/8, $0x4058d26a0e26682d
GLOBL p1<>(SB), RODATA|NOPTR, $32

DATA p2<>+0(SB)/8, $0x40993ac030580563
DATA p2<>+8(SB)/8, $0x40993ac030580563
DATA p2<>+16(SB)/8, $0x40993ac030580563
DATA p2<>+24(SB)/8, $0x40993ac030580563
GLOBL p2<>(SB), RODATA|NOPTR, $32

DATA q0<>+0(SB)/8, $0x405c33f28a581b86
DATA q0<>+8(SB)/8, $0x405c33f28a581b86
DATA q0<>+16(SB)/8, $0x405c33f28a581b86
DATA q0<>+24(SB)/8, $0x405c33f28a581b86
GLOBL q0<>(SB), RODATA|NOPTR, $32

DATA q1<>+0(SB)/8, $0x40a176fa0e5535fa
DATA q1<>+8(SB)/8, $0x40a176fa0e5535fa
DATA q1<>+16(SB)/8, $0x40a176fa0e5535fa
DATA q1<>+24(SB)/8, $0x40a176fa0e5535fa
GLOBL q1<>(SB), RODATA|NOPTR, $32

DATA q2<>+0(SB)/8, $0x40b2ec102442040c
DATA q2<>+8(SB)/8, $0x40b2ec102442040c
DATA q2<>+16(SB)/8, $0x40b2ec102442040c
DATA q2<>+24(SB)/8, $0x40b2ec102442040c
GLOBL q2<>(SB), RODATA|NOPTR, $32

DATA lowest<>+0(SB)/8, $0xc086200000000000
DATA lowest<>+8(SB)/8, $0xc086200000000000
DATA lowest<>+16(SB)/8, $0xc086200000000000
DATA lowest<>+24(SB)/8, $0xc086200000000000
GLOBL lowest<>(SB), RODATA|NOPTR, $32

DATA highest<>+0(SB)/8, $0x4086200000000000
DATA highest<>+8(SB)/8, $0x4086200000000000
DATA highest<>+16(SB)/8, $0x4086200000000000
DATA highest<>+24(SB)/8, $0x4086200000000000
GLOBL highest<>(SB), RODATA|NOPTR, $32

DATA under<>+0(SB)/8, $0xc087500000000000
DATA under<>+8(SB)/8, $0xc087500000000000
DATA under<>+16(SB)/8, $0xc087500000000000
DATA under<>+24(SB)/8, $0xc087500000000000
GLOBL under<>(SB), RODATA|NOPTR, $32

DATA bias<>+0(SB)/8, $0x00000000000003ff
DATA bias<>+8(SB)/8, $0x00000000000003ff
DATA bias<>+16(SB)/8, $0x00000000000003ff
DATA bias<>+24(SB)/8, $0x00000000000003ff
GLOBL bias<>(SB), RODATA|NOPTR, $32

DATA sign<>+0(SB)/8, $0x8000000000000000
DATA sign<>+8(SB)/8, $0x8000000000000000
DATA sign<>+16(SB)/8, $0x8000000000000000
DATA sign<>+24(SB)/8, $0x8000000000000000
GLOBL sign<>(SB), RODATA|NOPTR, $32

DATA rest<>+0(SB)/8, $0x7fffffffffffffff
DATA rest<>+8(SB)/8, $0x7fffffffffffffff
DATA rest<>+16(SB)/8, $0x7fffffffffffffff
DATA rest<>+24(SB)/8, $0x7fffffffffffffff
GLOBL rest<>(SB), RODATA|NOPTR, $32
// EXP sets Y1 to e to the power of Y0, numbers between -708 and 708, step by step as Exp does. It uses Y2, Y3 and Y4.
#define EXP \
	VMULPD log2e<>(SB), Y0, Y1          \
	VROUNDPD $8, Y1, Y4                 \
	VMOVAPD Y0, Y2                      \
	VFNMADD231PD ln2High<>(SB), Y4, Y2  \
	VFNMADD231PD ln2Low<>(SB), Y4, Y2   \
	VMULPD sixteenth<>(SB), Y2, Y2      \
	VMOVUPD e7<>(SB), Y1                \
	VFMADD213PD e6<>(SB), Y2, Y1        \
	VFMADD213PD e5<>(SB), Y2, Y1        \
	VFMADD213PD e4<>(SB), Y2, Y1        \
	VFMADD213PD e3<>(SB), Y2, Y1        \
	VFMADD213PD e2<>(SB), Y2, Y1        \
	VFMADD213PD half<>(SB), Y2, Y1      \
	VFMADD213PD one<>(SB), Y2, Y1       \
	VMULPD Y2, Y1, Y1                   \
	VADDPD two<>(SB), Y1, Y3            \
	VMULPD Y3, Y1, Y1                   \
	VADDPD two<>(SB), Y1, Y3            \
	VMULPD Y3, Y1, Y1                   \
	VADDPD two<>(SB), Y1, Y3            \
	VMULPD Y3, Y1, Y1                   \
	VADDPD two<>(SB), Y1, Y3            \
	VFMADD213PD one<>(SB), Y3, Y1       \
	VCVTPD2DQY Y4, X4                   \
	VPMOVSXDQ X4, Y4                    \
	VPADDQ bias<>(SB), Y4, Y4           \
	VPSLLQ $52, Y4, Y4                  \
	VMULPD Y4, Y1, Y1

// func exp4(n int, dst, src *float64) (done int)
//
// n is a multiple of 4 above 0. It ends before four numbers of which one is between -746 and -708, above 708 or NaN.
TEXT ·exp4(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX

four:
	VMOVUPD   (SI)(AX*8), Y5
	VCMPPD    $0x1d, lowest<>(SB), Y5, Y6  // at least
	VCMPPD    $0x12, highest<>(SB), Y5, Y7 // at most
	VCMPPD    $0x11, under<>(SB), Y5, Y8   // below: the result is 0
	VANDPD    Y6, Y7, Y7
	VORPD     Y7, Y8, Y7
	VMOVMSKPD Y7, DX
	CMPL      DX, $15
	JNE       end
	VMAXPD    lowest<>(SB), Y5, Y0
	EXP
	VANDNPD   Y1, Y8, Y1
	VMOVUPD   Y1, (DI)(AX*8)
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       four

end:
	MOVQ AX, done+24(FP)
	VZEROUPPER
	RET

// func tanh4(n int, dst, src *float64)
//
// n is a multiple of 4 above 0. Both ways of Tanh are a quotient, so there is one division for both.
TEXT ·tanh4(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
	XORQ AX, AX

four:
	VMOVUPD   (SI)(AX*8), Y5
	VANDPD    rest<>(SB), Y5, Y6
	VCMPPD    $0x11, small<>(SB), Y6, Y7   // below 0.625
	VMINPD    large<>(SB), Y6, Y0          // 45 for NaN
	VADDPD    Y0, Y0, Y0
	EXP
	VADDPD    one<>(SB), Y1, Y1
	VMULPD    Y5, Y5, Y8
	VMULPD    p0<>(SB), Y8, Y9
	VSUBPD    p1<>(SB), Y9, Y9
	VMULPD    Y8, Y9, Y9
	VSUBPD    p2<>(SB), Y9, Y9
	VADDPD    q0<>(SB), Y8, Y10
	VMULPD    Y8, Y10, Y10
	VADDPD    q1<>(SB), Y10, Y10
	VMULPD    Y8, Y10, Y10
	VADDPD    q2<>(SB), Y10, Y10
	VMULPD    Y8, Y5, Y8
	VMULPD    Y9, Y8, Y9
	VMOVUPD   two<>(SB), Y11
	VBLENDVPD Y7, Y9, Y11, Y9
	VBLENDVPD Y7, Y10, Y1, Y10
	VDIVPD    Y10, Y9, Y9
	VMOVUPD   one<>(SB), Y11
	VSUBPD    Y9, Y11, Y10
	VANDPD    sign<>(SB), Y5, Y11
	VORPD     Y11, Y10, Y10
	VADDPD    Y9, Y5, Y9
	VBLENDVPD Y7, Y9, Y10, Y9
	VXORPD    Y11, Y11, Y11
	VCMPPD    $0x08, Y11, Y5, Y11          // 0 or NaN: itself
	VBLENDVPD Y11, Y5, Y9, Y9
	VMOVUPD   Y9, (DI)(AX*8)
	ADDQ      $4, AX
	CMPQ      AX, CX
	JLT       four
	VZEROUPPER
	RET
