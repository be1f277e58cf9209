package static

import (
	"testing"

	"tarry/sim"
	"tarry/sim/outage"
	"tarry/sim/simtest"
)

// job asks for gpus at submit and runs for run, both in seconds.
func job(submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// expect runs jobs, which are in order of submission, on racks x machines x gpus and compares.
func expect(t *testing.T, p sim.Policy, shape [3]int, outages outage.Schedule, jobs []sim.Job, want ...string) {
	t.Helper()
	simtest.ByHand{Shape: shape, Outages: outages, Jobs: jobs}.Expect(t, p, want...)
}

// Five GPUs wait for a whole rack although six are free from 5 s on, three in each; one GPU passes
// them.
func TestConsolidateWaits(t *testing.T) {
	jobs := []sim.Job{job(0, 2, 5), job(0, 3, 9), job(1, 3, 5), job(2, 5, 5), job(3, 1, 1)}
	expect(t, policy(t, NewConsolidate, "")(), [3]int{2, 2, 3}, nil, jobs,
		"4 on [2] 3s-4s finish", "0 on [0 1] 0s-5s finish", "2 on [6 7 8] 1s-6s finish", "1 on [3 4 5] 0s-9s finish",
		"3 on [6 7 8 9 10] 6s-11s finish")
}

// Seven GPUs fit no machine and no rack of six: anything will do.
func TestConsolidateTakesAnythingIfItMust(t *testing.T) {
	expect(t, policy(t, NewConsolidate, "")(), [3]int{2, 2, 3}, nil, []sim.Job{job(0, 1, 9), job(0, 7, 2)},
		"1 on [1 6 7 8 9 10 11] 0s-2s finish", "0 on [0] 0s-9s finish")
}

// Scatter takes one GPU of every machine in turn, machines with most free first.
func TestScatterSpreads(t *testing.T) {
	jobs := []sim.Job{job(0, 2, 9), job(1, 4, 2), job(1, 7, 2), job(2, 5, 1)}
	expect(t, policy(t, NewScatter, "")(), [3]int{2, 2, 3}, nil, jobs,
		"1 on [1 4 6 9] 1s-3s finish", "3 on [2 5 7 8 10] 2s-3s finish", "2 on [1 2 4 6 7 9 10] 3s-5s finish",
		"0 on [0 3] 0s-9s finish")
}
