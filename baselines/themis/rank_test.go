package themis

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// Apps are ranked as by sorting, whether they are nearly in order or not.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	for try := range 200 {
		apps := make([]ranked, r.IntN(60))
		for i := range apps {
			apps[i] = ranked{rho: float64(r.IntN(20)), first: sim.JobID(r.IntN(1000)), app: int32(i)}
		}
		if try%2 == 0 { // a few are out of order
			slices.SortStableFunc(apps, ranked.worst)
			for range min(3, len(apps)) {
				apps[r.IntN(len(apps))].rho += 0.5
			}
		}
		want := slices.Clone(apps)
		slices.SortStableFunc(want, ranked.worst)
		if rank(apps); !slices.EqualFunc(apps, want, func(a, b ranked) bool { return a.worst(b) == 0 }) {
			t.Fatalf("%v, expected %v", apps, want)
		}
	}
}
