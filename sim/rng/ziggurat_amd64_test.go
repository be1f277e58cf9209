//go:build amd64 && !amd64.v3

package rng

import (
	"math/rand/v2"
	"testing"
)

func TestDrawsAreThoseOfTheStandardLibrary(t *testing.T) {
	a, b := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
	for i := range 5_000_000 {
		if got, want := Normal(a), b.NormFloat64(); got != want {
			t.Fatalf("normal number %d is %v, expected %v", i, got, want)
		}
		if got, want := Exponential(a), b.ExpFloat64(); got != want {
			t.Fatalf("exponential number %d is %v, expected %v", i, got, want)
		}
	}
}
