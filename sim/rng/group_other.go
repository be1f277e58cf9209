//go:build !amd64 || purego

package rng

const vector = false

func chacha8(*[4]uint64, *[128]uint64) {}
