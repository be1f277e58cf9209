package muxflow

import (
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest/keep"
)

// watch notes the share of each job over time.
type watch struct{ lines []string }

func (w *watch) Interval(i *sim.Interval) {
	w.lines = append(w.lines, fmt.Sprintf("job %d on %v with %d, %v-%v", i.Job, i.GPUs, i.ShareMilli, i.Start, i.End))
}
func (w *watch) Job(*sim.Record)            {}
func (w *watch) Instant(*sim.Gauge)         {}
func (w *watch) Serve(*service.Span)        {}
func (w *watch) Lend(int32, bool, sim.Time) {}
func (w *watch) Replica(i *sim.Interval) {
	w.lines = append(w.lines, fmt.Sprintf("replica %d with %d, %v-%v", i.Job, i.ShareMilli, i.Start, i.End))
}

type plain struct{}

func (plain) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(float64(len(q.GPUs))*float64(q.ShareMilli)) / 1000, ComputeFrac: 1}, nil
}

// One replica at load 4 of 10: a job beside it has 6 tenths, 3 from the time at which the load is 7, and
// is evicted at 9.5; it returns when the GPU has cooled down and the load is low.
func TestSharesFollowTheLoad(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "a", GPUs: 1, Work: 8 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(param.Parse("policy muxflow", "cooldown_s=3"), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: plain{}, Check: true,
		Operator: keep.Replicas{Until: 30 * sim.Second},
		Services: &service.Model{Services: []service.Spec{{Name: "web", Replicas: 1, RatePerS: 10,
			Load: &series.Series{Steps: []series.Step{{Value: 4}, {At: 5e6, Value: 7}, {At: 8e6, Value: 9.5},
				{At: 9e6, Value: 2}, {At: 12e6, Value: 3}}}}}}}
	var seen watch
	if _, err := sim.Run(t.Context(), cfg, p, &seen); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"job 0 on [0] with 600, 0s-5s",
		"replica 1 with 400, 0s-5s",
		"job 0 on [0] with 300, 5s-8s",
		"replica 1 with 700, 5s-9s",
		"replica 1 with 1000, 9s-11s",
		"job 0 on [0] with 800, 11s-12s",
		"replica 1 with 200, 11s-12s",
		"job 0 on [0] with 700, 12s-16.714286s",
		"replica 1 with 300, 12s-16.714286s",
		"replica 1 with 1000, 16.714286s-16.714286s"}
	if !slices.Equal(seen.lines, want) {
		t.Errorf("seen %q, expected %q", seen.lines, want)
	}
}
