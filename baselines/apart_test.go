package baselines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// apart has speed 0 beside other jobs, so that no policy that asks shares a GPU.
type apart struct{}

func (apart) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.Peers) > 0 {
		return sim.Speed{ComputeFrac: 1}, nil
	}
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// Where sharing never gains sjf-bsbf is sjf: each allocation of 60 drawn crowds is the same.
func TestSharingThatNeverPays(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1841))
		var jobs []sim.Job
		at := sim.Time(0)
		for i := range 80 {
			at += sim.Time(r.IntN(6e6))
			n := 1 + r.IntN(8)
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: int32(n), Work: sim.Time(n) *
				sim.Time(1e6+r.IntN(4e7)), Model: string(rune('a' + r.IntN(3)))})
		}
		w, err := sim.NewWorkload("apart", jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(2, 2, 4, 2))
		if err != nil {
			t.Fatal(err)
		}
		tape := func(spec string) []string {
			_, build, err := schedulers.All().Parse(spec, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			p, err := build()
			if err != nil {
				t.Fatal(err)
			}
			var got simtest.Tape
			if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: apart{},
				Check: true}, p, &got); err != nil {
				t.Fatal(err)
			}
			return got.Lines
		}
		if a, b := tape("sjf"), tape("sjf-bsbf"); !slices.Equal(a, b) {
			t.Fatalf("seed %d: sjf\n%q\nsjf-bsbf\n%q", seed, a, b)
		}
	}
}
