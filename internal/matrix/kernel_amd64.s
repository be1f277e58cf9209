//go:build !purego && !openblas

#include "textflag.h"

// masks has four words of ones before four of zeros: from word 4-t on, a mask of the first t lanes.
DATA masks<>+0(SB)/8, $-1
DATA masks<>+8(SB)/8, $-1
DATA masks<>+16(SB)/8, $-1
DATA masks<>+24(SB)/8, $-1
DATA masks<>+32(SB)/8, $0
DATA masks<>+40(SB)/8, $0
DATA masks<>+48(SB)/8, $0
DATA masks<>+56(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $64

// TIMES8 adds the factor Y10 times the eight numbers of Y8 and Y9 to two sums.
#define TIMES8(lo, hi) \
	VMULPD Y8, Y10, Y11  \
	VADDPD Y11, lo, lo   \
	VMULPD Y9, Y10, Y12  \
	VADDPD Y12, hi, hi

#define SPREAD8(from, lo, hi) \
	VBROADCASTSD from, Y10 \
	TIMES8(lo, hi)

#define FOUR8(p) \
	SPREAD8((p), Y0, Y1)        \
	SPREAD8((p)(R8*1), Y2, Y3)  \
	SPREAD8((p)(R8*2), Y4, Y5)  \
	SPREAD8((p)(R12*1), Y6, Y7)

#define ZERO4 \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3

#define ZERO8 \
	ZERO4             \
	VXORPD Y4, Y4, Y4 \
	VXORPD Y5, Y5, Y5 \
	VXORPD Y6, Y6, Y6 \
	VXORPD Y7, Y7, Y7

#define LOAD8 \
	VMOVUPD (DX), Y0           \
	VMOVUPD 32(DX), Y1         \
	VMOVUPD (DX)(R11*1), Y2    \
	VMOVUPD 32(DX)(R11*1), Y3  \
	VMOVUPD (DX)(R11*2), Y4    \
	VMOVUPD 32(DX)(R11*2), Y5  \
	VMOVUPD (DX)(R13*1), Y6    \
	VMOVUPD 32(DX)(R13*1), Y7

#define STORE8 \
	VMOVUPD Y0, (DX)           \
	VMOVUPD Y1, 32(DX)         \
	VMOVUPD Y2, (DX)(R11*1)    \
	VMOVUPD Y3, 32(DX)(R11*1)  \
	VMOVUPD Y4, (DX)(R11*2)    \
	VMOVUPD Y5, 32(DX)(R11*2)  \
	VMOVUPD Y6, (DX)(R13*1)    \
	VMOVUPD Y7, 32(DX)(R13*1)

// func panel8(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool)
//
// Rows of a and c lie R8 and R11 apart, the factors of a sum R9 and those of b R10. DX walks over c and AX over a by
// four rows; SI and R15 are two steps of a, DI one of b.
TEXT ·panel8(SB), NOSPLIT, $0-73
	MOVQ quads+0(FP), R14
	MOVQ a+16(FP), AX
	MOVQ rowA+24(FP), R8
	MOVQ stepA+32(FP), R9
	MOVQ b+40(FP), BX
	MOVQ ldb+48(FP), R10
	MOVQ c+56(FP), DX
	MOVQ ldc+64(FP), R11
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R12
	LEAQ (R11)(R11*2), R13

quad:
	MOVBLZX add+72(FP), CX
	TESTL   CX, CX
	JNZ     load
	ZERO8
	JMP     begin

load:
	LOAD8

begin:
	MOVQ AX, SI
	LEAQ (AX)(R9*1), R15
	MOVQ BX, DI
	MOVQ k+8(FP), CX
	SHRQ $1, CX
	JZ   odd

two:
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	FOUR8(SI)
	VMOVUPD (DI)(R10*1), Y8
	VMOVUPD 32(DI)(R10*1), Y9
	FOUR8(R15)
	LEAQ    (SI)(R9*2), SI
	LEAQ    (R15)(R9*2), R15
	LEAQ    (DI)(R10*2), DI
	DECQ    CX
	JNZ     two

odd:
	MOVQ    k+8(FP), CX
	TESTQ   $1, CX
	JZ      store
	VMOVUPD (DI), Y8
	VMOVUPD 32(DI), Y9
	FOUR8(SI)

store:
	STORE8
	LEAQ    (AX)(R8*4), AX
	LEAQ    (DX)(R11*4), DX
	DECQ    R14
	JNZ     quad
	VZEROUPPER
	RET

// ROWS8 is one step of panelRows: the next number of four rows, d bytes from SI on; COLS8 one of panelCols: four numbers in
// one place. Both take eight numbers of b, e bytes from DI on.
#define ROWS8(d, e) \
	VMOVUPD e(DI), Y8               \
	VMOVUPD e+32(DI), Y9            \
	SPREAD8(d(SI), Y0, Y1)          \
	SPREAD8(d(SI)(R8*1), Y2, Y3)    \
	SPREAD8(d(SI)(R8*2), Y4, Y5)    \
	SPREAD8(d(SI)(R12*1), Y6, Y7)

#define COLS8(from, e) \
	VMOVUPD e(DI), Y8          \
	VMOVUPD e+32(DI), Y9       \
	SPREAD8(0 from, Y0, Y1)    \
	SPREAD8(8 from, Y2, Y3)    \
	SPREAD8(16 from, Y4, Y5)   \
	SPREAD8(24 from, Y6, Y7)

// func panelRows(quads, k int, a *float64, rowA int, b, c *float64, ldc int, add bool)
//
// As panel8 where the factors of a sum stand side by side in a, and the rows of b too.
TEXT ·panelRows(SB), NOSPLIT, $0-57
	MOVQ quads+0(FP), R14
	MOVQ a+16(FP), AX
	MOVQ rowA+24(FP), R8
	MOVQ b+32(FP), BX
	MOVQ c+40(FP), DX
	MOVQ ldc+48(FP), R11
	MOVBLZX add+56(FP), R10
	SHLQ $3, R8
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R12
	LEAQ (R11)(R11*2), R13

quad:
	TESTL R10, R10
	JNZ   load
	ZERO8
	JMP   begin

load:
	LOAD8

begin:
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+8(FP), CX
	SUBQ $4, CX
	JLT  rest

four:
	ROWS8(0, 0)
	ROWS8(8, 64)
	ROWS8(16, 128)
	ROWS8(24, 192)
	ADDQ $32, SI
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JZ   store

one:
	ROWS8(0, 0)
	ADDQ $8, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  one

store:
	STORE8
	LEAQ (AX)(R8*4), AX
	LEAQ (DX)(R11*4), DX
	DECQ R14
	JNZ  quad
	VZEROUPPER
	RET

// func panelCols(quads, k int, a *float64, stepA int, b, c *float64, ldc int, add bool)
//
// As panel8 where four rows of a stand side by side, and the rows of b too.
TEXT ·panelCols(SB), NOSPLIT, $0-57
	MOVQ quads+0(FP), R14
	MOVQ a+16(FP), AX
	MOVQ stepA+24(FP), R9
	MOVQ b+32(FP), BX
	MOVQ c+40(FP), DX
	MOVQ ldc+48(FP), R11
	MOVBLZX add+56(FP), R10
	SHLQ $3, R9
	SHLQ $3, R11
	LEAQ (R9)(R9*2), R12
	LEAQ (R11)(R11*2), R13

quad:
	TESTL R10, R10
	JNZ   load
	ZERO8
	JMP   begin

load:
	LOAD8

begin:
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+8(FP), CX
	SUBQ $4, CX
	JLT  rest

four:
	COLS8((SI), 0)
	COLS8((SI)(R9*1), 64)
	COLS8((SI)(R9*2), 128)
	COLS8((SI)(R12*1), 192)
	LEAQ (SI)(R9*4), SI
	ADDQ $256, DI
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JZ   store

one:
	COLS8((SI), 0)
	ADDQ R9, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  one

store:
	STORE8
	ADDQ $32, AX
	LEAQ (DX)(R11*4), DX
	DECQ R14
	JNZ  quad
	VZEROUPPER
	RET

// func pack8(k int, dst, b *float64, ldb int)
TEXT ·pack8(SB), NOSPLIT, $0-32
	MOVQ k+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ b+16(FP), SI
	MOVQ ldb+24(FP), R10
	SHLQ $3, R10

one:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	ADDQ    R10, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     one
	VZEROUPPER
	RET

#define SPREAD4(from, sum, t) \
	VBROADCASTSD from, t \
	VMULPD Y8, t, t      \
	VADDPD t, sum, sum

// func panel4(quads, k int, a *float64, rowA, stepA int, b *float64, ldb int, c *float64, ldc int, add bool, cols int)
//
// As panel8 for cols columns, 1 to 4.
TEXT ·panel4(SB), NOSPLIT, $0-88
	MOVQ quads+0(FP), R14
	MOVQ a+16(FP), AX
	MOVQ rowA+24(FP), R8
	MOVQ stepA+32(FP), R9
	MOVQ b+40(FP), BX
	MOVQ ldb+48(FP), R10
	MOVQ c+56(FP), DX
	MOVQ ldc+64(FP), R11
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R12
	LEAQ (R11)(R11*2), R13
	MOVQ $4, CX
	SUBQ cols+80(FP), CX
	LEAQ masks<>(SB), DI
	VMOVUPD (DI)(CX*8), Y15

quad:
	MOVBLZX add+72(FP), CX
	TESTL   CX, CX
	JNZ     load
	ZERO4
	JMP     begin

load:
	VMASKMOVPD (DX), Y15, Y0
	VMASKMOVPD (DX)(R11*1), Y15, Y1
	VMASKMOVPD (DX)(R11*2), Y15, Y2
	VMASKMOVPD (DX)(R13*1), Y15, Y3

begin:
	MOVQ  AX, SI
	MOVQ  BX, DI
	MOVQ  k+8(FP), CX
	TESTQ CX, CX
	JZ    store

one:
	VMASKMOVPD (DI), Y15, Y8
	SPREAD4((SI), Y0, Y10)
	SPREAD4((SI)(R8*1), Y1, Y11)
	SPREAD4((SI)(R8*2), Y2, Y12)
	SPREAD4((SI)(R12*1), Y3, Y13)
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ CX
	JNZ  one

store:
	CMPQ       cols+80(FP), $1
	JEQ        single
	VMASKMOVPD Y0, Y15, (DX)
	VMASKMOVPD Y1, Y15, (DX)(R11*1)
	VMASKMOVPD Y2, Y15, (DX)(R11*2)
	VMASKMOVPD Y3, Y15, (DX)(R13*1)
	JMP        next

single:
	VMOVSD X0, (DX)
	VMOVSD X1, (DX)(R11*1)
	VMOVSD X2, (DX)(R11*2)
	VMOVSD X3, (DX)(R13*1)

next:
	LEAQ (AX)(R8*4), AX
	LEAQ (DX)(R11*4), DX
	DECQ R14
	JNZ  quad
	VZEROUPPER
	RET

#define PLACE(at, sum, t) \
	VMULPD at, Y10, t  \
	VADDPD t, sum, sum

// func row(k, n int, x *float64, stepX int, b *float64, ldb int, y *float64, add bool)
//
// BX and DX walk over the columns of b and y, R14 counts those that are left.
TEXT ·row(SB), NOSPLIT, $0-57
	MOVQ n+8(FP), R14
	MOVQ x+16(FP), AX
	MOVQ stepX+24(FP), R9
	MOVQ b+32(FP), BX
	MOVQ ldb+40(FP), R10
	MOVQ y+48(FP), DX
	MOVBLZX add+56(FP), R11
	SHLQ $3, R9
	SHLQ $3, R10

wide:
	CMPQ R14, $32
	JLT  eight
	ZERO8
	TESTL R11, R11
	JZ   wideBegin
	VMOVUPD (DX), Y0
	VMOVUPD 32(DX), Y1
	VMOVUPD 64(DX), Y2
	VMOVUPD 96(DX), Y3
	VMOVUPD 128(DX), Y4
	VMOVUPD 160(DX), Y5
	VMOVUPD 192(DX), Y6
	VMOVUPD 224(DX), Y7

wideBegin:
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+0(FP), CX
	TESTQ CX, CX
	JZ   wideStore

wideOne:
	VBROADCASTSD (SI), Y10
	PLACE((DI), Y0, Y11)
	PLACE(32(DI), Y1, Y12)
	PLACE(64(DI), Y2, Y13)
	PLACE(96(DI), Y3, Y14)
	PLACE(128(DI), Y4, Y11)
	PLACE(160(DI), Y5, Y12)
	PLACE(192(DI), Y6, Y13)
	PLACE(224(DI), Y7, Y14)
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ CX
	JNZ  wideOne

wideStore:
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	VMOVUPD Y2, 64(DX)
	VMOVUPD Y3, 96(DX)
	VMOVUPD Y4, 128(DX)
	VMOVUPD Y5, 160(DX)
	VMOVUPD Y6, 192(DX)
	VMOVUPD Y7, 224(DX)
	ADDQ $256, BX
	ADDQ $256, DX
	SUBQ $32, R14
	JMP  wide

eight:
	CMPQ R14, $8
	JLT  four
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	TESTL R11, R11
	JZ   eightBegin
	VMOVUPD (DX), Y0
	VMOVUPD 32(DX), Y1

eightBegin:
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+0(FP), CX
	TESTQ CX, CX
	JZ   eightStore

eightOne:
	VBROADCASTSD (SI), Y10
	PLACE((DI), Y0, Y11)
	PLACE(32(DI), Y1, Y12)
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ CX
	JNZ  eightOne

eightStore:
	VMOVUPD Y0, (DX)
	VMOVUPD Y1, 32(DX)
	ADDQ $64, BX
	ADDQ $64, DX
	SUBQ $8, R14
	JMP  eight

four:
	TESTQ R14, R14
	JZ   end
	MOVQ $4, CX
	CMPQ R14, CX
	CMOVQLT R14, CX // columns of this pass
	MOVQ CX, R12
	NEGQ CX
	LEAQ masks<>+32(SB), DI
	VMOVUPD (DI)(CX*8), Y15
	VXORPD Y0, Y0, Y0
	TESTL R11, R11
	JZ   fourBegin
	VMASKMOVPD (DX), Y15, Y0

fourBegin:
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+0(FP), CX
	TESTQ CX, CX
	JZ   fourStore

fourOne:
	VMASKMOVPD (DI), Y15, Y8
	VBROADCASTSD (SI), Y10
	VMULPD Y8, Y10, Y11
	VADDPD Y11, Y0, Y0
	ADDQ R9, SI
	ADDQ R10, DI
	DECQ CX
	JNZ  fourOne

fourStore:
	VMASKMOVPD Y0, Y15, (DX)
	LEAQ (BX)(R12*8), BX
	LEAQ (DX)(R12*8), DX
	SUBQ R12, R14
	JMP  four

end:
	VZEROUPPER
	RET

#define MEET8(from, lo, hi) \
	VMOVUPD from, Y10 \
	TIMES8(lo, hi)

#define LAST8(from, lo, hi) \
	VMOVSD from, X10 \
	TIMES8(lo, hi)

// JOIN adds up the four sums of each of two rows, (0+2) + (1+3): a0, a1 for columns 0 and 1 of one row, b0, b1 of the
// next. The result, in Y8, is both columns of the first row, then of the second.
#define JOIN(a0, a1, b0, b1) \
	VPERM2F128 $0x20, b0, a0, Y8 \
	VPERM2F128 $0x31, b0, a0, Y9 \
	VPERM2F128 $0x20, b1, a1, Y10 \
	VPERM2F128 $0x31, b1, a1, Y11 \
	VADDPD Y9, Y8, Y8 \
	VADDPD Y11, Y10, Y10 \
	VHADDPD Y10, Y8, Y8

// FOUR4 is one step of dots8: four numbers of each row, d bytes from SI and DI on.
#define FOUR4(d) \
	VMOVUPD d(DI), Y8               \
	VMOVUPD d(DI)(R10*1), Y9        \
	MEET8(d(SI), Y0, Y1)            \
	MEET8(d(SI)(R8*1), Y2, Y3)      \
	MEET8(d(SI)(R8*2), Y4, Y5)      \
	MEET8(d(SI)(R12*1), Y6, Y7)

// func dots8(quads, pairs, k int, a *float64, lda int, b *float64, ldb int, c *float64, ldc int, add bool)
//
// Four rows of a, from AX on, meet two rows of b, from BX on; SI and DI walk along them. R9 is where the result goes.
TEXT ·dots8(SB), NOSPLIT, $0-73
	MOVQ quads+0(FP), R14
	MOVQ a+24(FP), AX
	MOVQ lda+32(FP), R8
	MOVQ ldb+48(FP), R10
	MOVQ c+56(FP), DX
	MOVQ ldc+64(FP), R11
	SHLQ $3, R8
	SHLQ $3, R10
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R12
	LEAQ (R11)(R11*2), R13

quad:
	MOVQ pairs+8(FP), R15
	MOVQ b+40(FP), BX
	MOVQ DX, R9

pair:
	ZERO8
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+16(FP), CX
	SUBQ $8, CX
	JLT  half

eight:
	FOUR4(0)
	FOUR4(32)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JGE  eight

half:
	TESTQ $4, CX
	JZ   rest
	FOUR4(0)
	ADDQ $32, SI
	ADDQ $32, DI

rest:
	ANDQ $3, CX
	JZ   join

last:
	VMOVSD (DI), X8
	VMOVSD (DI)(R10*1), X9
	LAST8((SI), Y0, Y1)
	LAST8((SI)(R8*1), Y2, Y3)
	LAST8((SI)(R8*2), Y4, Y5)
	LAST8((SI)(R12*1), Y6, Y7)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  last

join:
	JOIN(Y0, Y1, Y2, Y3)
	VMOVAPD Y8, Y0
	JOIN(Y4, Y5, Y6, Y7)
	MOVBLZX add+72(FP), CX
	TESTL   CX, CX
	JZ      store
	VMOVUPD (R9), X10
	VINSERTF128 $1, (R9)(R11*1), Y10, Y10
	VADDPD Y0, Y10, Y0
	VMOVUPD (R9)(R11*2), X10
	VINSERTF128 $1, (R9)(R13*1), Y10, Y10
	VADDPD Y8, Y10, Y8

store:
	VMOVUPD X0, (R9)
	VEXTRACTF128 $1, Y0, (R9)(R11*1)
	VMOVUPD X8, (R9)(R11*2)
	VEXTRACTF128 $1, Y8, (R9)(R13*1)
	ADDQ $16, R9
	LEAQ (BX)(R10*2), BX
	DECQ R15
	JNZ  pair
	LEAQ (AX)(R8*4), AX
	LEAQ (DX)(R11*4), DX
	DECQ R14
	JNZ  quad
	VZEROUPPER
	RET

#define MEET4(from, sum, t) \
	VMULPD from, Y8, t \
	VADDPD t, sum, sum

#define LAST4(from, sum) \
	VMOVSD from, X10    \
	VMULPD Y8, Y10, Y11 \
	VADDPD Y11, sum, sum

// func dots4(quads, k int, a *float64, lda int, b *float64, c *float64, stepC int, add bool)
//
// Four rows of a meet one of b; the results lie R11 apart.
TEXT ·dots4(SB), NOSPLIT, $0-57
	MOVQ quads+0(FP), R14
	MOVQ a+16(FP), AX
	MOVQ lda+24(FP), R8
	MOVQ b+32(FP), BX
	MOVQ c+40(FP), DX
	MOVQ stepC+48(FP), R11
	SHLQ $3, R8
	SHLQ $3, R11
	LEAQ (R8)(R8*2), R12
	LEAQ (R11)(R11*2), R13

quad:
	ZERO4
	MOVQ AX, SI
	MOVQ BX, DI
	MOVQ k+8(FP), CX
	SHRQ $2, CX
	JZ   rest

four:
	VMOVUPD (DI), Y8
	MEET4((SI), Y0, Y10)
	MEET4((SI)(R8*1), Y1, Y11)
	MEET4((SI)(R8*2), Y2, Y12)
	MEET4((SI)(R12*1), Y3, Y13)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  four

rest:
	MOVQ k+8(FP), CX
	ANDQ $3, CX
	JZ   join

last:
	VMOVSD (DI), X8
	LAST4((SI), Y0)
	LAST4((SI)(R8*1), Y1)
	LAST4((SI)(R8*2), Y2)
	LAST4((SI)(R12*1), Y3)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  last

join:
	JOIN(Y0, Y1, Y2, Y3)
	VEXTRACTF128 $1, Y8, X9
	MOVBLZX add+56(FP), CX
	TESTL   CX, CX
	JZ      store
	VMOVSD  (DX), X10
	VMOVHPD (DX)(R11*1), X10, X10
	VADDPD  X8, X10, X8
	VMOVSD  (DX)(R11*2), X10
	VMOVHPD (DX)(R13*1), X10, X10
	VADDPD  X9, X10, X9

store:
	VMOVSD  X8, (DX)
	VMOVHPD X8, (DX)(R11*1)
	VMOVSD  X9, (DX)(R11*2)
	VMOVHPD X9, (DX)(R13*1)
	LEAQ    (AX)(R8*4), AX
	LEAQ    (DX)(R11*4), DX
	DECQ    R14
	JNZ     quad
	VZEROUPPER
	RET
