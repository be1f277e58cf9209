package interference

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stages"
)

// staging runs each job at rate 1 per GPU with iterations of a second, and has the stages of all
// but model "two".
type staging struct{}

func (staging) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 0.5}, nil
}

func (staging) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	t.StepS, t.SyncS, t.AccumSteps = 1, 0.25, 1
	switch q.Job.Model {
	case "load":
		t.LoadS, t.ComputeS = 0.4, 0.3
	case "compute":
		t.LoadS, t.ComputeS = 0.1, 0.1
	}
	return true
}

// By hand: load and compute take turns, max(0.4, 0.1) + max(0.1, 0.3) = 0.7 s, in a group of two
// 0.7 x 1.33 / 1.015 s; that is less than an iteration of 1 s alone, so that no job is slowed. Jobs
// without three stages compute 0.75 s and exchange 0.25 s.
func TestStages(t *testing.T) {
	m := over(staging{}, rule(t, "stages"))
	gpus := []cluster.GPU{0, 1}
	peer := func(model string) sim.Peer {
		return sim.Peer{Job: &sim.Job{Model: model, GPUs: 2, Work: 1}, ID: 1, GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 500}}
	}
	ask := func(model string, peers ...sim.Peer) float64 {
		s, err := m.Speed(&sim.Query{Job: &sim.Job{Model: model, GPUs: 2, Work: 1}, GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 500}, Peers: peers})
		if err != nil {
			t.Fatal(err)
		}
		return s.Rate / 2
	}
	if got := ask("load", peer("compute")); got != 1 {
		t.Errorf("load beside compute keeps %v, expected 1", got)
	}
	two := stages.Times{0, 0.75, 0.25}
	for n := 2; n <= 4; n++ {
		var peers []sim.Peer
		times := []stages.Times{two}
		for range n - 1 {
			peers, times = append(peers, peer("two")), append(times, two)
		}
		if got, want := ask("two", peers...), 1/(stages.Round(times, stages.Best)*stages.Factor(n)); math.Abs(
			got-want) > 1e-12 {
			t.Errorf("%d jobs of two stages keep %v each, expected %v", n, got, want)
		}
	}
	if got := ask("two", peer("two"), peer("two"), peer("two"), peer("load")); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("one of five keeps %v, expected 0.2", got)
	}
	if got := ask("two"); got != 1 {
		t.Errorf("alone a job keeps %v", got)
	}
}
