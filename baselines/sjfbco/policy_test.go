package sjfbco

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func seconds(gpus int32, submit, run float64) sim.Job {
	return sim.Job{GPUs: gpus, Submit: sim.Seconds(submit), Work: sim.Seconds(run) * sim.Time(gpus)}
}

// By hand, two servers of two GPUs. Job 0 (1 GPU) goes first, though it is the second of the trace's
// equals by time: smallest first. Both kappas end at 10 s; the first, 1, is kept, by which the job of
// two GPUs has the server of least load. Job 2 comes at 1 s for 2 GPUs: at 10 s GPUs 0, 2 and 3 come
// free, with 1 unused; kappa 2 would take the free GPU 1 and GPU 0; kappa 1 the server 0, whose mean
// load is less: the same. It waits for GPU 0, and job 3 of one GPU, which comes at 2 s and is
// smaller, takes GPU 1 at once.
func TestByHand(t *testing.T) {
	jobs := []sim.Job{seconds(1, 0, 10), seconds(2, 0, 10), seconds(2, 1, 5), seconds(1, 2, 20)}
	simtest.ByHand{Shape: [3]int{1, 2, 2}, Jobs: jobs}.Expect(t, policyOf(t, "")(),
		"0 on [0] 0s-10s finish", "1 on [2 3] 0s-10s finish", "2 on [2 3] 10s-15s finish", "3 on [1] 2s-22s finish")
}

// The job that waits for GPUs has them promised: job 2 of three GPUs waits for the two of job 1 and
// the free one, and job 3 of three, behind it, has none of these. Job 3 does not pass.
func TestPromisedGPUs(t *testing.T) {
	jobs := []sim.Job{seconds(1, 0, 30), seconds(2, 0, 10), seconds(3, 1, 5), seconds(3, 2, 1)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policyOf(t, "")(),
		"1 on [1 2] 0s-10s finish", "2 on [1 2 3] 10s-15s finish", "3 on [1 2 3] 15s-16s finish",
		"0 on [0] 0s-30s finish")
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"alpha=-1", "steps=65", "goal=wait", "batch=0", "by=guess", "kappa=2"} {
		if _, err := New(param.Parse("policy sjf-bco", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
