package vodasim

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// Jobs may be given less than their min, and then wait; nothing else is wrong.
func TestConformance(t *testing.T) {
	const short = "interval=1,check=1,queue=5,algorithm="
	o := simtest.Options{Seeds: 20, MayStarve: true}
	simtest.Conform(t, "voda-sim", New, o.Settings(short+"elastic-fifo", short+"elastic-srjf",
		short+"elastic-tiresias", short+"ffdl-optimizer", short+"afs-l"))
}

// AFS-L has no minimum: two jobs that need both GPUs get one each, and none runs.
func TestMayStarve(t *testing.T) {
	job := func(submit, work, gpus int) sim.Job {
		n := int32(gpus)
		return sim.Job{Submit: sim.Time(submit) * sim.Second, Work: sim.Time(work) * sim.Second, GPUs: n,
			MinGPUs: n, MaxGPUs: n}
	}
	simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: []sim.Job{job(0, 20, 2), job(1, 10, 1)}}.Expect(t,
		simtest.Build(t, "voda-sim", New, "algorithm=afs-l,interval=0")(),
		"0 on [0 1] 0s-1s preempt", "1 on [0] 1s-11s finish", "0 on [0 1] 11s-20s finish")
}
