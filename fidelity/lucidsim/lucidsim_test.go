package lucidsim

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	simtest.Conform(t, "lucid-qssf", New, simtest.Options{}.Settings("", "place=consolidate",
		"place=delay,delay_machine_s=2,delay_rack_s=9"))
}

// Four GPUs. The jobs of 0 s find no other job waiting and go by their GPUs, 1 before 0; job 2 comes
// while 0 waits, so that both go by run time x GPUs, 2 before 0.
func TestFresh(t *testing.T) {
	job := func(submit, gpus, run int) sim.Job {
		return sim.Job{Submit: sim.Time(submit) * sim.Second, GPUs: int32(gpus),
			Work: sim.Time(gpus*run) * sim.Second}
	}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{job(0, 3, 10), job(0, 2, 90), job(5, 4, 2)}}.Expect(t,
		simtest.Build(t, "lucid-qssf", New, "")(),
		"1 on [0 1] 0s-90s finish", "2 on [0 1 2 3] 90s-92s finish", "0 on [0 1 2] 92s-102s finish")
}
