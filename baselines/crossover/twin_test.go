package crossover

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// anew weighs all pairs at each event, whatever was looked at before.
type anew struct{ *Policy }

func (a anew) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	a.judged.open = true
	return a.Policy.Decide(v, out)
}

// Pairs that were looked at before are passed over: the decisions are the same as of a search
// among all pairs at each event.
func TestPairsLookedAtBefore(t *testing.T) {
	joins := 0
	for seed := range uint64(30) {
		for _, spec := range []string{"", "matching=greedy,min_saved=0.3", "window=4"} {
			cfg := crowd(t, seed)
			want, err := simtest.Transcript(cfg, anew{policy(t, spec)().(*Policy)})
			if err != nil {
				t.Fatal(err)
			}
			p := policy(t, spec)().(*Policy)
			got, err := simtest.Transcript(cfg, p)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Fatalf("seed %d, %q:\n%s\nexpected\n%s", seed, spec, got, want)
			}
			if p.paired != nil {
				joins++
			}
		}
	}
	if joins < 60 {
		t.Errorf("only %d of 90 runs made pairs", joins)
	}
}

// crowd is a small cluster with drawn jobs, some of which ask for CPU.
func crowd(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	spec := cluster.Uniform(1, 4, 4, 1)
	spec.Racks[0][0].CPUMilli = 16_000
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	speeds := fracs{"a": 0.5, "b": 0.6, "c": 1, "d": 0.3, "e": 0.8}
	var js []sim.Job
	for i := range 80 {
		j := sim.Job{ID: fmt.Sprint(i), Model: string(rune('a' + r.IntN(5))), GPUs: int32(1 + r.IntN(4)),
			Submit: sim.Time(r.IntN(3000)) * sim.Second, Work: sim.Time(1+r.IntN(1500)) * sim.Second}
		if r.IntN(4) == 0 {
			j.CPUMilli = int32(1000 * (1 + r.IntN(4)))
		}
		js = append(js, j)
	}
	w, err := sim.NewWorkload("crowd", js)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: speeds, Check: true}
}
