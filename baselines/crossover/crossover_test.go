package crossover

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

func policy(t testing.TB, spec string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "crossover-like", New, spec)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Allocates: true}
	simtest.Conform(t, "crossover-like", New, o.Settings(
		"", "matching=greedy,min_saved=0", "min_saved=0,window=3", "place=consolidate",
	))
}

// By hand: two that compute and exchange as long do so in turn, and half is saved; jobs that only
// compute save nothing.
func TestSaved(t *testing.T) {
	for _, c := range []struct {
		a, b times
		want float64
	}{{times{1, 1}, times{1, 1}, 0.5}, {times{1, 0}, times{1, 0}, 0}, {times{3, 1}, times{1, 3}, 0.5},
		{times{4, 0}, times{1, 1}, 1 - 5.0/6}, {times{}, times{}, 0}} {
		if got := saved(c.a, c.b); math.Abs(got-c.want) > 1e-15 || got != saved(c.b, c.a) {
			t.Errorf("%v and %v save %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}

// fracs gives each model a compute fraction.
type fracs map[string]float64

func (f fracs) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: f[q.Job.Model]}, nil
}

// Two run, three wait. x (0.5) saves 0.5 beside a (0.5) and 0.45 beside b (0.6); y (0.4) saves 0.5
// beside each. The best matching is x with a and y with b, 1 together; the best pair first is the
// first of the pairs that save 0.5, y with a, and leaves x with b, 0.95 together. c, which only
// computes, saves less than either.
func TestWhoJoinsWhom(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	job := func(id, model string) sim.Job {
		j := sim.Job{ID: id, Model: model, GPUs: 2, Work: 200 * sim.Second}
		if id > "2" {
			j.Submit = sim.Second
		}
		return j
	}
	w, err := sim.NewWorkload("w", []sim.Job{job("1", "a"), job("2", "b"), job("3", "c"), job("4", "y"), job("5", "x")})
	if err != nil {
		t.Fatal(err)
	}
	for spec, with := range map[string][2]sim.JobID{"": {4, 3}, "matching=greedy": {3, 4}} {
		log := &first{}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Check: true,
			Speed: fracs{"a": 0.5, "b": 0.6, "c": 1, "x": 0.5, "y": 0.4}}, policy(t, spec)(), log); err != nil {
			t.Fatal(err)
		}
		if len(log.at0) != 4 || log.at0[0][0] != log.at0[with[0]][0] || log.at0[1][0] != log.at0[with[1]][0] ||
			log.at0[2] != nil {
			t.Errorf("%s: GPUs in the first second: %v, expected jobs 0 and %d together, 1 and %d", spec, log.at0,
				with[0], with[1])
		}
	}
}

// first keeps what jobs got in the first second.
type first struct{ at0 map[sim.JobID][]cluster.GPU }

func (f *first) Interval(i *sim.Interval) {
	if f.at0 == nil {
		f.at0 = map[sim.JobID][]cluster.GPU{}
	}
	if i.Start <= sim.Second && f.at0[i.Job] == nil {
		f.at0[i.Job] = append([]cluster.GPU(nil), i.GPUs...)
	}
}
func (f *first) Job(*sim.Record)    {}
func (f *first) Instant(*sim.Gauge) {}
