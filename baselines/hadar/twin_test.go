package hadar

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// perType is a speed model: a rate for each model and type on one GPU; a gang runs at its slowest
// member, and 0.7 as fast on several machines.
type perType struct {
	top    *cluster.Topology
	rates  map[string]map[string]float64
	across float64
}

func (s perType) Speed(q *sim.Query) (sim.Speed, error) {
	least := math.Inf(1)
	for _, g := range q.GPUs {
		least = min(least, s.rates[q.Job.Model][s.top.Type(s.top.Machine(g))])
	}
	if s.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		least *= s.across
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * least, ComputeFrac: 1}, nil
}

// drawn is a small typed cluster and some jobs.
func drawn(t *testing.T, seed uint64, jobs int, across float64) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	spec := cluster.Spec{Racks: make([][]cluster.Machines, 1)}
	types := []string{"k80", "p100", "v100"}[:1+r.IntN(3)]
	for i := range 2 + r.IntN(3) {
		spec.Racks[0] = append(spec.Racks[0], cluster.Machines{Count: 1, GPUs: 1 + r.IntN(4),
			Type: types[i%len(types)]})
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	m := perType{top, map[string]map[string]float64{}, across}
	var js []sim.Job
	for i := range jobs {
		model := []string{"a", "b", "c"}[r.IntN(3)]
		if m.rates[model] == nil {
			m.rates[model] = map[string]float64{"k80": 1, "p100": 1 + 2*r.Float64(), "v100": 1 + 5*r.Float64()}
		}
		js = append(js, sim.Job{ID: fmt.Sprint(i), Model: model, GPUs: int32(1 + r.IntN(min(5, top.GPUs()))),
			Submit: sim.Time(r.IntN(400)) * sim.Second,
			Work:   sim.Time(1+r.IntN(5000)) * sim.Second})
	}
	w, err := sim.NewWorkload("drawn", js)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: m, Check: true}
}

// looked is a policy whose rounds are compared with another way to find them, before they are
// decided.
type looked struct {
	*Policy
	look func(v *sim.View, p *Policy)
}

func (l looked) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	before := l.round
	out = l.Policy.Decide(v, out)
	if l.round != before && len(l.active) > 0 {
		l.look(v, l.Policy)
	}
	return out
}

// rounds runs cases, with both utilities in turn, and looks at each round.
func rounds(t *testing.T, cases, jobs int, across float64, settings string, look func(v *sim.View, p *Policy)) {
	n := 0
	for seed := range uint64(cases) {
		p := policy(t, settings+[]string{"", ",utility=throughput"}[seed%2])().(*Policy)
		cfg := drawn(t, seed, jobs, across)
		a := simtest.NewAudit(cfg.Workload, cfg.Topology)
		e, err := sim.Run(context.Background(), cfg, looked{p, func(v *sim.View, p *Policy) { n++; look(v, p) }}, a)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := a.Close(e); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if n < 2*cases {
		t.Errorf("%d rounds in %d cases, expected more", n, cases)
	}
}

// The search finds what trying all choices finds: every job of the queue placed or passed over,
// 2^jobs of them.
func TestChoicesAgainstAll(t *testing.T) {
	rounds(t, 120, 7, 0.7, "round=60", func(v *sim.View, p *Policy) {
		got := p.search.most
		p.bids(v)
		p.open(v)
		slices.SortFunc(p.queue, compareBids)
		best := 0.0
		for set := range 1 << len(p.queue) {
			sum := 0.0
			for i := range p.queue {
				if set>>i&1 == 0 {
					continue
				}
				payoff, parts, ok := p.offer(v, &p.queue[i])
				if !ok || payoff <= 0 {
					sum = math.Inf(-1)
					break
				}
				sum += payoff
				p.take(int32(i), parts)
			}
			best = max(best, sum)
			p.search.now, p.search.arena = p.search.now[:0], p.search.arena[:0]
			p.open(v)
		}
		if math.Abs(best-got) > 1e-9*max(1, best) {
			t.Errorf("at %v: the search found %v, all choices %v", v.Now(), got, best)
		}
	})
}

// The front of the queue alone, up to the first job that cannot have a payoff, gives what looking
// at every job in the order gives.
func TestGreedyAgainstAll(t *testing.T) {
	rounds(t, 120, 20, 0.7, "round=60,exact=0", func(v *sim.View, p *Policy) {
		var got, want []string
		for i, w := range p.wants {
			got = append(got, fmt.Sprint(w.Job, p.search.now[i].hi-p.search.now[i].lo))
		}
		p.bids(v)
		p.open(v)
		slices.SortFunc(p.queue, compareBids)
		for i := range p.queue {
			if payoff, parts, ok := p.offer(v, &p.queue[i]); ok && payoff > 0 {
				want = append(want, fmt.Sprint(p.queue[i].job, len(parts)))
				p.take(int32(i), parts)
			}
		}
		if len(want) > 0 && !slices.Equal(got, want) {
			t.Errorf("at %v: the plan is %v, all jobs in their order give %v", v.Now(), got, want)
		}
	})
}

// Where distance costs nothing, the placement of a waiting job has the largest payoff of all ways
// to take its GPUs from the machines.
func TestOfferAgainstAll(t *testing.T) {
	rounds(t, 60, 8, 1, "round=60,exact=0", func(v *sim.View, p *Policy) {
		p.bids(v)
		p.open(v)
		for i := range p.queue {
			b := &p.queue[i]
			x := &p.jobs[b.job]
			if v.Run(b.job).State() != sim.Waiting {
				continue
			}
			best := math.Inf(-1)
			var walk func(m int, left int32, cost, rate float64)
			walk = func(m int, left int32, cost, rate float64) {
				if left == 0 {
					best = max(best, p.utility(b, b.left/rate)-cost)
				}
				if left == 0 || m == len(p.hosts) {
					return
				}
				h := &p.hosts[m]
				for n := int32(0); n <= min(left, h.free); n++ {
					r := rate
					if n > 0 {
						r = min(r, oneRate(v, p, b.job, m)*float64(x.gpus))
					}
					walk(m+1, left-n, cost+float64(n)*h.price, r)
				}
			}
			walk(0, x.gpus, 0, math.Inf(1))
			payoff, parts, ok := p.offer(v, b)
			if ok != !math.IsInf(best, -1) || ok && math.Abs(payoff-best) > 1e-9*max(1, math.Abs(best)) {
				t.Errorf("at %v: job %d gets a payoff of %v on %v, the best of all is %v", v.Now(), b.job, payoff,
					parts, best)
			}
			if ok && payoff > 0 {
				p.take(int32(i), parts)
			}
		}
	})
}

// oneRate is the speed of a job on a GPU of a machine, of its gang.
func oneRate(v *sim.View, p *Policy, j sim.JobID, m int) float64 {
	lo, _ := v.Topology().MachineGPUs(m)
	return v.Predict(j, sim.Placement{GPUs: []cluster.GPU{lo}, Alone: true}).Rate
}

// Prices worked out by hand: 4 GPUs, rounds of 360 s. The first job asks for 2 GPUs and ends after
// 360 s, one round: U = 720/360 = 2, 1 per GPU, and at least 2/(4 x 1 x 2) = 0.25. The second asks
// for 1 and ends after 720 s, two rounds: U = 1, at least 1/(4 x 2 x 1) = 0.125. So prices go from
// 0.125 to 1: 0.125 x 8^(g/4). With the first placed, the payoffs are 2 - 2 x 0.125 = 1.75 and 1 -
// 0.125 x 8^(2/4) = 0.646447.
func TestPricesByHand(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("by hand", []sim.Job{{ID: "0", GPUs: 2, Work: 720 * sim.Second},
		{ID: "1", GPUs: 1, Work: 720 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for _, exact := range []string{"utility=throughput", "utility=throughput,exact=0"} {
		p, seen := policy(t, exact)().(*Policy), 0
		look := func(v *sim.View, p *Policy) {
			if seen++; seen > 1 {
				return
			}
			p.bids(v)
			k := &p.types[0]
			if k.low != 0.125 || math.Abs(k.ln-math.Log(8)) > 1e-12 {
				t.Errorf("prices from %v, times %v, want from 0.125, times 8", k.low, math.Exp(k.ln))
			}
			if h := &p.hosts[0]; math.Abs(h.price-0.125*math.Pow(8, 0.75)) > 1e-12 || h.free != 1 {
				t.Errorf("with 3 of 4 GPUs given out the price is %v, %d are free", h.price, h.free)
			}
			if exact == "utility=throughput" && math.Abs(p.search.most-(1.75+1-0.125*math.Sqrt(8))) > 1e-12 {
				t.Errorf("payoffs add up to %v", p.search.most)
			}
		}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, looked{p, look}); err != nil {
			t.Fatal(err)
		}
	}
}

// A gang of 3 on 2 fast GPUs, of speed 4, and 2 slow ones, of speed 1: no type has 3, so it takes
// both fast ones and a slow one, and runs at speed 3.
func TestMixedGangRunsAtItsSlowest(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "v100"},
		{Count: 1, GPUs: 2, Type: "k80"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("mixed", []sim.Job{{ID: "0", GPUs: 3, Model: "a", Work: 300 * sim.Second},
		{ID: "1", GPUs: 2, Model: "a", Submit: 1, Work: 80 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	var tape simtest.Tape
	m := perType{top, map[string]map[string]float64{"a": {"v100": 4, "k80": 1}}, 1}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
		policy(t, "round=500")(), &tape); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 on [0 1 2] 0s-100s finish", "1 on [0 1] 500s-510s finish"}
	if !slices.Equal(tape.Lines, want) {
		t.Errorf("got %q, want %q", tape.Lines, want)
	}
}

// beside slows a job down by each other job on its GPUs.
type beside struct{}

func (beside) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)) * float64(q.ShareMilli) / 1000 / float64(1+len(q.Peers)),
		ComputeFrac: 1}, nil
}

// The speed of a job on a type is that on GPUs of its own, though another job is on the first of
// them when it arrives.
func TestProfilesAreOfJobsAlone(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.Job{{ID: "0", GPUs: 1, ShareMilli: 400, Work: 100 * sim.Second},
		{ID: "1", GPUs: 1, ShareMilli: 400, Submit: 5 * sim.Second, Work: 100 * sim.Second}}
	w, err := sim.NewWorkload("beside", jobs)
	if err != nil {
		t.Fatal(err)
	}
	p := policy(t, "round=10")().(*Policy)
	rounds := 0
	l := looked{p, func(v *sim.View, p *Policy) {
		rounds++
		for _, j := range p.active {
			if got := p.rate(j, 0); got != 0.4 {
				t.Errorf("at %v job %d has a rate of %v on the type, want 0.4", v.Now(), j, got)
			}
		}
	}}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: beside{}, Check: true},
		l); err != nil {
		t.Fatal(err)
	}
	if rounds < 2 {
		t.Errorf("%d rounds, expected more", rounds)
	}
}
