// Package gaveltest has what tests of Gavel and of its variant share: Gavel's traces and throughputs
// from the shared data, read without tarry's own readers, and small clusters.
package gaveltest

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Table reads a CSV file of the shared data as one map per row; a test without data is skipped.
func Table(t testing.TB, parts ...string) []map[string]string {
	t.Helper()
	f, err := os.Open(sharedata.Path(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = r[i]
		}
		out = append(out, m)
	}
	return out
}

// Number reads a number or fails the test.
func Number(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// measured is Gavel's table as a speed model: steps per second by job type, gang and type of GPU.
type measured struct {
	top   *cluster.Topology
	steps map[measurement]float64
}

type measurement struct {
	model, typ string
	gpus       int
}

func (m *measured) Speed(q *sim.Query) (sim.Speed, error) {
	key := measurement{q.Job.Model, m.top.Type(m.top.Machine(q.GPUs[0])), len(q.GPUs)}
	s := m.steps[key]
	if s == 0 {
		return sim.Speed{}, fmt.Errorf("no measurement of %+v", key)
	}
	return sim.Speed{Rate: s * q.Job.IterS, ComputeFrac: 1}, nil
}

// Scene is a trace of Gavel's on its cluster of machines of one GPU each.
func Scene(t testing.TB, trace string, v100, p100, k80 int) sim.Config {
	t.Helper()
	var spec cluster.Spec
	for _, m := range []cluster.Machines{{Count: v100, Type: "v100"}, {Count: p100, Type: "p100"},
		{Count: k80, Type: "k80"}} {
		m.GPUs, m.Slots = 1, 1
		spec.Racks = append(spec.Racks, []cluster.Machines{m})
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	speed := &measured{top: top, steps: map[measurement]float64{}}
	for _, r := range Table(t, "profiles", "gavel", "isolated.csv") {
		speed.steps[measurement{r["job_type"], r["gpu_type"], int(Number(t, r["scale_factor"]))}] = Number(t,
			r["steps_per_s"])
	}
	var jobs []sim.Job
	for _, r := range Table(t, "traces", "gavel", trace+".csv") {
		steps, gpus := Number(t, r["total_steps"]), int32(Number(t, r["scale_factor"]))
		step := max(1, sim.Seconds(1/speed.steps[measurement{r["job_type"], "v100", 1}]))
		jobs = append(jobs, sim.Job{ID: r["job_id"], Submit: sim.Seconds(Number(t, r["arrival_s"])), GPUs: gpus,
			Model:      r["job_type"],
			Iterations: int64(steps), IterS: step.Seconds(), Work: sim.Time(steps) * step})
	}
	w, err := sim.NewWorkload(trace, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: speed}
}

// Play runs a policy, made by build of settings, and gives each job's completion time in seconds by
// its id, and the makespan.
func Play(t testing.TB, cfg sim.Config, build func(*param.Set, cluster.Rule) (sim.Policy, error),
	settings string) (map[string]float64, float64) {
	t.Helper()
	p, err := build(param.Parse("policy gavel", settings), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	jct, last := map[string]float64{}, 0.0
	for id := range cfg.Workload.Jobs {
		if r := e.Record(sim.JobID(id)); r.State == sim.Done {
			jct[cfg.Workload.Jobs[id].ID] = (r.End - cfg.Workload.Jobs[id].Submit).Seconds()
			last = max(last, r.End.Seconds())
		}
	}
	return jct, last
}
