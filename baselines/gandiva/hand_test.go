package gandiva

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

// Three gangs share one server in slices of 10 s: the suspended go first in their order.
func TestRoundRobin(t *testing.T) {
	jobs := []sim.Job{job(0, 2, 20), job(0, 2, 20), job(0, 2, 20)}
	expect(t, policy(t, New, "quantum=10")(), [3]int{1, 1, 2}, nil, jobs,
		"0 on [0 1] 0s-10s preempt", "1 on [0 1] 10s-20s preempt", "2 on [0 1] 20s-30s preempt",
		"0 on [0 1] 30s-40s finish", "1 on [0 1] 40s-50s finish", "2 on [0 1] 50s-60s finish")
}

// Two of three jobs run at a time: each turn suspends who has run longest.
func TestTurnsAreFair(t *testing.T) {
	jobs := []sim.Job{job(0, 1, 20), job(0, 1, 20), job(0, 1, 20)}
	expect(t, policy(t, New, "quantum=10")(), [3]int{1, 1, 2}, nil, jobs,
		"0 on [0] 0s-10s preempt", "1 on [1] 0s-20s finish", "2 on [0] 10s-30s finish", "0 on [1] 20s-30s finish")
}

func TestNoSlicingIsFirstCome(t *testing.T) {
	expect(t, policy(t, New, "quantum=inf")(), [3]int{1, 1, 2}, nil, []sim.Job{job(0, 2, 100), job(1, 1, 100)},
		"0 on [0 1] 0s-100s finish", "1 on [0] 100s-200s finish")
}

// Jobs of one demand share a server, others get their own while there is one.
func TestAffinity(t *testing.T) {
	jobs := []sim.Job{job(0, 1, 9), job(1, 2, 9), job(2, 1, 9), job(3, 3, 9), job(4, 2, 9)}
	expect(t, policy(t, New, "migrate=false")(), [3]int{1, 3, 4}, nil, jobs,
		"0 on [0] 0s-9s finish", "1 on [4 5] 1s-10s finish", "2 on [1] 2s-11s finish", "3 on [8 9 10] 3s-12s finish",
		"4 on [6 7] 4s-13s finish")
	expect(t, policy(t, New, "migrate=false,affinity=false")(), [3]int{1, 3, 4}, nil,
		[]sim.Job{job(0, 1, 9), job(1, 2, 9), job(2, 1, 9)}, // least loaded each
		"0 on [0] 0s-9s finish", "1 on [4 5] 1s-10s finish", "2 on [8] 2s-11s finish")
}

// Job 2 is suspended on the first server; when job 1 ends on the second, it moves there.
func TestSuspendedJobsMoveToFreedGPUs(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{job(0, 1, 50), job(0, 1, 5), job(1, 1, 10)} }
	expect(t, policy(t, New, "quantum=inf")(), [3]int{1, 2, 1}, nil, jobs(),
		"1 on [1] 0s-5s finish", "2 on [1] 5s-15s finish", "0 on [0] 0s-50s finish")
	expect(t, policy(t, New, "quantum=inf,migrate=false")(), [3]int{1, 2, 1}, nil, jobs(),
		"1 on [1] 0s-5s finish", "0 on [0] 0s-50s finish", "2 on [0] 50s-60s finish")
}

// At 5 s the first server has three of four GPUs free: its job moves beside the 3-GPU job.
func TestNearlyEmptyServerIsEmptied(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{job(0, 1, 50), job(0, 1, 5), job(0, 3, 50)} }
	expect(t, policy(t, New, "")(), [3]int{1, 2, 4}, nil, jobs(),
		"1 on [1] 0s-5s finish", "0 on [0] 0s-5s migrate", "2 on [4 5 6] 0s-50s finish", "0 on [7] 5s-50s finish")
	expect(t, policy(t, New, "defrag=1.1")(), [3]int{1, 2, 4}, nil, jobs(),
		"1 on [1] 0s-5s finish", "0 on [0] 0s-50s finish", "2 on [4 5 6] 0s-50s finish")
}

// A gang of 4 waits for two full servers of 2. At 20 s it has waited a quantum: its turn; at 30 s
// it gives way.
func TestWideJobsGetTheirTurn(t *testing.T) {
	jobs := []sim.Job{job(0, 2, 100), job(0, 2, 100), job(1, 4, 15)}
	expect(t, policy(t, New, "quantum=10")(), [3]int{1, 2, 2}, nil, jobs,
		"0 on [0 1] 0s-20s preempt", "1 on [2 3] 0s-20s preempt", "2 on [0 1 2 3] 20s-30s preempt",
		"0 on [0 1] 30s-40s preempt", "1 on [2 3] 30s-40s preempt", "2 on [0 1 2 3] 40s-45s finish",
		"0 on [0 1] 45s-115s finish", "1 on [2 3] 45s-115s finish")
}

// Four GPUs over two racks move into one rack when the rest of it empties.
func TestSpreadJobsCloseUp(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{job(0, 2, 50), job(0, 2, 5), job(0, 2, 8), job(1, 2, 9), job(6, 4, 20)}
	}
	expect(t, policy(t, New, "quantum=inf")(), [3]int{2, 2, 2}, nil, jobs(),
		"1 on [2 3] 0s-5s finish", "2 on [4 5] 0s-8s finish", "3 on [6 7] 1s-10s finish",
		"4 on [2 3 4 5] 8s-10s migrate",
		"4 on [4 5 6 7] 10s-28s finish", "0 on [0 1] 0s-50s finish")
	expect(t, policy(t, New, "quantum=inf,migrate=false")(), [3]int{2, 2, 2}, nil, jobs(),
		"1 on [2 3] 0s-5s finish", "2 on [4 5] 0s-8s finish", "3 on [6 7] 1s-10s finish",
		"4 on [2 3 4 5] 8s-28s finish", "0 on [0 1] 0s-50s finish")
}
