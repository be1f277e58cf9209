package gandivafair

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func asks(user string, gpus int32, run sim.Time) sim.Job {
	return sim.Job{User: user, GPUs: gpus, Work: sim.Time(gpus) * run * sim.Second}
}

// One server of 2 GPUs, quanta of 10 s. a has a gang of 2, b two jobs of 1. All passes are 0; a is
// first by arrival and is charged 20, then b's two jobs 10 each: 20. Equal passes: a again.
func TestStrideByHand(t *testing.T) {
	c := simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: []sim.Job{asks("a", 2, 20), asks("b", 1, 20), asks("b", 1, 20)}}
	c.Expect(t, policy(t, "quantum=10")(), "0 on [0 1] 0s-10s preempt", "2 on [1] 10s-20s preempt",
		"1 on [0] 10s-20s preempt",
		"0 on [0 1] 20s-30s finish", "1 on [0] 30s-40s finish", "2 on [1] 30s-40s finish")
}

// Three tickets against one: a is charged 10/3 for a quantum, b 10. At 40 s both have 10, and a is
// first by arrival.
func TestTicketsByHand(t *testing.T) {
	c := simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: []sim.Job{asks("a", 1, 60), asks("b", 1, 20)}}
	c.Expect(t, policy(t, "quantum=10,tickets=a:3")(), "0 on [0] 0s-10s preempt", "1 on [0] 10s-20s preempt",
		"0 on [0] 20s-50s preempt", "1 on [0] 50s-60s finish", "0 on [0] 60s-80s finish")
}

// A gang that does not fit keeps its low pass: b's gang of 2 is passed over while a's first job
// runs to the end of the quantum, c takes what is left, and then b is first.
func TestSkippedGangByHand(t *testing.T) {
	c := simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: []sim.Job{asks("a", 1, 30), asks("b", 2, 10), asks("c", 1, 30)}}
	c.Expect(t, policy(t, "quantum=10")(), "2 on [1] 0s-10s preempt", "0 on [0] 0s-10s preempt",
		"1 on [0 1] 10s-20s finish",
		"0 on [0] 20s-40s finish", "2 on [1] 20s-40s finish")
}

// Two servers of 2. b's four jobs start at once and are charged 40. At 10 s the wide job of a has
// pass 0, is picked before the servers choose, and is charged 40; at 20 s its pass is not above
// b's, so it stays.
func TestCentralByHand(t *testing.T) {
	c := simtest.ByHand{Shape: [3]int{1, 2, 2}, Jobs: []sim.Job{asks("b", 1, 20), asks("b", 1, 20), asks("b", 1, 20),
		asks("b", 1, 20), asks("a", 4, 20)}}
	c.Expect(t, policy(t, "quantum=10")(), "2 on [1] 0s-10s preempt", "0 on [0] 0s-10s preempt",
		"3 on [3] 0s-10s preempt", "1 on [2] 0s-10s preempt",
		"4 on [0 1 2 3] 10s-30s finish", "0 on [0] 30s-40s finish", "2 on [1] 30s-40s finish",
		"1 on [2] 30s-40s finish", "3 on [3] 30s-40s finish")
}

// A checkpoint of 3 s: the picked gang gets its GPUs when both are written, and no other job gets
// one of them meanwhile.
func TestPromiseByHand(t *testing.T) {
	c := simtest.ByHand{Shape: [3]int{1, 1, 2}, Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 3}},
		Jobs: []sim.Job{asks("a", 1, 20), asks("a", 1, 20), asks("b", 2, 7)}}
	c.Expect(t, policy(t, "quantum=10")(), "1 on [1] 0s-13s preempt", "0 on [0] 0s-13s preempt",
		"2 on [0 1] 13s-20s finish",
		"0 on [0] 20s-30s finish", "1 on [1] 20s-30s finish")
}
