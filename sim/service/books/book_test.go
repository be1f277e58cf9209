package books

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/service"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

func open(t *testing.T, m *service.Model) *Book {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	return New(m, top, 10)
}

func one(l service.Latency) *service.Model {
	return &service.Model{Latency: l, Own: []bool{false, true},
		Services: []service.Spec{{Name: "a", Replicas: 2, RatePerS: 5, DeadlineS: 1, Target: 0.9}}}
}

// One server has exponential times; requests that a model with no waits answers take one service.
func TestQuantiles(t *testing.T) {
	b := open(t, one(service.MMC))
	b.Serve(&service.Span{To: 100e6, LoadPerS: 3, CapacityPerS: 5, Replicas: 1})
	for _, p := range []float64{0.5, 0.95, 0.99} {
		near(t, "M/M/1", QuantileS(b.Services, p), -math.Log(1-p)/2)
	}
	near(t, "mean of M/M/1", b.Services[0].MeanS(), 0.5)
	near(t, "attained of M/M/1", b.Services[0].Attained(), 1-math.Exp(-2))
	if v := QuantileS(open(t, one(service.MMC)).Services, 0.5); !math.IsNaN(v) {
		t.Errorf("quantile without requests %v", v)
	}
	// Fluid: 10 s at 3 above capacity, 15 s until the backlog of 30 is gone, 75 s without one.
	b = open(t, one(service.Fluid))
	b.Serve(&service.Span{To: 10e6, LoadPerS: 8, CapacityPerS: 5, Replicas: 1})
	b.Serve(&service.Span{From: 10e6, To: 100e6, LoadPerS: 3, CapacityPerS: 5, Replicas: 1, Backlog: 30})
	s := &b.Services[0]
	near(t, "median", QuantileS(b.Services, 0.5), 0.2)
	// 80 and 45 of 350 requests met a backlog of up to 30: times even from 0.2 to 6.2 s
	near(t, "p95", QuantileS(b.Services, 0.95), 0.2+6*(1-0.05*350/125))
	near(t, "mean", s.MeanS(), (30*10/2+30*15/2+350*0.2)/350)
	near(t, "backlog", s.BacklogS, 30*25/2)
	near(t, "good", s.Good, 80*4.0/30+45*4.0/30+225)
	b.Serve(&service.Span{From: 100e6, To: 200e6, LoadPerS: 3})
	if v := QuantileS(b.Services, 0.99); !math.IsInf(v, 1) {
		t.Errorf("p99 with hours without a replica is %v, expected +Inf", v)
	}
}

// What is answered within the deadline by the laws of latency is what the ledger counts as good, and at
// a quantile its part of the requests is answered, no sooner.
func TestLawsAreTheLedgers(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := one(service.Latency(seed % 2))
		m.Services[0].DeadlineS = []float64{0.3, 1, 5}[seed%3]
		b := open(t, m)
		s := &b.Services[0]
		for at := int64(0); at < 4000e6; {
			c := int32(r.IntN(5))
			x := service.Span{From: at, To: at + int64(1+r.IntN(300))*1e6, LoadPerS: float64(r.IntN(18)), Replicas: c,
				CapacityPerS: 5 * float64(c), Backlog: s.Backlog}
			b.Serve(&x)
			at = x.To
		}
		near(t, "good", s.within(m.Services[0].DeadlineS), s.Good)
		for _, p := range []float64{0.1, 0.5, 0.9} {
			v := QuantileS(b.Services, p)
			switch {
			case math.IsInf(v, 1):
				if got := s.within(math.MaxFloat64); got >= p*s.Arrived {
					t.Errorf("seed %d: quantile %v is %v, and %v of %v are answered", seed, p, v, got, s.Arrived)
				}
			case s.within(v) < p*s.Arrived*(1-1e-9) || s.within(v*(1-1e-9)) > p*s.Arrived*(1+1e-6):
				t.Errorf("seed %d: within the quantile %v, %v s, %v of %v are answered", seed, p, v, s.within(v), s.Arrived)
			}
		}
	}
}

// Stretches add up to the ledger, whatever their length.
func TestStretches(t *testing.T) {
	for _, width := range []int64{1, 40, 4000} {
		b := open(t, one(service.Fluid))
		at, q := int64(0), 0.0
		for i := range int64(60) {
			x := service.Span{From: at, To: at + width*(7+i*13%29)*1e6, LoadPerS: float64(2 + i*7%9), CapacityPerS: 5,
				Replicas: 1, Backlog: q}
			b.Serve(&x)
			at, q = x.To, b.Services[0].Backlog
		}
		var sum Stretch
		length, all := b.Stretches(0)
		for i := range all {
			sum.plus(&all[i])
		}
		s := &b.Services[0]
		near(t, "arrived", sum.Arrived, s.Arrived)
		near(t, "good", sum.Good, s.Good)
		near(t, "backlog", sum.BacklogS, s.BacklogS)
		near(t, "time", sum.Seconds, float64(at)/1e6)
		if n := len(all); n > maxStretches || float64(n)*length < float64(at)/1e6 {
			t.Errorf("%d stretches of %v s over %v s", n, length, float64(at)/1e6)
		}
	}
}

// A job is counted once, whether it is stopped before or after its machines are taken back, and on one
// or both of them.
func TestStoppedByReclaims(t *testing.T) {
	for order := range 3 {
		b := open(t, one(service.Fluid))
		at := 20 * sim.Second
		for k := range 3 {
			if k == order {
				b.Interval(&sim.Interval{GPUs: []cluster.GPU{1, 2}, Start: sim.Second, End: at, Reason: end.Preempt})
			}
			if k < 2 {
				b.Lend(int32(k), false, at)
			}
		}
		b.Interval(&sim.Interval{Job: 1, GPUs: []cluster.GPU{3}, End: at, Reason: end.Finish})
		if b.Loans.Preempted != 1 || b.Loans.Reclaims != 2 {
			t.Errorf("stopped as number %d: %d reclaims, %d jobs stopped, expected 2 and 1", order, b.Loans.Reclaims,
				b.Loans.Preempted)
		}
	}
}

// Machines that are lent, what jobs hold of them, who is stopped when they are taken back, and jobs
// beside replicas.
func TestLoans(t *testing.T) {
	b := open(t, one(service.Fluid))
	job := func(id sim.JobID, g cluster.GPU, start, stop sim.Time, share int32, why end.Reason) *sim.Interval {
		return &sim.Interval{Job: id, GPUs: []cluster.GPU{g}, Start: start * sim.Second, End: stop * sim.Second,
			Knobs: sim.Knobs{ShareMilli: share}, Reason: why}
	}
	b.Lend(1, false, 0)
	b.Lend(1, true, 10*sim.Second)
	b.Interval(job(0, 2, 12, 20, 1000, end.Preempt))
	b.Interval(job(1, 0, 0, 20, 1000, end.Preempt)) // elsewhere
	b.Lend(1, false, 20*sim.Second)
	b.Interval(job(2, 3, 15, 22, 1000, end.Preempt)) // its checkpoint
	b.Replica(job(10, 0, 20, 30, 400, end.Preempt))
	b.Interval(job(3, 0, 25, 40, 500, end.Finish))
	near(t, "lent", b.Loans.LentGPUS(50*sim.Second), 20)
	near(t, "used", b.Loans.UsedGPUS, 8+7)
	near(t, "late", b.Loans.LateGPUS, 2)
	near(t, "harvested", b.HarvestedGPUS(), 5*0.5)
	near(t, "replicas", b.Services[0].ReplicaGPUS, 10*0.4)
	if b.Loans.Reclaims != 1 || b.Loans.Preempted != 1 {
		t.Errorf("%d reclaims, %d jobs stopped, expected 1 and 1", b.Loans.Reclaims, b.Loans.Preempted)
	}
}
