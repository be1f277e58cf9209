package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// levels is a speed model in which models differ, and a job is slower the farther apart its GPUs
// are; model "none" has no answer.
type levels struct {
	top   *cluster.Topology
	asked int
}

func (m *levels) Speed(q *sim.Query) (sim.Speed, error) {
	m.asked++
	if q.Job.Model == "none" {
		return sim.Speed{}, fmt.Errorf("no such model")
	}
	rate := float64(len(q.GPUs)) * q.FreqFrac * float64(q.ShareMilli) / 1000
	if q.Job.Model == "slow" {
		rate /= 2
	}
	if m.top.Type(m.top.Machine(q.GPUs[0])) == "fast" {
		rate *= 2
	}
	rate *= float64(1 + q.Job.Priority)
	return sim.Speed{Rate: rate / float64(1+m.top.LevelOf(q.GPUs)/2), ComputeFrac: 1}, nil
}

// A curve is the speed on the nearest GPUs of an empty cluster, by type; it is asked for once for
// each kind of job, and the same while others run.
func TestCurves(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, Type: "slow"},
		{Count: 1, GPUs: 3, Type: "fast"}}}}
	js := []sim.Job{{GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Model: "a"},
		{GPUs: 1, MaxGPUs: 9, Model: "slow", GPUType: "slow"}, {GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Model: "a"},
		{GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Model: "a", Priority: 1}, {GPUs: 2, MaxGPUs: 6, WorkerGPUs: 2, Model: "a"},
		{GPUs: 2, MaxGPUs: 3, Model: "none"},
		{GPUs: 1, ShareMilli: 500, Model: "a"}, {GPUs: 9, Model: "a"}}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	m := &levels{top: top}
	s := set(t, sim.Config{Speed: m}, spec, js...)
	s.e.Permit(know.Speed)
	s.do()
	var c plan.Curves
	for pass := range 2 {
		for j, want := range [][]float64{{0, 2, 4, 6, 2}, {0, .5, 1, .75, 1}, {0, 2, 4, 6, 2}, {0, 4, 8, 12, 4},
			{0, 0, 4, 0, 2}, {0, 1, 2, 3}, {0, 1}, {0, 2, 4, 6, 2}} {
			if got := c.Of(s.v, sim.JobID(j)); !slices.Equal(got, want) {
				t.Errorf("pass %d, job %d: %v, expected %v", pass, j, got, want)
			}
		}
		for typ, want := range map[string][]float64{"fast": {0, 2, 4, 6}, "slow": {0, 1, 2, 1.5, 2}, "none": {0}} {
			if got := c.OfType(s.v, 0, typ); !slices.Equal(got, want) {
				t.Errorf("pass %d, type %s: %v, expected %v", pass, typ, got, want)
			}
		}
		if got := c.OfType(s.v, 1, "fast"); len(got) != 1 {
			t.Errorf("job 1 on a type that it does not accept: %v", got)
		}
		s.do(start(sim.JobID(2*pass), cluster.GPU(2*pass), cluster.GPU(2*pass+1)))
	}
	before := m.asked
	if c := c.Clone(); len(c.Of(s.v, 2)) != 5 || m.asked != before {
		t.Errorf("%d questions about a job that is known", m.asked-before)
	}
	var other plan.Curves
	s.e.Permit(know.Nothing)
	s.do()
	if got := other.Of(s.v, 3); !slices.Equal(got, []float64{0, 1, 2, 3, 4}) {
		t.Errorf("without knowledge %v", got)
	}
}

func TestPeak(t *testing.T) {
	for want, curve := range map[int][]float64{0: {0}, 1: {0, 2, 2}, 3: {0, 1, .5, 3, 2}} {
		if got := plan.Peak(curve); got != want {
			t.Errorf("%v: %d, expected %d", curve, got, want)
		}
	}
}
