package voda

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// job arrives at a second and would run for some on one GPU; speeds count GPUs.
func job(submit, work, lo, num, hi int) sim.Job {
	return sim.Job{Submit: sim.Time(submit) * sim.Second, Work: sim.Time(work) * sim.Second, GPUs: int32(num),
		MinGPUs: int32(lo), MaxGPUs: int32(hi)}
}

// ElasticFIFO on 4 GPUs, at most every 30 s: job 1 arrives at 10 s and waits for the rescheduling
// at 30 s, though job 0 could shrink at once. Job 1 ends at 50 s; its GPUs go to job 0 at 60 s.
func TestRateLimitByHand(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{job(0, 240, 1, 2, 4), job(10, 40, 1, 2, 2)}}.Expect(t,
		policy(t, "voda", "")(),
		"0 on [0 1 2 3] 0s-30s resize", "1 on [2 3] 30s-50s finish", "0 on [0 1] 30s-60s resize",
		"0 on [0 1 2 3] 60s-75s finish")
}

// SRJF on 2 GPUs without a limit: the shorter job takes over.
func TestShortestByHand(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: []sim.Job{job(0, 100, 2, 2, 2), job(10, 20, 2, 2, 2)}}.Expect(t,
		policy(t, "voda", "algorithm=srjf,interval=0")(),
		"0 on [0 1] 0s-10s preempt", "1 on [0 1] 10s-20s finish", "0 on [0 1] 20s-60s finish")
}

// Tiresias on 2 GPUs: job 0 has had 60 GPU-seconds at 30 s, falls at the check at 32 s (every 8 s)
// and gives way. It has run 32 s and comes back when it has waited twice as long, at 96 s, when job
// 2 falls. So they take turns of 32 s.
func TestQueuesByHand(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 2}, Jobs: []sim.Job{job(0, 200, 2, 2, 2), job(1, 200, 2, 2, 2),
		job(2, 200, 2, 2, 2)}}.Expect(t,
		policy(t, "voda", "algorithm=tiresias,interval=0,check=8,queue=60,promote=2")(),
		"0 on [0 1] 0s-32s preempt", "1 on [0 1] 32s-64s preempt", "2 on [0 1] 64s-96s preempt",
		"0 on [0 1] 96s-128s preempt",
		"1 on [0 1] 128s-160s preempt", "2 on [0 1] 160s-192s preempt", "0 on [0 1] 192s-224s preempt",
		"1 on [0 1] 224s-256s preempt",
		"2 on [0 1] 256s-288s preempt", "0 on [0 1] 288s-292s finish", "1 on [0 1] 292s-296s finish",
		"2 on [0 1] 296s-300s finish")
}

// AFS-L on 4 GPUs with speeds that count: one GPU more gains 1/w for the shorter and 1/(w+1) to
// the longer. At 10 s job 1 is the shorter: both get one; then job 1, which is shorter: job 0 would
// add 1/2, and job 1 gains 1/1; the fourth goes to job 1 too, for 1/2 is not more than 1/2.
func TestAFSByHand(t *testing.T) {
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{job(0, 120, 1, 1, 4), job(10, 30, 1, 1, 4)}}.Expect(t,
		policy(t, "afs-l", "")(),
		"0 on [0 1 2 3] 0s-10s resize", "1 on [1 2 3] 10s-20s finish", "0 on [0] 10s-20s resize",
		"0 on [0 1 2 3] 20s-37.5s finish")
}

// Settings that are wrong are named.
func TestWrongSettings(t *testing.T) {
	for name, text := range map[string]string{"voda": "algorithm=lifo", "afs-l": "share=all", "edl": "queue=0"} {
		p, err := builders()[name](param.Parse("policy "+name, text), cluster.BestFit)
		if err == nil {
			t.Errorf("%s:%s gives %v, expected an error", name, text, p)
		}
	}
}
