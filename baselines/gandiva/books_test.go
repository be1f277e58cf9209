package gandiva

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// books is the policy, and holds its books against the view and its decisions at every instant.
type books struct {
	*Policy
	t     *testing.T
	where string
	seen  map[string]int
}

// Decide asks the policy and looks at what it decided for jobs that a server holds, and at what it
// measured by then.
func (b *books) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	before := len(out)
	out = b.Policy.Decide(v, out)
	stopped := map[sim.JobID]bool{}
	for _, d := range out[before:] {
		if d.Kind == sim.WakeAt || b.home[d.Job] < 0 {
			continue
		}
		switch d.Kind {
		case sim.Preempt:
			stopped[d.Job] = true
			b.seen["preempt"]++
		case sim.Start:
			b.seen["start"]++
			if stopped[d.Job] {
				b.t.Fatalf("%s at %v: job %d is preempted and started at one instant", b.where, v.Now(), d.Job)
			}
			b.at(v, d)
		case sim.Migrate:
			b.seen["migrate"]++
			b.at(v, d)
			from, to := &b.fleet.servers[v.Topology().Machine(v.Run(d.Job).Held()[0])], &b.fleet.servers[b.home[d.Job]]
			if to.promised || to.suspended.len() > 0 {
				b.t.Fatalf("%s at %v: job %d moves to server %d, promised %v, where %d jobs wait", b.where, v.Now(),
					d.Job, b.home[d.Job], to.promised, to.suspended.len())
			}
			if from.suspended.len() > 0 {
				b.t.Fatalf("%s at %v: job %d leaves a server where %d jobs wait", b.where, v.Now(), d.Job,
					from.suspended.len())
			}
		}
	}
	b.loads(v)
	return out
}

// at fails if a job does not lie on its home.
func (b *books) at(v *sim.View, d sim.Decision) {
	for _, g := range d.GPUs {
		if m := v.Topology().Machine(g); int32(m) != b.home[d.Job] {
			b.t.Fatalf("%s at %v: job %d is at home on server %d and gets %v", b.where, v.Now(), d.Job, b.home[d.Job],
				d.GPUs)
		}
	}
}

// loads counts every server's load, jobs and GPUs that are up again, by looking at all jobs and all
// GPUs.
func (b *books) loads(v *sim.View) {
	t := v.Topology()
	load, homed := make([]int32, t.Machines()), make([]int, t.Machines())
	for j, m := range b.home {
		if m >= 0 {
			load[m] += b.demand(sim.JobID(j)).GPUs
			homed[m]++
		}
	}
	promised := map[int32]bool{}
	for i := range b.visits {
		for _, x := range b.visits[i].parts {
			load[x.server] += x.gpus
			promised[x.server] = promised[x.server] || b.visits[i].promised
		}
		if b.visits[i].promised {
			b.seen["promise"]++
		}
	}
	for m := range b.fleet.servers {
		s := &b.fleet.servers[m]
		lo, hi := t.MachineGPUs(m)
		up := int32(0)
		for g := lo; g < hi; g++ {
			if v.Share(g) > 0 || b.isFree(v, g) {
				up++
			}
		}
		if s.load != load[m] || s.homed != homed[m] || s.up != up || s.promised != promised[int32(m)] {
			b.t.Fatalf("%s at %v: server %d has load %d of %d jobs, %d GPUs up, promised %v; by a look at all %d of "+
				"%d, %d, %v",
				b.where, v.Now(), m, s.load, s.homed, s.up, s.promised, load[m], homed[m], up, promised[int32(m)])
		}
	}
	if b.broken {
		b.seen["broken"]++
	}
}

// isFree reports whether a GPU is up and free before the decisions of the instant.
func (b *books) isFree(v *sim.View, g cluster.GPU) bool {
	return v.Free().Has(g) || slices.ContainsFunc(b.out, func(d sim.Decision) bool {
		return slices.Contains(d.GPUs,
			g)
	})
}

// hosted draws a crowd on servers with little CPU and memory, some of them of another type, with
// faults.
func hosted(r *rand.Rand, hosts bool) (cluster.Spec, []sim.Job, outage.Schedule) {
	spec := cluster.Uniform(2, 3, 4, 1)
	js := crowd(r)
	for i := range js {
		if !hosts {
			continue
		}
		switch r.IntN(4) {
		case 0:
			js[i].CPUMilli = int32(r.IntN(900))
		case 1:
			js[i].MemMiB = int32(r.IntN(90))
		}
	}
	if hosts {
		for i := range spec.Racks {
			spec.Racks[i][0].CPUMilli, spec.Racks[i][0].MemMiB = 2000, 200
		}
	}
	var faults outage.Schedule
	for at := 5; at < 120 && r.IntN(5) > 0; at += 10 + r.IntN(20) {
		o := sim.Outage{At: sim.Time(at) * sim.Second, Machine: int32(r.IntN(6)), GPU: int32(r.IntN(4))}
		faults = append(faults, o)
		o.Up, o.At = true, o.At+5*sim.Second
		faults = append(faults, o)
	}
	return spec, js, faults
}

// The books hold at every instant, through crowds, wide jobs, faults, checkpoints and hosts that
// bind, and every job ends. A job is never preempted and started at one instant, and no server is
// emptied whose own jobs wait, nor filled that is promised.
func TestBooksHold(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(120) {
		r := rng.Source{Seed: seed}.Stream("books").Rand
		spec, js, faults := hosted(r, seed%2 == 0)
		w, err := sim.NewWorkload("books", js)
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Outages: faults.Source(), Check: true}
		if seed%3 == 0 {
			cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 2}, Restore: sim.Cost{FixedS: 1}}
		}
		settings := []string{"quantum=7", "quantum=20,defrag=0.5", "quantum=3,defrag=0.25",
			"quantum=11,affinity=false,defrag=0.5"}[r.IntN(4)]
		b := &books{policy(t, New, settings)().(*Policy), t, fmt.Sprintf("seed %d, %s", seed, settings), seen}
		e, err := sim.Run(context.Background(), cfg, b)
		if err != nil {
			t.Fatalf("%s: %v", b.where, err)
		}
		for j := range w.Jobs {
			if s := e.Record(sim.JobID(j)).State; s != sim.Done {
				t.Errorf("%s: job %s is %v at the end", b.where, w.Jobs[j].ID, s)
			}
		}
	}
	for k, n := range map[string]int{"preempt": 2000, "start": 5000, "migrate": 100, "promise": 100, "broken": 500} {
		if seen[k] < n {
			t.Errorf("only %d of %q: the cases are too easy", seen[k], k)
		}
	}
}
