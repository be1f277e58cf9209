package themis

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/simtest/fairness"
)

// One GPU, leases of 10 s, the worst-off job alone bids. Jobs of 100 s and 40 s: T_id is 200 s and
// 80 s. Without GPUs T_sh = now + waited + 10 + left. At 0 s rho is 0.55 and 0.625; at 10 s 0.65
// and 0.625; at 20 s 0.6 and 0.875; at 30 s 0.7 and 0.75; at 40 s 0.8 and 0.75; at 50 s 0.7 and 1.
func TestWorstOffAlone(t *testing.T) {
	jobs := []sim.Job{{GPUs: 1, Work: 100 * sim.Second}, {GPUs: 1, Work: 40 * sim.Second}}
	simtest.ByHand{Shape: [3]int{1, 1, 1}, Jobs: jobs}.Expect(t, policy(t, "lease=10,f=1")(),
		"1 on [0] 0s-10s preempt", "0 on [0] 10s-20s preempt", "1 on [0] 20s-40s preempt", "0 on [0] 40s-50s preempt",
		"1 on [0] 50s-60s finish",
		"0 on [0] 60s-140s finish")
}

// Two equal jobs and four GPUs: at 40/n s the product of values is largest at two each. Each keeps
// half, one; in turn they get what is left.
func TestEqualSplit(t *testing.T) {
	jobs := []sim.Job{{GPUs: 4, MinGPUs: 1, Work: 40 * sim.Second}, {GPUs: 4, MinGPUs: 1, Work: 40 * sim.Second}}
	for _, text := range []string{"lease=10,f=0", "lease=10,f=0,payments=false",
		"lease=10,f=0,left=auction,round=down"} {
		simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, text)(), "0 on [0 1] 0s-20s finish",
			"1 on [2 3] 0s-20s finish")
	}
}

// A job that grows keeps the end of its lease: at 4 s job 0 gets the GPUs of job 1, and at 10 s all
// are on offer, to job 2 as well.
func TestGrowthHasTheLeaseOfTheJob(t *testing.T) {
	jobs := []sim.Job{{GPUs: 4, MinGPUs: 1, Work: 80 * sim.Second}, {GPUs: 2, Work: 8 * sim.Second},
		{Submit: 5 * sim.Second, GPUs: 4, Work: 4 * sim.Second}}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "lease=10,f=0")(),
		"1 on [2 3] 0s-4s finish", "0 on [0 1] 0s-4s resize", "0 on [0 1 2 3] 4s-10s preempt",
		"2 on [0 1 2 3] 10s-11s finish", "0 on [0 1 2 3] 11s-23s finish")
}

// The jobs of a user bid as one: a user of one job has as much as a user of two.
func TestUsersBidTogether(t *testing.T) {
	job := func(user string) sim.Job { return sim.Job{User: user, GPUs: 4, MinGPUs: 1, Work: 400 * sim.Second} }
	jobs := []sim.Job{job("a"), job("a"), job("b")}
	jobs[2].Work = 800 * sim.Second
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "lease=1000,f=0,app=user")(),
		"0 on [0 1] 0s-200s finish", "2 on [2 3] 0s-400s finish", "1 on [0 1] 200s-400s finish")
}

// How many of n apps bid: 1 - f of them, at least one.
func TestBidders(t *testing.T) {
	for _, c := range []struct {
		text    string
		n, want int
	}{{"", 5, 1}, {"", 10, 2}, {"", 14, 2}, {"f=0", 7, 7}, {"f=1", 7, 1},
		{"f=0.5", 7, 3}, {"f=0.9", 10, 1}} {
		p := policy(t, c.text)().(*Policy)
		if got := p.cfg.bidders(c.n); got != c.want {
			t.Errorf("%q: %d of %d apps bid, expected %d", c.text, got, c.n, c.want)
		}
	}
}

// Leases end at whole multiples of their length, after half of it at least and three halves at
// most.
func TestLeasesEndTogether(t *testing.T) {
	p := policy(t, "lease=10")().(*Policy)
	for _, c := range [][2]sim.Time{{0, 10}, {4, 6}, {5, 15}, {9, 11}, {10, 10}, {24, 6}, {25, 15}} {
		if got := p.cfg.until(c[0] * sim.Second); got != c[1]*sim.Second {
			t.Errorf("a lease at %d s lasts %v, expected %d s", c[0], got, c[1])
		}
	}
}

// Equal elastic jobs have equal GPU-time, within a lease of all GPUs.
func TestEqualShares(t *testing.T) {
	for _, text := range []string{"lease=60", "lease=60,f=0", "lease=60,f=1,left=rho", "lease=60,align=false,f=0.5"} {
		var jobs []sim.Job
		for i := range 7 {
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 12, MinGPUs: 1, Work: 1 << 45})
		}
		w, err := sim.NewWorkload("equal", jobs)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 3, 4, 1))
		if err != nil {
			t.Fatal(err)
		}
		used := service{make([]float64, len(jobs))}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Until: 6 * 3600 * sim.Second}, policy(t, text)(), &used); err != nil {
			t.Fatal(err)
		}
		if err := fairness.Within(used.gpuS, []float64{1, 1, 1, 1, 1, 1, 1}, 60*12*3); err != nil {
			t.Errorf("%s: %v, %v", text, err, used.gpuS)
		}
		if least := slices.Min(used.gpuS); least < 1 {
			t.Errorf("%s: %v", text, used.gpuS)
		}
	}
}

// service adds up what each job has used.
type service struct{ gpuS []float64 }

func (s *service) Interval(i *sim.Interval) {
	s.gpuS[i.Job] += (i.End - i.Start).Seconds() * float64(len(i.GPUs))
}
func (s *service) Job(*sim.Record)    {}
func (s *service) Instant(*sim.Gauge) {}

// Of three jobs of two GPUs one lies on both machines. When another ends it stays there as long as
// its lease lasts, to 20 s; then it is packed on one machine, unless who wins again is to stay.
func TestMovesAtTheEndOfLeases(t *testing.T) {
	pair := func(work sim.Time) sim.Job { return sim.Job{GPUs: 2, Work: work * sim.Second} }
	for text, want := range map[string][]string{
		"": {"0 on [0 1] 0s-12s finish", "2 on [2 5] 0s-20s migrate", "1 on [3 4] 0s-60s finish",
			"2 on [0 2] 20s-100s finish"},
		",place=near": {"0 on [0 1] 0s-12s finish", "1 on [3 4] 0s-60s finish", "2 on [2 5] 0s-100s finish"},
	} {
		jobs := []sim.Job{pair(24), pair(120), pair(200)}
		simtest.ByHand{Shape: [3]int{1, 2, 3}, Jobs: jobs}.Expect(t, policy(t, "lease=10,f=0"+text)(), want...)
	}
}
