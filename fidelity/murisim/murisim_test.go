package murisim

import (
	"math"
	"strings"
	"testing"

	"tarry/baselines/muri/muritest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	profiles "tarry/sim/speed/muri"
)

// The simulator's placement waits for idle machines, and a job that no number of these can hold
// waits for ever.
func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40, Allocates: true, MayStarve: true}
	simtest.Conform(t, "muri-sim", New, o.Settings("", "key=las,order=worst", "key=las2d,queues=5/60"))
}

func ends(t testing.TB, p *profiles.Profile, spec string, jobs ...sim.Job) []float64 {
	t.Helper()
	return muritest.Ends(t, p, 2, simtest.Build(t, "muri-sim", New, spec)(), jobs...)
}

// By hand, with T = 0.7 x 1.33 / 1.015 s: together the two lose 5 s of start overheads.
func TestOverheadsByHand(t *testing.T) {
	p, pace := muritest.Profile(t), 0.7*1.33/1.015
	got := ends(t, p, "profile="+p.Dir, muritest.Job(0, "a", 100), muritest.Job(1, "b", 50))
	for i, want := range []float64{50*pace + (100-(50*pace-5)/pace)*1.015, 50 * pace} {
		if math.Abs(got[i]-want) > 2e-6 {
			t.Errorf("job %d ends at %.6f s, expected %.6f s", i, got[i], want)
		}
	}
}

// By hand: job 0 holds the two GPUs for 20 s, so that it has attained 40 GPU-s, though job 1 came
// after 10 s; then it goes to the second queue, and job 1 runs to its end. With queues that end
// later, job 1 runs after job 0.
func TestQueuesByHand(t *testing.T) {
	late := muritest.Job(1, "c", 30)
	late.Submit = 10 * sim.Second
	for spec, want := range map[string][2]float64{
		"key=las2d,queues=40/80,max=1":     {45.675, 35.225},
		"key=las2d,queues=1000/2000,max=1": {30.45, 45.675},
	} {
		got := ends(t, muritest.Profile(t), spec, muritest.Job(0, "c", 60), late)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 2e-6 {
				t.Errorf("%s: job %d ends at %.6f s, expected %.6f s", spec, i, got[i], want[i])
			}
		}
	}
}

// TestSettings: a folder that is not there is named.
func TestSettings(t *testing.T) {
	_, err := New(param.Parse("policy muri-sim", "profile=nowhere"), cluster.BestFit)
	if err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
}
