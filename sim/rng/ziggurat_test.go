package rng

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// draws hashes n numbers of one law.
func draws(n int, draw func(*rand.Rand) float64) uint64 {
	r := rand.New(rand.NewPCG(1, 2))
	h := fnv.New64a()
	var b [8]byte
	for range n {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(draw(r)))
		h.Write(b[:])
	}
	return h.Sum64()
}

// The same numbers on every processor and for every GOAMD64; equal to math/rand/v2's where it
// computes without fused multiply-adds, so that no workload moved when these functions came.
func TestDrawsAreFrozen(t *testing.T) {
	const n = 3_000_000 // about a thousand of them in the tail
	for _, c := range []struct {
		name string
		draw func(*rand.Rand) float64
		want uint64
	}{
		{"normal", Normal, 0x1ccdf4fa225acd48},
		{"exponential", Exponential, 0x3c93bbe86b06cc28},
	} {
		if got := draws(n, c.draw); got != c.want {
			t.Errorf("%s: hash %#x, expected %#x", c.name, got, c.want)
		}
	}
	if s := (Source{Seed: 1}).Stream("x"); s.NormFloat64() != Normal((Source{Seed: 1}).Stream("x").Rand) ||
		s.ExpFloat64() == s.Rand.ExpFloat64() {
		t.Error("a stream draws otherwise than Normal")
	}
}
