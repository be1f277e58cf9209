package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// stage is a run that a test drives by hand: it looks at the view, applies decisions and goes to
// the next instant.
type stage struct {
	t *testing.T
	e *sim.Engine
	v *sim.View
}

// set builds a stage at its first instant; jobs get their positions as names.
func set(t *testing.T, cfg sim.Config, spec cluster.Spec, jobs ...sim.Job) *stage {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
		if jobs[i].Work == 0 {
			jobs[i].Work = sim.Time(jobs[i].GPUs) * 100 * sim.Second
		}
	}
	var err error
	if cfg.Workload, err = sim.NewWorkload("stage", jobs); err != nil {
		t.Fatal(err)
	}
	if cfg.Topology, err = cluster.New(spec); err != nil {
		t.Fatal(err)
	}
	if cfg.Check = true; cfg.Speed == nil {
		cfg.Speed = simtest.Counting{}
	}
	s := &stage{t: t}
	if s.e, err = sim.New(cfg); err != nil {
		t.Fatal(err)
	}
	s.next()
	return s
}

func (s *stage) next() {
	s.t.Helper()
	v, ok, err := s.e.Next()
	if err != nil || !ok {
		s.t.Fatalf("no next instant after %v: %v", s.e.Now(), err)
	}
	s.v = v
}

// do applies decisions and goes to the next instant, which comes in a second if nothing else
// happens.
func (s *stage) do(ds ...sim.Decision) {
	s.t.Helper()
	if err := s.e.Apply(append(ds, sim.Decision{Kind: sim.WakeAt, Key: 9, At: s.v.Now() + sim.Second})); err != nil {
		s.t.Fatal(err)
	}
	s.next()
}

func start(j sim.JobID, gpus ...cluster.GPU) sim.Decision {
	return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
}

// words gives decisions to compare: "start 0 on [0 1], preempt 2".
func words(ds []sim.Decision) string {
	var s []string
	for _, d := range ds {
		w := fmt.Sprintf("%v %d", d.Kind, d.Job)
		if d.Kind == sim.Start {
			w += fmt.Sprintf(" on %v", d.GPUs)
		}
		if d.Delay > 0 {
			w += fmt.Sprintf(" after %v", d.Delay)
		}
		s = append(s, w)
	}
	return strings.Join(s, ", ")
}

// started and stopped are the jobs of the starts and the preemptions, in order.
func started(ds []sim.Decision) (jobs []sim.JobID) { return ofKind(ds, sim.Start) }
func stopped(ds []sim.Decision) (jobs []sim.JobID) { return ofKind(ds, sim.Preempt) }
func ofKind(ds []sim.Decision, k sim.DecisionKind) (jobs []sim.JobID) {
	for _, d := range ds {
		if d.Kind == k {
			jobs = append(jobs, d.Job)
		}
	}
	return jobs
}

// byID ranks jobs as they arrived.
func byID(*sim.View, sim.JobID) float64 { return 0 }

// inOrder is a sorted copy.
func inOrder(j []sim.JobID) []sim.JobID {
	j = slices.Clone(j)
	slices.Sort(j)
	return j
}
