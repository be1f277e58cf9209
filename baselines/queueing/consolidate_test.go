package queueing_test

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// Three machines of four GPUs. Two GPUs go to the fullest machine that has them, machine 0 with job
// 0; one GPU too, once that is full to machine 1. Six and eight GPUs need two wholly free machines:
// at 10 s there is one, at 20 s there are two.
func TestConsolidate(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	jobs := func() []sim.Job {
		return []sim.Job{job(0, 2, 10), job(1, 3, 19), job(2, 1, 8), job(3, 1, 7), job(4, 1, 96), job(5, 6, 3),
			job(6, 4, 2), job(7, 8, 1)}
	}
	small := []string{"0 on [0 1] 0s-10s finish", "2 on [7] 2s-10s finish", "3 on [2] 3s-10s finish"}
	for _, c := range []struct {
		name, params string
		want         []string
	}{
		{"fifo", "place=consolidate", []string{"1 on [4 5 6] 1s-20s finish", "5 on [4 5 6 7 8 9] 20s-23s finish",
			"6 on [4 5 6 7] 23s-25s finish", "7 on [4 5 6 7 8 9 10 11] 25s-26s finish", "4 on [3] 4s-100s finish"}},
		{"fit-first", "place=consolidate", []string{"1 on [4 5 6] 1s-20s finish", "5 on [4 5 6 7 8 9] 20s-23s finish",
			"7 on [4 5 6 7 8 9 10 11] 23s-24s finish", "4 on [3] 4s-100s finish"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := append([]string{}, small...)
			if c.name == "fit-first" {
				want = append([]string{"6 on [8 9 10 11] 6s-8s finish"}, want...)
			}
			simtest.ByHand{Shape: [3]int{1, 3, 4}, Jobs: jobs()}.Expect(t, policy(t, c.name, c.params),
				append(want, c.want...)...)
		})
	}
}

// The head of sjf blocks with block=true: job 2 would fit beside job 0.
func TestBlockingSJF(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	jobs := func() []sim.Job { return []sim.Job{job(0, 1, 10), job(1, 2, 4), job(2, 1, 5)} }
	simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: jobs()}.Expect(t, policy(t, "sjf", ""),
		"2 on [1] 2s-7s finish", "0 on [0] 0s-10s finish", "1 on [0 1] 10s-14s finish")
	simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: jobs()}.Expect(t, policy(t, "sjf", "block=true"),
		"0 on [0] 0s-10s finish", "1 on [0 1] 10s-14s finish", "2 on [0] 14s-19s finish")
}

// Job 2 goes to the lowest machine with room, or with consolidate to the fullest.
func TestLowest(t *testing.T) {
	job := func(submit float64, gpus int32, run float64) sim.Job {
		return sim.Job{Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
	}
	three := func() []sim.Job { return []sim.Job{job(0, 2, 4), job(0, 3, 20), job(1, 1, 9)} }
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: three()}.Expect(t, policy(t, "fifo", "place=lowest"),
		"0 on [0 1] 0s-4s finish", "2 on [2] 1s-10s finish", "1 on [4 5 6] 0s-20s finish")
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: three()}.Expect(t, policy(t, "fifo", "place=consolidate"),
		"0 on [0 1] 0s-4s finish", "2 on [7] 1s-10s finish", "1 on [4 5 6] 0s-20s finish")
}
