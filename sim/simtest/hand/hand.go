// Package hand has what tests of schedulers share that are written by hand or drawn: jobs, clusters,
// a speed model, and what a run decided.
package hand

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// ByLevel is a speed model that slows a job down by the level of its allocation.
type ByLevel struct{ Top *cluster.Topology }

// Speed implements sim.SpeedModel.
func (m ByLevel) Speed(q *sim.Query) (sim.Speed, error) {
	f := [...]float64{1, 0.9, 0.75, 0.5, 0.125}[m.Top.LevelOf(q.GPUs)]
	return sim.Speed{Rate: f * float64(len(q.GPUs)), ComputeFrac: f}, nil
}

// Topology makes racks of machines of GPUs in slots.
func Topology(t testing.TB, racks, machines, gpus, slots int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(racks, machines, gpus, slots))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// Numbered makes a workload of jobs, which are named by their places in the list.
func Numbered(t testing.TB, jobs ...sim.Job) *sim.Workload {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Job asks for gpus at submit and runs for run, both in seconds, at full speed.
func Job(submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// Tiny draws up to ten jobs of up to four GPUs for two machines of two, with all checks.
func Tiny(t testing.TB, r *rand.Rand) sim.Config {
	t.Helper()
	var jobs []sim.Job
	for range 2 + r.IntN(9) {
		jobs = append(jobs, Job(float64(r.IntN(20)), int32(1+r.IntN(4)), float64(1+r.IntN(12))))
	}
	return sim.Config{Workload: Numbered(t, jobs...), Topology: Topology(t, 1, 2, 2, 1), Speed: simtest.Counting{},
		Check: true}
}

// Records runs a policy and gives what became of each job, by JobID.
func Records(t testing.TB, cfg sim.Config, p sim.Policy) []sim.Record {
	t.Helper()
	e, err := sim.Run(context.Background(), cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	var recs []sim.Record
	for id := range cfg.Workload.Jobs {
		recs = append(recs, e.Record(sim.JobID(id)))
	}
	return recs
}

// Starts runs a policy with all checks and gives its decisions about jobs, a line each: when and
// where they start, are resized, preempted or keep their lease.
func Starts(t testing.TB, cfg sim.Config, p sim.Policy) string {
	t.Helper()
	s := &starts{Policy: p}
	cfg.Check = true
	if _, err := sim.Run(context.Background(), cfg, s); err != nil {
		t.Fatal(err)
	}
	return strings.Join(s.lines, "\n")
}

// starts writes decisions down.
type starts struct {
	sim.Policy
	lines []string
}

func (s *starts) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = s.Policy.Decide(v, out)
	for _, d := range out[n:] {
		switch d.Kind {
		case sim.Start:
			s.lines = append(s.lines, fmt.Sprintf("%v job %d on %v", v.Now(), d.Job, d.GPUs))
		case sim.Resize:
			s.lines = append(s.lines, fmt.Sprintf("%v resize job %d to %v", v.Now(), d.Job, d.GPUs))
		case sim.Preempt, sim.Renew:
			s.lines = append(s.lines, fmt.Sprintf("%v %v job %d", v.Now(), d.Kind, d.Job))
		}
	}
	return out
}
