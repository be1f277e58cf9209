package ffdl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// of is a job of a virtual cluster.
func of(vc string, j sim.Job) sim.Job {
	j.VC = vc
	return j
}

// low is a job of negative priority.
func low(j sim.Job) sim.Job {
	j.Priority = -1
	return j
}

// tiers is a case by hand of 4 GPUs, of which a and b own 2 each.
type tiers struct {
	settings string
	costs    sim.Costs
	jobs     []sim.Job
}

func (c tiers) expect(t *testing.T, want ...string) {
	t.Helper()
	for i := range c.jobs {
		c.jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", c.jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	set, err := tenant.New([]tenant.Tenant{{VC: "a", GPUs: 2}, {VC: "b", GPUs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	var got simtest.Tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Costs: c.costs, Tenants: set, Check: true}
	if _, err := sim.Run(context.Background(), cfg, policy(t, "quota=free,poll_s=0"+c.settings)(), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Lines, want) {
		t.Errorf("%s: got\n%q\nwant\n%q", c.settings, got.Lines, want)
	}
}

// Job 1 takes a above its quota and is of the free tier. Job 2 of b is within its own and has its
// GPUs at 5 s; job 1 has done 4 of 50 s, and waits until 15 s.
func TestEviction(t *testing.T) {
	jobs := func() []sim.Job {
		return []sim.Job{of("a", ask(0, 2, 0, 50)), of("a", ask(1, 2, 0, 50)), of("b", ask(5, 2, 0, 10))}
	}
	tiers{"", sim.Costs{}, jobs()}.expect(t, "1 on [2 3] 1s-5s preempt", "2 on [2 3] 5s-15s finish",
		"0 on [0 1] 0s-50s finish", "1 on [2 3] 15s-61s finish")
	// A checkpoint of 3 s is waited for. Job 3, above a's quota too, does not take what is free
	// then.
	tiers{"", sim.Costs{Checkpoint: sim.Cost{FixedS: 3}}, append(jobs(), of("a", ask(6, 1, 0, 9)))}.expect(t,
		"1 on [2 3] 1s-8s preempt", "2 on [2 3] 8s-18s finish", "0 on [0 1] 0s-50s finish", "3 on [0] 50s-59s finish",
		"1 on [2 3] 18s-64s finish")
}

// Negative priority is of the free tier even within a quota, and gives way. The limit of 2 GPUs
// counts within quotas alone: job 1 is admitted at 5 s, and job 0 leaves, though its GPUs are not
// needed.
func TestLowPriority(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{of("a", low(ask(0, 2, 0, 50))), of("b", ask(5, 2, 0, 10))} }
	tiers{"", sim.Costs{}, jobs()}.expect(t, "1 on [2 3] 5s-15s finish", "0 on [0 1] 0s-50s finish")
	tiers{",limit=any:2", sim.Costs{}, jobs()}.expect(t, "0 on [0 1] 0s-5s preempt", "1 on [0 1] 5s-15s finish",
		"0 on [0 1] 15s-60s finish")
}

// Job 3 needs one GPU. The last of the free tier, job 2, gives it up; job 1 stays.
func TestLastAdmittedGoes(t *testing.T) {
	tiers{"", sim.Costs{}, []sim.Job{of("a", ask(0, 2, 0, 50)), of("a", ask(1, 1, 0, 50)), of("a", ask(2, 1, 0, 50)),
		of("b", ask(5, 1, 0, 10))}}.expect(t,
		"2 on [3] 2s-5s preempt", "3 on [3] 5s-15s finish", "0 on [0 1] 0s-50s finish", "1 on [2] 1s-51s finish",
		"2 on [3] 15s-62s finish")
}

// guard checks after each decision that no tenant has admitted more within its quota than that, and
// that what it has admitted runs unless it fits nowhere even without the free tier.
type guard struct {
	*Policy
	t    *testing.T
	seen map[string]int
}

func (g guard) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = g.Policy.Decide(v, out)
	open := make([]bool, v.Topology().GPUs())
	v.Free().Rollback(0)
	for i := range open {
		open[i] = v.Free().Has(cluster.GPU(i))
	}
	for _, d := range out { // in order: what stops may start again
		switch d.Kind {
		case sim.Preempt:
			g.seen["evicted"]++
			for _, x := range v.Run(d.Job).Held() {
				open[x] = true
			}
		case sim.Start:
			for _, x := range d.GPUs {
				open[x] = g.jobs[d.Job].free
			}
		}
	}
	used := map[string]int{}
	for id := range g.jobs {
		j, x := sim.JobID(id), &g.jobs[id]
		if x.gpus == 0 || v.Run(j).State() != sim.Running || slices.ContainsFunc(out,
			func(d sim.Decision) bool { return d.Kind == sim.Preempt && d.Job == j }) {
			continue
		}
		if x.free {
			for _, y := range v.Run(j).Held() {
				open[y] = true
			}
		}
		if !x.free {
			used[v.Job(j).VC()] += int(x.gpus)
		}
	}
	room := 0
	for _, o := range open {
		if o {
			room++
		}
	}
	for i := range g.shapes {
		if s := &g.shapes[i]; !s.free {
			for _, j := range s.jobs[s.head:] {
				used[v.Job(j).VC()] += int(s.GPUs)
				if g.seen["waits"]++; room >= int(s.GPUs) { // learners of one GPU
					g.t.Fatalf("at %v job %d is admitted within its quota and waits, %d GPUs are free or of the "+
						"free tier", v.Now(), j, room)
				}
			}
		}
	}
	for _, d := range out {
		if d.Kind == sim.Start && !g.jobs[d.Job].free {
			used[v.Job(d.Job).VC()] += v.Job(d.Job).GPUs()
		}
	}
	for vc, n := range used {
		if q, ok := v.Tenants().Quota(vc); ok && n > q {
			g.t.Fatalf("at %v %s has %d GPUs within its quota of %d", v.Now(), vc, n, q)
		}
	}
	return out
}

func TestFreeTierGivesWay(t *testing.T) {
	seen := map[string]int{}
	late := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 43))
		tight := seed%2 == 0
		top, err := cluster.New(cluster.Uniform(2, 2, 1+r.IntN(4), 1))
		if err != nil {
			t.Fatal(err)
		}
		left, rows := top.GPUs(), []tenant.Tenant{}
		for _, vc := range []string{"a", "b", "c"} {
			q := 1 + r.IntN(top.GPUs())
			if tight {
				q = min(q, left)
				left -= q
			}
			if q > 0 {
				rows = append(rows, tenant.Tenant{VC: vc, GPUs: q})
			}
		}
		set, err := tenant.New(rows)
		if err != nil {
			t.Fatal(err)
		}
		var jobs []sim.Job
		at := 0.0
		for i := range 60 {
			at += r.ExpFloat64() * 4
			j := of(rows[r.IntN(len(rows))].VC, ask(at, int32(1+r.IntN(min(5, top.GPUs()))), 1, 1+r.ExpFloat64()*30))
			if j.ID = fmt.Sprintf("%02d", i); r.IntN(6) == 0 {
				j = low(j)
			}
			jobs = append(jobs, j)
		}
		w, err := sim.NewWorkload("crowd", jobs)
		if err != nil {
			t.Fatal(err)
		}
		settings := []string{"", ",place=spread", ",place=bsa,samples=3", ",limit=none"}[seed/2%4]
		p := policy(t, "quota=free,poll_s=0"+settings)().(*Policy)
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Tenants: set, Check: true}, guard{p, t, seen})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if tight && seen["waits"] > late {
			t.Fatalf("seed %d: %d times a job waits within its quota, and quotas add up to what there is", seed,
				seen["waits"]-late)
		}
		late = seen["waits"]
		for i := range jobs {
			if s := e.Record(sim.JobID(i)).State; s != sim.Done {
				t.Fatalf("seed %d: job %d is %v", seed, i, s)
			}
		}
	}
	if seen["evicted"] < 1000 || seen["waits"] < 500 {
		t.Errorf("only %v: the cases are too easy", seen)
	}
}

// With checkpoints, failures, limits and polls every job of 200 drawn crowds ends, and the books
// are empty then.
func TestTiersEnd(t *testing.T) {
	thrown := int64(0)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 9))
		cfg := drawn(t, seed)
		for i := range cfg.Workload.Jobs {
			j := &cfg.Workload.Jobs[i]
			if j.VC = []string{"a", "b", "c"}[r.IntN(3)]; r.IntN(5) == 0 {
				j.Priority = -1
			}
		}
		set, err := tenant.New([]tenant.Tenant{{VC: "a", GPUs: 1 + r.IntN(6)}, {VC: "b", GPUs: 1 + r.IntN(6)}})
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Tenants = set; seed%2 == 0 {
			cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 1.5}, Restore: sim.Cost{FixedS: 1}}
		}
		if seed%3 == 0 {
			cfg.Outages = outage.Schedule{{At: 20 * sim.Second, GPU: -1},
				{At: 40 * sim.Second, GPU: -1, Up: true}}.Source()
		}
		p := policy(t, "quota=free,"+[]string{"poll_s=0", "poll_s=7,limit=any:6+k80:3+v100:4",
			"poll_s=0,limit=any:5"}[seed%3])().(*Policy)
		e, err := sim.Run(context.Background(), cfg, p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range cfg.Workload.Jobs {
			if s := e.Record(sim.JobID(i)).State; s != sim.Done && s != sim.Refused {
				t.Fatalf("seed %d: job %d is %v", seed, i, s)
			}
		}
		for i := range p.queues {
			if q := &p.queues[i]; q.used != 0 || q.free != 0 || len(p.frees) > 0 || p.draining != 0 {
				t.Fatalf("seed %d: %+v is left", seed, *q)
			}
		}
		for i := range p.tenants {
			thrown += p.tenants[i].thrown
		}
	}
	if thrown < 200 {
		t.Errorf("%d evictions: the cases are too easy", thrown)
	}
}
