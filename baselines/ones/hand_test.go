package ones

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// Throughput by counts: measured ones are means of the last five, others are on lines.
func TestThroughput(t *testing.T) {
	var s speeds
	if s.at(3) != 0 {
		t.Error("a throughput is known of a job that never ran")
	}
	for _, x := range []float64{100, 8, 9, 10, 11, 12} {
		s = s.note(2, x)
	}
	for n, want := range map[int32]float64{1: 5, 2: 10, 3: 15, 8: 40} { // in proportion
		if got := s.at(n); got != want {
			t.Errorf("one count: %v on %d GPUs, expected %v", got, n, want)
		}
	}
	s = s.note(6, 22).note(4, 16)
	for n, want := range map[int32]float64{1: 7, 2: 10, 3: 13, 4: 16, 5: 19, 6: 22, 8: 28, 10: 34} {
		if got := s.at(n); math.Abs(got-want) > 1e-12 {
			t.Errorf("three counts: %v on %d GPUs, expected %v", got, n, want)
		}
	}
	falls := speeds{}.note(4, 20).note(5, 10)
	for n, want := range map[int32]float64{6: 1, 7: 1, 3: 30, 2: 40} { // at least a tenth of the nearest
		if got := falls.at(n); got != want {
			t.Errorf("falling: %v on %d GPUs, expected %v", got, n, want)
		}
	}
	steep := speeds{}.note(4, 4).note(5, 10)
	for n, want := range map[int32]float64{6: 12, 3: 3, 1: 1} { // beyond: at most in proportion, below: at least
		if got := steep.at(n); got != want {
			t.Errorf("steep: %v on %d GPUs, expected %v", got, n, want)
		}
	}
}

// A job starts on one GPU and doubles after two epochs of 10 s of work on each count, up to four
// times what it asks for.
func TestDoubling(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 16}, Jobs: []sim.Job{{ID: "0", GPUs: 2, MinGPUs: 1, MaxGPUs: 16, Work: 200 *
		sim.Second}}}.Expect(t, policy(t, "epoch_s=10,every=0")(),
		"0 on [0] 0s-20s resize", "0 on [0 1] 20s-30s resize", "0 on [0 1 2 3] 30s-35s resize",
		"0 on [0 1 2 3 4 5 6 7] 35s-52.5s finish")
}

// A job that arrives waits until the job with all GPUs has trained an epoch of 80 s of work.
// When it has ended the other takes its GPUs after one more.
func TestSwitchWaitsForAnEpoch(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 8}, Jobs: []sim.Job{
		{ID: "0", GPUs: 8, MinGPUs: 4, MaxGPUs: 8, Work: 240 * sim.Second},
		{ID: "1", Submit: 5 * sim.Second, GPUs: 2, Work: 12 * sim.Second},
	}}.Expect(t, policy(t, "epoch_s=80,every=0,first=asked,wait=1")(),
		"0 on [0 1 2 3 4 5 6 7] 0s-10s resize", "1 on [6 7] 10s-16s finish",
		"0 on [0 1 2 3 4 5] 10s-23.333334s resize", "0 on [0 1 2 3 4 5 6 7] 23.333334s-33.333334s finish")
}

// epochal is a speed model whose jobs have ten epochs, and measure 64 samples per second and GPU.
type epochal struct{ simtest.Counting }

func (epochal) Mark(q *sim.Query) float64 {
	if e := math.Floor(q.Done / 10e6); e < 9 {
		return (e + 1) * 10e6
	}
	return math.Inf(1)
}

func (epochal) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	t.StepS, t.AccumSteps, t.Batch, t.Epoch = 1/float64(len(q.GPUs)), 1, 64, int32(q.Done/10e6)
	return true
}

func (epochal) Batches(*sim.Job) sim.BatchLimits { return sim.BatchLimits{} }

// TestEpochsOfTheModel: epochs are the marks of the speed model, whose last end is not known, and
// samples are what was measured; epoch_s has no part in it.
func TestEpochsOfTheModel(t *testing.T) {
	w, err := sim.NewWorkload("one", []sim.Job{{ID: "0", GPUs: 1, Work: 100 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for until, want := range map[sim.Time]int32{15 * sim.Second: 1, 91 * sim.Second: 9, 99 * sim.Second: 9} {
		p := policy(t, "epoch_s=0.5,every=0")().(*Policy)
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: epochal{},
			Until: until, Check: true}, p); err != nil {
			t.Fatal(err)
		}
		l := p.pools[0].jobs[0]
		if l.epoch != want || math.Abs(l.samples-640*float64(want)) > 1 || !l.counted {
			t.Errorf("at %v: %d epochs and %v samples, expected %d and %d", until, l.epoch, l.samples, want, 640*want)
		}
	}
}
