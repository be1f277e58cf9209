package philly

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// crowds is how many drawn cases a law is tried on: few, or 3000 in the long form of tests.
func crowds(t *testing.T, few int) uint64 { return uint64(effort.Of(t, few, 3000)) }

// crowd draws a cluster, its tenants, and jobs of theirs. The quotas of tight crowds add up to no
// more GPUs than there are.
func crowd(t *testing.T, seed uint64, tight bool) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 19))
	spec := cluster.Spec{Racks: make([][]cluster.Machines, 1+r.IntN(3))}
	for i := range spec.Racks {
		for range 1 + r.IntN(3) {
			spec.Racks[i] = append(spec.Racks[i], cluster.Machines{Count: 1, GPUs: []int{4, 4, 2, 3}[r.IntN(4)]})
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	left, names := top.GPUs(), []string{"a", "b", "c", "d"}[:2+r.IntN(3)]
	var rows []tenant.Tenant
	for _, name := range names {
		q := 1 + r.IntN(max(1, 2*top.GPUs()/len(names)))
		if tight {
			q = min(q, left)
			left -= q
		}
		if q > 0 {
			rows = append(rows, tenant.Tenant{VC: name, GPUs: q, Weight: 1})
		}
	}
	set, err := tenant.New(rows)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	at := 0.0
	for i := range 40 + r.IntN(40) {
		at += r.ExpFloat64() * 3
		j := ask(names[r.IntN(len(names))], at, min(int32(top.GPUs()), []int32{1, 1, 2, 3, 4, 6, 8}[r.IntN(7)]),
			1+r.ExpFloat64()*20)
		j.ID = fmt.Sprintf("%03d", i)
		jobs = append(jobs, j)
	}
	w, err := sim.NewWorkload("crowd", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Tenants: set, Check: true}
}

// watched holds the policy to what it promises, from books of its own: who started when, and who
// used what as each decision was made.
type watched struct {
	*Policy
	t    *testing.T
	seed uint64
	took []sim.JobID            // running or in a try, in the order in which they began to take GPUs
	due  map[sim.JobID]sim.Time // when the last try that was seen ends
	seen map[string]int
}

func (w *watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	tried := map[sim.JobID]bool{}
	before := v.Free().Total() // at the beginning, but for what tries hold on to
	for i := range w.holds {
		if tried[w.holds[i].job] = true; w.holds[i].due > v.Now() {
			for _, g := range w.holds[i].gpus {
				if v.Up(g) {
					before--
				}
			}
		}
	}
	out = w.Policy.Decide(v, out)
	free := make([]bool, v.Topology().GPUs())
	v.Free().Rollback(0)
	for g := range free {
		free[g] = v.Free().Has(cluster.GPU(g))
	}
	has := map[sim.JobID][]cluster.GPU{}
	anew := func(j sim.JobID) { w.took = slices.DeleteFunc(w.took, func(o sim.JobID) bool { return o == j }) }
	for _, j := range w.took {
		if v.Run(j).State() == sim.Running {
			has[j] = v.Run(j).Held()
		}
	}
	for _, d := range out {
		switch d.Kind {
		case sim.Preempt:
			w.seen["preempted"]++
			delete(has, d.Job)
			anew(d.Job)
			for _, g := range v.Run(d.Job).Held() {
				free[g] = v.Run(d.Job).CheckpointTime() == 0
			}
		case sim.Start:
			if has[d.Job] = d.GPUs; !tried[d.Job] { // it may have failed at this instant
				anew(d.Job)
			}
			for _, g := range d.GPUs {
				free[g] = false
			}
		}
	}
	for i := range w.holds {
		h := &w.holds[i]
		// a new try, perhaps after one that was broken off in this decision
		if has[h.job] = h.gpus; !tried[h.job] || w.due[h.job] != h.due && len(h.want) == 0 {
			w.due[h.job] = h.due
			anew(h.job)
		}
		for _, g := range append(slices.Clone(h.gpus), h.want...) {
			free[g] = false
		}
	}
	w.took = slices.DeleteFunc(w.took, func(j sim.JobID) bool { return has[j] == nil })
	for _, c := range w.vcs { // new ones, in the order of the VC
		for _, j := range c.has {
			if !slices.Contains(w.took, j) {
				w.took = append(w.took, j)
			}
		}
	}
	if float64(v.Usable()-before) >= w.cfg.preemptFrac*float64(v.Usable()) {
		w.promise(v, free, has)
	}
	return out
}

// promise checks every job that waits within its quota.
func (w *watched) promise(v *sim.View, free []bool, has map[sim.JobID][]cluster.GPU) {
	used := map[string]int{}
	for _, j := range w.took {
		used[v.Job(j).VC()] += v.Job(j).GPUs()
	}
	quota := func(vc string) int { n, _ := v.Tenants().Quota(vc); return n }
	for id := range w.jobs {
		j, x := sim.JobID(id), &w.jobs[id]
		if x.state != ready && x.state != trying || x.state == trying && len(w.holds[w.tryOf(j)].want) > 0 {
			continue
		}
		mine, open := v.Job(j).VC(), slices.Clone(free)
		have := used[mine] + v.Job(j).GPUs()
		if x.state == trying {
			have -= v.Job(j).GPUs()
			for _, g := range w.holds[w.tryOf(j)].gpus {
				open[g] = true
			}
		}
		if have > quota(mine) {
			continue
		}
		w.seen["within"]++
		for vc, n := range used {
			if vc == mine {
				continue
			}
			for i := len(w.took) - 1; i >= 0; i-- {
				if o := w.took[i]; v.Job(o).VC() == vc && n > quota(vc) {
					n -= v.Job(o).GPUs()
					for _, g := range has[o] {
						open[g] = true
					}
				}
			}
		}
		if placeable(v, open, v.Job(j).GPUs(), x.level) {
			w.t.Fatalf("%s, seed %d, at %v: job %d of %s waits (state %d) within its quota, %v GPUs are used",
				fmt.Sprint(w.cfg), w.seed, v.Now(), j, mine, x.state, used)
		}
	}
}

// placeable tries every choice of servers: gpus of the open ones on the fewest servers of a rack
// that could ever hold them, on the servers of a rack, or on all.
func placeable(v *sim.View, open []bool, gpus int, l level) bool {
	t := v.Topology()
	count := func(m int, of func(g int) bool) (n int) {
		lo, hi := t.MachineGPUs(m)
		for g := lo; g < hi; g++ {
			if of(int(g)) {
				n++
			}
		}
		return n
	}
	is := func(g int) bool { return open[g] }
	up := func(g int) bool { return v.Up(cluster.GPU(g)) }
	fewest, total, now := 99, 0, false
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		for set := 1; set < 1<<(hi-lo); set++ {
			size, could := 0, 0
			for m := lo; m < hi; m++ {
				if set>>(m-lo)&1 > 0 {
					size++
					could += count(m, up)
				}
			}
			if could >= gpus {
				fewest = min(fewest, size)
			}
		}
	}
	if fewest == 99 {
		l = anywhere
	}
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		for set := 1; set < 1<<(hi-lo); set++ {
			size, have := 0, 0
			for m := lo; m < hi; m++ {
				if set>>(m-lo)&1 > 0 {
					size++
					have += count(m, is)
				}
			}
			now = now || have >= gpus && (l > servers || size <= fewest)
			if set == 1<<(hi-lo)-1 {
				total += have
			}
		}
	}
	return now || l == anywhere && total >= gpus
}

// What doc.go promises of preemption, on drawn crowds, with and without costs and faults.
func TestPromise(t *testing.T) {
	for _, settings := range []string{"preempt_frac=0,hold_s=4,backoff_s=3",
		"preempt_frac=0.9,hold_s=4,backoff_s=3,tries_per_level=1", "preempt_frac=1,hold_s=5,backoff_s=0,above=hold",
		"preempt_frac=0.5,hold_s=4,backoff_s=3,above=wait", "preempt_frac=0.5,from=rack,hold_s=2,backoff_s=2",
		"preempt_frac=0,from=any,hold_s=3,backoff_s=1"} {
		seen := map[string]int{}
		for seed := range crowds(t, 120) {
			cfg := crowd(t, seed, seed%2 == 0)
			if seed%3 == 0 {
				cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 1.5}, Restore: sim.Cost{FixedS: 1}}
			}
			if seed%5 == 0 {
				cfg.Outages = outages(cfg.Topology, seed).Source()
			}
			p := policy(t, settings)().(*Policy)
			e, err := sim.Run(context.Background(), cfg, &watched{Policy: p, t: t, seed: seed,
				due: map[sim.JobID]sim.Time{}, seen: seen})
			if err != nil {
				t.Fatalf("%s, seed %d: %v", settings, seed, err)
			}
			for i := range cfg.Workload.Jobs {
				r := e.Record(sim.JobID(i))
				if d := p.jobs[i].sum; r.State != sim.Done || d.fair+d.frag != r.Queue || d.room > d.frag {
					t.Fatalf("%s, seed %d: job %d is %v and waited %v, of that %v", settings, seed, i, r.State,
						r.Queue, d)
				}
			}
		}
		if seen["within"] < 1000 {
			t.Errorf("%s: only %v: the cases are too easy", settings, seen)
		}
	}
}

// outages fail servers for a while.
func outages(top *cluster.Topology, seed uint64) (s outage.Schedule) {
	r := rand.New(rand.NewPCG(seed, 23))
	for i := range 4 {
		at := sim.Time(20*i+r.IntN(10)) * sim.Second
		m := int32(r.IntN(top.Machines()))
		s = append(s, sim.Outage{At: at, Machine: m, GPU: -1},
			sim.Outage{At: at + 7*sim.Second, Machine: m, GPU: -1, Up: true})
	}
	return s
}

// Where quotas add up to no more than there is, nothing costs time, and any GPUs will do, a job
// within its quota starts at once: no quota is exceeded while another VC, below its own, waits.
func TestQuotasHold(t *testing.T) {
	waited, preempted := 0, 0
	for seed := range crowds(t, 300) {
		cfg := crowd(t, seed, true)
		p := policy(t, "from=any,preempt_frac=0,backoff_s=0,hold_s=5,above=hold")().(*Policy)
		if _, err := sim.Run(context.Background(), cfg, p); err != nil {
			t.Fatal(err)
		}
		for i := range p.jobs {
			d := p.jobs[i].sum
			if d.frag != 0 {
				t.Fatalf("seed %d: job %d waited %v within its quota", seed, i, d.frag)
			}
			if d.fair > 0 {
				waited++
			}
		}
		for i := range p.vcs {
			preempted += int(p.vcs[i].lost)
		}
	}
	if waited < 1000 || preempted < 300 {
		t.Errorf("%d jobs waited, %d were preempted: the cases are too easy", waited, preempted)
	}
}

// With hard quotas no VC ever holds more than its own.
func TestHardQuotas(t *testing.T) {
	for seed := range crowds(t, 100) {
		cfg := crowd(t, seed, false)
		p := policy(t, "borrow=false,hold_s=3,backoff_s=2")().(*Policy)
		if _, err := sim.Run(context.Background(), cfg, &capped{p, t}); err != nil {
			t.Fatal(err)
		}
	}
}

type capped struct {
	*Policy
	t *testing.T
}

func (c *capped) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = c.Policy.Decide(v, out)
	used := map[string]int{}
	for _, j := range v.Running() {
		used[v.Job(j).VC()] += v.Job(j).GPUs()
	}
	for _, d := range out {
		if d.Kind == sim.Start {
			used[v.Job(d.Job).VC()] += v.Job(d.Job).GPUs()
		}
	}
	for vc, n := range used {
		if q, _ := v.Tenants().Quota(vc); n > q {
			c.t.Fatalf("at %v %s holds %d GPUs of %d", v.Now(), vc, n, q)
		}
	}
	return out
}
