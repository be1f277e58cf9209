package gadget

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// ask may have lo to hi GPUs and needs gpu GPU-seconds.
func ask(submit float64, lo, hi int32, gpu float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: lo, MinGPUs: lo, MaxGPUs: hi, Work: sim.Seconds(gpu)}
}

// By hand, on 4 GPUs, slots of 10 s, scale 10, iterations of a second of work. At 0 s job 0 gains
// ln(1 + 10 w / 10) with w workers: it has all 4, and has done 40 s at 10 s. Then job 1 is there: w
// workers gain it ln(1 + w), and job 0 ln(1 + 10 w / (10 + 40)) = ln(1 + w/5): .182, .336, .470.
// Job 1: .693, 1.099, 1.386, 1.609. The best of 4 is 3 for job 1 and 1 for job 0: 1.386 + .182 =
// 1.568; 4 and 0 has 1.609, and is taken: job 0 is preempted. At 20 s job 1 has done 40 s as well
// and job 0 gains as much: the marginal gain of two each, ln(1.4) + ln(1.4) = .673, is above 3 and
// 1, .470 + .182 = .652.
func TestSlotsByHand(t *testing.T) {
	jobs := []sim.Job{ask(0, 1, 4, 70), ask(3, 1, 4, 60)}
	for _, nodes := range []string{"", ",nodes=0"} {
		simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policyOf(t, "slot=10,scale=10"+nodes)(),
			"0 on [0 1 2 3] 0s-10s preempt", "1 on [0 1 2 3] 10s-20s resize", "1 on [0 1] 20s-30s finish",
			"0 on [2 3] 20s-30s resize", "0 on [0 1 2 3] 30s-32.5s finish")
	}
}

// A rigid job has its number or none: with 3 of 4 GPUs it leaves one, and 2 do not fit beside it.
// ln(1 + 3) = 1.386 is above ln(1 + 2) = 1.099.
func TestRigidJobs(t *testing.T) {
	jobs := []sim.Job{ask(0, 2, 2, 20), ask(0, 3, 3, 30)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policyOf(t, "slot=10,scale=10")(),
		"1 on [0 1 2] 0s-10s finish", "0 on [0 1] 10s-20s finish")
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"slot=0", "scale=0", "nodes=-1", "moves=far", "weight=2"} {
		if _, err := New(param.Parse("policy gadget-like", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
