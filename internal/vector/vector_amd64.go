//go:build amd64 && !purego

package vector

import "golang.org/x/sys/cpu"

// vector states that the processor can run the assembly.
var vector = cpu.X86.HasAVX2

// In what follows n is a multiple of 4 above 0: as many numbers of each slice are read or written.

// addRows adds b to rows of y that lie step apart.
//
//go:noescape
func addRows(rows, n, step int, y, b *float64)

// sumRows adds rows of x that lie step apart to dst.
//
//go:noescape
func sumRows(rows, n, step int, dst, x *float64)

//go:noescape
func relu(n int, y *float64)

//go:noescape
func rectify(n int, y *float64)

//go:noescape
func reluSlope(n int, dst, y, grad *float64)

//go:noescape
func tanhSlope(n int, dst, y, grad *float64)

//go:noescape
func scale(n int, x *float64, f float64)

//go:noescape
func blend(n int, dst, src *float64, tau float64)

// adam makes one step; f holds the factors of Step.
//
//go:noescape
func adam(n int, w, m, v, grad, f *float64)

// rmsprop makes one step with the decay, 1 less it, the rate and eps, which is added in the root or
// to it.
//
//go:noescape
func rmsprop(n int, w, v, grad, f *float64, inRoot bool)
