package philly

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// littered draws a cluster of unequal servers, some of them with few CPUs, and jobs of one GPU that
// hold a part of it.
func littered(t *testing.T, r *rand.Rand) (*sim.View, *sim.Engine) {
	t.Helper()
	spec := cluster.Spec{Racks: make([][]cluster.Machines, 1+r.IntN(4))}
	for i := range spec.Racks {
		for range 1 + r.IntN(4) {
			m := cluster.Machines{Count: 1, GPUs: []int{4, 4, 4, 2, 3, 8}[r.IntN(6)]}
			if r.IntN(3) == 0 {
				m.CPUMilli = int64(1000 * (1 + r.IntN(m.GPUs)))
			}
			spec.Racks[i] = append(spec.Racks[i], m)
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range r.IntN(top.GPUs()) {
		jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%03d", i), GPUs: 1, Work: 100 * sim.Second})
	}
	jobs = append(jobs, sim.Job{ID: "z", GPUs: 1, Submit: sim.Second, Work: sim.Second})
	w, err := sim.NewWorkload("littered", jobs)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) > 1 {
		var out []sim.Decision
		for i, g := range r.Perm(top.GPUs())[:len(jobs)-1] {
			out = append(out, sim.Decision{Kind: sim.Start, Job: sim.JobID(i), GPUs: []cluster.GPU{cluster.GPU(g)}})
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
		if v, _, err = e.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return v, e
}

// choice is what a search through all sets of servers of a rack finds for a demand.
type choice struct {
	could int // fewest servers that hold it if all are idle; 0 = none
	now   int // fewest that have room now; 0 = none
	room  int // GPUs that there is room for now
}

// search tries all sets of servers of a rack.
func search(v *sim.View, r int, d *plan.Demand) (c choice) {
	t := v.Topology()
	lo, hi := t.RackMachines(r)
	limit := func(m, gpus int) int {
		if cpu := t.CPUMilli(m); cpu > 0 && d.CPUMilli > 0 {
			return min(gpus, int(cpu)/int(d.CPUMilli))
		}
		return gpus
	}
	for set := uint(1); set < 1<<(hi-lo); set++ {
		size, idle, now := bits.OnesCount(set), 0, 0
		for m := lo; m < hi; m++ {
			if set>>(m-lo)&1 > 0 {
				a, b := t.MachineGPUs(m)
				idle += limit(m, int(b-a))
				now += limit(m, v.Free().InMachine(m)) // jobs that are there ask for no CPU
			}
		}
		if idle >= int(d.GPUs) && (c.could == 0 || size < c.could) {
			c.could = size
		}
		if now >= int(d.GPUs) && (c.now == 0 || size < c.now) {
			c.now = size
		}
		c.room = max(c.room, now)
	}
	return c
}

// fuller reports whether a rack has a larger part allocated than another.
func fuller(v *sim.View, a, b int) bool {
	part := func(r int) (used, size int) {
		lo, hi := v.Topology().RackMachines(r)
		first, _ := v.Topology().MachineGPUs(lo)
		_, end := v.Topology().MachineGPUs(hi - 1)
		return int(end-first) - v.Free().InRack(r), int(end - first)
	}
	au, as := part(a)
	bu, bs := part(b)
	return au*bs > bu*as
}

// The choice of locality equals a search's through all sets of servers: the finest level that is
// open and has room; the fewest servers of the least allocated rack that has as few; for a job that
// one server can hold the fullest server with room.
func TestLocalityAgainstAll(t *testing.T) {
	seen := [last + 2]int{}
	for seed := range crowds(t, 400) {
		v, _ := littered(t, rand.New(rand.NewPCG(seed, 31)))
		p := policy(t, "")().(*Policy)
		p.initialise(v)
		top := v.Topology()
		for gpus := 1; gpus <= top.GPUs(); gpus++ {
			for _, open := range []level{servers, rack, anywhere} {
				d := &demand{Demand: plan.Demand{GPUs: int32(gpus), ShareMilli: 1000, CPUMilli: int32(seed % 2 * 1000)}}
				p.place.Begin(v)
				p.study(v, d)
				open := p.levelOf(v, &job{level: open}, d)
				if open > last {
					continue
				}
				got, l, ok := p.find(v, d, open)
				fewest, total, racks := 0, 0, make([]choice, top.Racks())
				for r := range racks {
					racks[r] = search(v, r, &d.Demand)
					if c := racks[r].could; c > 0 && (fewest == 0 || c < fewest) {
						fewest = c
					}
					total += racks[r].room
				}
				fits := func(r int, l level) bool {
					return racks[r].now > 0 && (l == rack || l == servers && racks[r].now <= fewest)
				}
				want, at := last+1, -1
				for x := servers; x <= open && want > last; x++ {
					for r := range racks {
						if fits(r, x) && (at < 0 || fuller(v, at, r)) {
							want, at = x, r
						}
					}
					if x == anywhere && total >= gpus {
						want = x
					}
				}
				if seen[want]++; ok != (want <= last) || ok && l != want {
					t.Fatalf("seed %d: %d GPUs, %s open: found %v at %d, want %d", seed, gpus, levelNames[open], got,
						l, want)
				}
				if ok {
					checkServers(t, v, d, got, l, fewest, at, racks)
				}
			}
		}
	}
	for l, n := range seen {
		if n < 300 {
			t.Errorf("level %d only %d times: the cases are too easy", l, n)
		}
	}
}

// checkServers compares the servers of a placement with what the search has found.
func checkServers(t *testing.T, v *sim.View, d *demand, got []cluster.GPU, l level, fewest, at int, racks []choice) {
	t.Helper()
	top := v.Topology()
	var on []int
	for i, g := range got {
		if !v.Free().Has(g) || i > 0 && got[i-1] >= g {
			t.Fatalf("%v: GPU %d is not free, or not ascending", got, g)
		}
		if m := top.Machine(g); !slices.Contains(on, m) {
			on = append(on, m)
		}
	}
	switch {
	case len(got) != int(d.GPUs):
		t.Fatalf("%v, want %d GPUs", got, d.GPUs)
	case l == anywhere:
	case l == servers && fewest == 1:
		free := func(m int) int { return v.Free().InMachine(m) }
		for m := range top.Machines() {
			c := top.CPUMilli(m)
			room := free(m) >= len(got) && (c == 0 || d.CPUMilli == 0 || int(c) >= len(got)*int(d.CPUMilli))
			if len(on) != 1 || room && free(m) < free(on[0]) {
				t.Fatalf("%v of servers %v, and server %d is fuller", got, on, m)
			}
		}
	case top.Rack(on[0]) != at || top.Rack(on[len(on)-1]) != at || len(on) != racks[at].now:
		t.Fatalf("%v of servers %v, want %d of rack %d", got, on, racks[at].now, at)
	}
}
