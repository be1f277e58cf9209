package muri

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/baselines/muri/muritest"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	profiles "tarry/sim/speed/muri"
)

// ends runs jobs on one machine and gives their ends in seconds.
func ends(t testing.TB, p *profiles.Profile, gpus int, spec string, jobs ...sim.Job) []float64 {
	t.Helper()
	return muritest.Ends(t, p, gpus, policy(t, spec)(), jobs...)
}

// By hand, with T = 0.7 x 1.33 / 1.015 s.
func TestByHand(t *testing.T) {
	p, pace := muritest.Profile(t), 0.7*1.33/1.015
	for name, c := range map[string]struct {
		gpus int
		spec string
		jobs []sim.Job
		want []float64
	}{
		"room for both": {4, "", []sim.Job{muritest.Job(0, "a", 100), muritest.Job(1, "b", 50)}, []float64{101.5, 25.375}},
		"two together": {2, "", []sim.Job{muritest.Job(0, "a", 100), muritest.Job(1, "b", 50)},
			[]float64{50*pace + 50*1.015, 50 * pace}},
		"by service": {2, "key=las", []sim.Job{muritest.Job(0, "a", 100), muritest.Job(1, "b", 50)},
			[]float64{50*pace + 50*1.015, 50 * pace}},
		"no company": {2, "max=1", []sim.Job{muritest.Job(0, "a", 100), muritest.Job(1, "b", 50)},
			[]float64{101.5 + 25.375, 25.375}},
		"slower together": {2, "", []sim.Job{muritest.Job(0, "c", 100), muritest.Job(1, "c", 50)}, []float64{76.125, 25.375}},
		"together all the same": {2, "dissolve=false", []sim.Job{muritest.Job(0, "c", 100), muritest.Job(1, "c", 50)},
			[]float64{50*2*0.5*1.33/1.015 + 50*0.5075, 50 * 2 * 0.5 * 1.33 / 1.015}},
	} {
		got := ends(t, p, c.gpus, c.spec, c.jobs...)
		for i, want := range c.want {
			if math.Abs(got[i]-want) > 2e-6 {
				t.Errorf("%s: job %d ends at %.6f s, expected %.6f s", name, i, got[i], want)
			}
		}
	}
}

// By hand: job 0 holds the two GPUs for 20 s, so that it has attained 40 GPU-s, though job 1 came
// after 10 s; then it goes to the second queue, and job 1 runs to its end. By attained time alone
// job 1 goes first at once; with queues that end later, after job 0.
func TestQueuesByHand(t *testing.T) {
	late := muritest.Job(1, "c", 30)
	late.Submit = 10 * sim.Second
	for spec, want := range map[string][2]float64{
		"key=las2d,queues=40/80,max=1":     {45.675, 35.225},
		"key=las2d,queues=10/40/80,max=1":  {45.675, 35.225},
		"key=las2d,queues=1000/2000,max=1": {30.45, 45.675},
		"key=las,max=1":                    {45.675, 25.225},
	} {
		got := ends(t, muritest.Profile(t), 2, spec, muritest.Job(0, "c", 60), late)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 2e-6 {
				t.Errorf("%s: job %d ends at %.6f s, expected %.6f s", spec, i, got[i], want[i])
			}
		}
	}
}

// Limits that do not grow, and limits without queues, are faults.
func TestQueuesAreChecked(t *testing.T) {
	for spec, want := range map[string]string{"key=las2d,queues=40/40": "expected GPU-seconds that grow",
		"queues=40/80": "queues is of key=las2d"} {
		if _, err := New(param.Parse("policy muri", spec), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
}

// Four jobs for two places. Rounds: c with a max(0, 300) + max(400, 500) = 800 ms, used 1.2 / 4 /
// 0.8 = 0.375 of it before the factor; c with b 600 ms, 0.292; a with b 700 ms, 0.321; c with c
// 1000 ms, 0.25. So each c has another beside it, 0.667 together, not 0.571: the first c does its
// 40 iterations beside b.
func TestWhoIsGrouped(t *testing.T) {
	got := ends(t, muritest.Profile(t), 4, "", muritest.Job(0, "c", 40), muritest.Job(1, "a", 100),
		muritest.Job(2, "c", 45), muritest.Job(3, "b", 50))
	if want := 40 * 0.6 * 1.33 / 1.015; math.Abs(got[0]-want) > 2e-6 {
		t.Errorf("ends %v, expected the first at %v", got, want)
	}
}

// A run of many jobs of three sorts on 16 GPUs: what a decision costs.
func BenchmarkRun(b *testing.B) {
	p := muritest.Profile(b)
	r := rand.New(rand.NewPCG(1, 2))
	jobs := make([]sim.Job, 300)
	for i := range jobs {
		jobs[i] = muritest.Job(i, string("abc"[r.IntN(3)]), int64(50+r.IntN(2000)))
		jobs[i].Submit = sim.Time(i) * 10 * sim.Second
	}
	for b.Loop() {
		ends(b, p, 16, "key=las", jobs...)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/600, "us/decision")
}
