//go:build amd64 && !purego

package fixmath

import "golang.org/x/sys/cpu"

// vector states that the processor can run the assembly.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// exp4 sets n numbers of dst, a multiple of 4 above 0, to the exponentials of src's. It ends
// early before four numbers that need Exp and states how many it did.
//
//go:noescape
func exp4(n int, dst, src *float64) (done int)

// tanh4 sets n numbers of dst, a multiple of 4 above 0, to the hyperbolic tangents of src's.
//
//go:noescape
func tanh4(n int, dst, src *float64)
