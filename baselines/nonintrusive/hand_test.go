package nonintrusive

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// With speeds whose times left fall by less and less, the steps give the least sum of times of all
// allocations.
func TestStepsAgainstAll(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := &Policy{left: []int64{int64(r.IntN(9))}}
		for i := range 1 + r.IntN(4) {
			e := entry{job: sim.JobID(i), lo: 1, n: 1, hi: 1 + r.IntN(6), work: 1 + 99*r.Float64(), curve: []float64{0}}
			x := 1 - r.Float64()/2
			for n := 1; n <= e.hi; n++ {
				e.curve = append(e.curve, math.Pow(float64(n), x))
			}
			p.active = append(p.active, e)
		}
		want := least(p.active, int(p.left[0]))
		p.grow()
		got := 0.0
		for i := range p.active {
			got += p.active[i].time(p.active[i].n)
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("seed %d: the steps give a sum of %v, the best is %v", seed, got, want)
		}
	}
}

// least is the smallest sum of times with so many GPUs more.
func least(es []entry, left int) float64 {
	if len(es) == 0 {
		return 0
	}
	best := math.Inf(1)
	for n := es[0].n; n <= es[0].hi && n-es[0].n <= left; n++ {
		best = min(best, es[0].time(n)+least(es[1:], left-(n-es[0].n)))
	}
	return best
}

// Speeds that are known for some counts alone are reached in one step, and a step is taken for what
// it gives for each GPU.
func TestStepsOverGaps(t *testing.T) {
	p := &Policy{left: []int64{4}}
	p.active = []entry{
		{job: 0, n: 1, hi: 4, work: 12, curve: []float64{0, 1, 0, 0, 4}}, // 12 to 3: 3 for each of 3
		// 10 to 8 with one more: 2; 10 to 5 with two: 2.5
		{job: 1, n: 1, hi: 3, work: 10, curve: []float64{0, 1, 1.25, 2}},
	}
	p.grow()
	if a, b := p.active[0].n, p.active[1].n; a != 4 || b != 2 {
		t.Errorf("%d and %d GPUs, want 4 and 2", a, b)
	}
}

// ask may have lo to hi GPUs and needs gpu GPU-seconds.
func ask(submit float64, lo, hi int32, gpu float64) sim.Job {
	return sim.Job{Submit: sim.Seconds(submit), GPUs: lo, MinGPUs: lo, MaxGPUs: hi, Work: sim.Seconds(gpu)}
}

// A job alone has all 4 GPUs. At 10 s, with 60 GPU-seconds left of 100, another comes with 20: each
// gets one, then the steps go to the first, whose time falls by 30 s, by 10 s (as the second's
// would: the first arrived first), and it keeps 3. When the second ends at 30 s it has nothing left
// either.
func TestIncomingJobs(t *testing.T) {
	jobs := []sim.Job{ask(0, 1, 4, 100), ask(10, 1, 4, 20)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "restart_s=0")(),
		"0 on [0 1 2 3] 0s-10s resize", "0 on [0 1 2] 10s-30s finish", "1 on [3] 10s-30s finish")
}

// Alone again, a job grows if that saves more than a restart: 30 s left on 2 GPUs, 15 s on 4.
func TestRestartsMustPay(t *testing.T) {
	jobs := []sim.Job{ask(0, 2, 2, 20), ask(0, 2, 4, 80)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "restart_s=14")(),
		"0 on [0 1] 0s-10s finish", "1 on [2 3] 0s-10s resize", "1 on [0 1 2 3] 10s-25s finish")
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "restart_s=16")(),
		"0 on [0 1] 0s-10s finish", "1 on [2 3] 0s-40s finish")
}
