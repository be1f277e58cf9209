//go:build !purego

#include "textflag.h"

// "expand 32-byte k"
DATA expand<>+0(SB)/8, $0x3320646e61707865
DATA expand<>+8(SB)/8, $0x6b20657479622d32
GLOBL expand<>(SB), RODATA|NOPTR, $16

// The counters of the 16 blocks.
DATA count<>+0(SB)/8, $0x0000000100000000
DATA count<>+8(SB)/8, $0x0000000300000002
DATA count<>+16(SB)/8, $0x0000000500000004
DATA count<>+24(SB)/8, $0x0000000700000006
DATA count<>+32(SB)/8, $0x0000000900000008
DATA count<>+40(SB)/8, $0x0000000b0000000a
DATA count<>+48(SB)/8, $0x0000000d0000000c
DATA count<>+56(SB)/8, $0x0000000f0000000e
GLOBL count<>(SB), RODATA|NOPTR, $64

// Which bytes a rotation by 16 and by 8 bits takes.
DATA rol16<>+0(SB)/8, $0x0504070601000302
DATA rol16<>+8(SB)/8, $0x0d0c0f0e09080b0a
DATA rol16<>+16(SB)/8, $0x0504070601000302
DATA rol16<>+24(SB)/8, $0x0d0c0f0e09080b0a
GLOBL rol16<>(SB), RODATA|NOPTR, $32

DATA rol8<>+0(SB)/8, $0x0605040702010003
DATA rol8<>+8(SB)/8, $0x0e0d0c0f0a09080b
DATA rol8<>+16(SB)/8, $0x0605040702010003
DATA rol8<>+24(SB)/8, $0x0e0d0c0f0a09080b
GLOBL rol8<>(SB), RODATA|NOPTR, $32

// QUARTER is a quarter round of eight blocks, a row in each register; T is overwritten.
#define QUARTER(A, B, C, D, T) \
	VPADDD  B, A, A            \
	VPXOR   A, D, D            \
	VPSHUFB rol16<>(SB), D, D  \
	VPADDD  D, C, C            \
	VPXOR   C, B, B            \
	VPSLLD  $12, B, T          \
	VPSRLD  $20, B, B          \
	VPOR    T, B, B            \
	VPADDD  B, A, A            \
	VPXOR   A, D, D            \
	VPSHUFB rol8<>(SB), D, D   \
	VPADDD  D, C, C            \
	VPXOR   C, B, B            \
	VPSLLD  $7, B, T           \
	VPSRLD  $25, B, B          \
	VPOR    T, B, B

// STORE writes a row of eight blocks: four to each of two chunks.
#define STORE(ROW, X, Y) \
	VMOVDQU      X, (ROW*16)(DI)          \
	VEXTRACTI128 $1, Y, (256+ROW*16)(DI)

// STOREKEY does so with the seed added.
#define STOREKEY(ROW, X, Y) \
	VPBROADCASTD (ROW*4-16)(SI), Y0 \
	VPADDD       Y0, Y, Y           \
	STORE(ROW, X, Y)

// func chacha8(seed *[4]uint64, out *[128]uint64)
//
// Eight blocks at a time, row i in Yi. Row 15 lies in memory while Y15 helps, or row 12 while Y12 does.
TEXT ·chacha8(SB), NOSPLIT, $64-16
	MOVQ seed+0(FP), SI
	MOVQ out+8(FP), DI
	LEAQ count<>(SB), BX
	MOVQ $2, CX

half:
	VPBROADCASTD expand<>+0(SB), Y0
	VPBROADCASTD expand<>+4(SB), Y1
	VPBROADCASTD expand<>+8(SB), Y2
	VPBROADCASTD expand<>+12(SB), Y3
	VPBROADCASTD 0(SI), Y4
	VPBROADCASTD 4(SI), Y5
	VPBROADCASTD 8(SI), Y6
	VPBROADCASTD 12(SI), Y7
	VPBROADCASTD 16(SI), Y8
	VPBROADCASTD 20(SI), Y9
	VPBROADCASTD 24(SI), Y10
	VPBROADCASTD 28(SI), Y11
	VMOVDQU      (BX), Y12
	VPXOR        Y13, Y13, Y13
	VPXOR        Y14, Y14, Y14
	VMOVDQU      Y13, row15-64(SP)
	MOVQ         $4, AX

rounds:
	QUARTER(Y0, Y4, Y8, Y12, Y15)
	QUARTER(Y1, Y5, Y9, Y13, Y15)
	QUARTER(Y2, Y6, Y10, Y14, Y15)
	VMOVDQU Y12, row12-32(SP)
	VMOVDQU row15-64(SP), Y15
	QUARTER(Y3, Y7, Y11, Y15, Y12)
	QUARTER(Y0, Y5, Y10, Y15, Y12)
	VMOVDQU Y15, row15-64(SP)
	VMOVDQU row12-32(SP), Y12
	QUARTER(Y1, Y6, Y11, Y12, Y15)
	QUARTER(Y2, Y7, Y8, Y13, Y15)
	QUARTER(Y3, Y4, Y9, Y14, Y15)
	DECQ    AX
	JNZ     rounds
	VMOVDQU row15-64(SP), Y15

	STORE(0, X0, Y0)
	STORE(1, X1, Y1)
	STORE(2, X2, Y2)
	STORE(3, X3, Y3)
	STOREKEY(4, X4, Y4)
	STOREKEY(5, X5, Y5)
	STOREKEY(6, X6, Y6)
	STOREKEY(7, X7, Y7)
	STOREKEY(8, X8, Y8)
	STOREKEY(9, X9, Y9)
	STOREKEY(10, X10, Y10)
	STOREKEY(11, X11, Y11)
	STORE(12, X12, Y12)
	STORE(13, X13, Y13)
	STORE(14, X14, Y14)
	STORE(15, X15, Y15)
	ADDQ $512, DI
	ADDQ $32, BX
	DECQ CX
	JNZ  half
	VZEROUPPER
	RET
