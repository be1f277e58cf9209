package predictsim

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	simtest.Conform(t, "predictsim-easy", New, simtest.Options{}.Settings("", "fill=shortest",
		"fill=shortest,by=request"))
}

// On 8 GPUs. Job 0 (6 GPUs) ends at 4 s, when job 2 (2 GPUs, 3 s) comes; job 1 (8 GPUs, 1 s) waits
// from 1 s on. EASY decides the instant once, and starts job 1, and job 2 after it. Event by event
// job 2 comes first. If job 0 asked for 10 s its GPUs are held then, and job 2 ends before 10 s, so
// that it starts; job 1 starts when it has ended. If job 0 asked for its 4 s its GPUs are free, and
// job 1 starts.
func TestEventsApart(t *testing.T) {
	job := func(submit, gpus, run, asked int) sim.Job {
		return sim.Job{Submit: sim.Time(submit) * sim.Second, GPUs: int32(gpus),
			Work: sim.Time(gpus*run) * sim.Second, Request: sim.Time(asked) * sim.Second}
	}
	const first, next = "0 on [0 1 2 3 4 5] 0s-4s finish", "1 on [0 1 2 3 4 5 6 7] "
	for _, c := range []struct {
		asked int
		text  string
		want  []string
	}{
		{10, "by=request", []string{first, "2 on [0 1] 4s-7s finish", next + "7s-8s finish"}},
		{10, "by=request,fill=shortest", []string{first, "2 on [0 1] 4s-7s finish", next + "7s-8s finish"}},
		{4, "by=request", []string{first, next + "4s-5s finish", "2 on [0 1] 5s-8s finish"}},
	} {
		simtest.ByHand{Shape: [3]int{1, 1, 8}, Jobs: []sim.Job{job(0, 6, 4, c.asked), job(1, 8, 1, 1),
			job(4, 2, 3, 3)}}.Expect(t, simtest.Build(t, "predictsim-easy", New, c.text)(), c.want...)
	}
}
