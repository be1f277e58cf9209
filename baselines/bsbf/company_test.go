package bsbf

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// company is a speed model: a job runs at the part of its full speed that its model keeps beside
// the worst of its peers, whatever its share.
type company struct {
	keep func(model, beside string) float64
}

func (c company) Speed(q *sim.Query) (sim.Speed, error) {
	keep := 1.0
	for _, p := range q.Peers {
		keep = min(keep, c.keep(q.Job.Model, p.Job.Model))
	}
	parts := float64(max(1, q.AccumSteps)) // each micro-batch beyond the first costs a tenth
	return sim.Speed{Rate: float64(len(q.GPUs)) * keep / (0.9 + 0.1*parts), ComputeFrac: 1}, nil
}

// always keeps the same part for every job.
func always(keep float64) company {
	return company{func(string, string) float64 { return keep }}
}

// beside keeps three quarters of who is beside a job of a model, and of that job itself.
func beside(bad string) company {
	return company{func(model, beside string) float64 {
		if model == bad || beside == bad {
			return 0.75
		}
		return 1
	}}
}

// job asks for gpus at submit and runs for run, both in seconds.
func job(submit float64, gpus int32, run float64, model string) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run), Model: model}
}

// setting is a run of jobs, in order of submission, on racks x machines x GPUs.
func setting(t testing.TB, speed sim.SpeedModel, shape [3]int, jobs ...sim.Job) sim.Config {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(shape[0], shape[1], shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: speed, Check: true}
}

// tape writes down every allocation; the end of one with another share is "tune".
type tape struct{ lines []string }

func (t *tape) Interval(i *sim.Interval) {
	t.lines = append(t.lines, fmt.Sprintf("%d on %v x%d %v-%v %v", i.Job, i.GPUs, i.ShareMilli, i.Start, i.End,
		i.Reason))
}
func (t *tape) Job(*sim.Record)    {}
func (t *tape) Instant(*sim.Gauge) {}

// memory gives every GPU so much.
func memory(t testing.TB, cfg sim.Config, mib int64) sim.Config {
	t.Helper()
	spec := cluster.Uniform(cfg.Topology.Racks(), cfg.Topology.Machines()/cfg.Topology.Racks(),
		cfg.Topology.GPUs()/cfg.Topology.Machines(), 1)
	for _, r := range spec.Racks {
		for i := range r {
			r[i].GPUMiB = mib
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Topology = top
	return cfg
}

// fat is a job that needs memory on each of its GPUs.
func fat(j sim.Job, mib int32) sim.Job {
	j.GPUMiB = mib
	return j
}

// run plays a case and gives its tape.
func run(t testing.TB, cfg sim.Config, p sim.Policy) []string {
	t.Helper()
	var got tape
	if _, err := sim.Run(context.Background(), cfg, p, &got); err != nil {
		t.Fatal(err)
	}
	return got.lines
}

// expect plays a case and compares its tape.
func expect(t testing.TB, cfg sim.Config, p sim.Policy, want ...string) {
	t.Helper()
	if got := run(t, cfg, p); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
