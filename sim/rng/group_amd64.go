//go:build amd64 && !purego

package rng

import "golang.org/x/sys/cpu"

// vector states that the processor can run the assembly.
var vector = cpu.X86.HasAVX2

// chacha8 makes what math/rand/v2.ChaCha8 does of a seed: 124 numbers, then the next seed.
//
//go:noescape
func chacha8(seed *[4]uint64, out *[128]uint64)
