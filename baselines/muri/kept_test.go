package muri

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/muri/muritest"
	"tarry/sim"
)

// forgetful matches every block anew.
type forgetful struct {
	*Policy
	kept int // blocks that it forgot
}

func (f *forgetful) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for i := range f.pools {
		f.kept += len(f.pools[i].last)
		f.pools[i].last = nil
	}
	return f.Policy.Decide(v, out)
}

// Jobs end as they do where no pairs are kept from one decision to the next.
func TestPairsAreKept(t *testing.T) {
	p := muritest.Profile(t)
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		jobs := make([]sim.Job, 120)
		for i := range jobs {
			jobs[i] = muritest.Job(i, string("abc"[r.IntN(3)]), int64(50+r.IntN(2000)))
			jobs[i].Submit = sim.Time(i) * 10 * sim.Second
			jobs[i].GPUs = int32(1) << r.IntN(3)
		}
		for _, spec := range []string{"", "key=las,block=8", "matching=greedy"} {
			f := &forgetful{Policy: policy(t, spec)().(*Policy)}
			want := muritest.Ends(t, p, 16, f, jobs...)
			if got := ends(t, p, 16, spec, jobs...); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %q: ends %v, expected %v", seed, spec, got, want)
			}
			if f.kept < 100 {
				t.Errorf("seed %d, %q: %d blocks were forgotten, expected more", seed, spec, f.kept)
			}
		}
	}
}
