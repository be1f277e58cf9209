package network

import (
	"slices"
	"testing"

	"tarry/sim/rng"
)

// Memory of an earlier call, larger or smaller, changes nothing and is used again.
func TestSharingForgets(t *testing.T) {
	draws, s := rng.Source{Seed: 1}.Stream("sharing"), new(Sharing)
	for range 500 {
		capacity, demand := make([]float64, 1+draws.IntN(8)), make([]float64, 1+draws.IntN(12))
		links := make([][]int32, len(demand))
		for l := range capacity {
			capacity[l] = draws.Float64()
		}
		for i := range demand {
			demand[i] = draws.Float64()
			for l := range capacity {
				if draws.IntN(3) == 0 {
					links[i] = append(links[i], int32(l))
				}
			}
		}
		got, want := make([]float64, len(demand)), make([]float64, len(demand))
		flows := fair(demand, links)
		s.Divide(got, capacity, flows)
		new(Sharing).Divide(want, capacity, flows)
		if !slices.Equal(got, want) {
			t.Fatalf("shares %v, expected %v", got, want)
		}
		if n := testing.AllocsPerRun(1, func() { s.Divide(got, capacity, flows) }); n != 0 {
			t.Fatalf("%v allocations, expected none", n)
		}
	}
}
