package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// roomFor is how many GPUs of a demand a machine can carry now: free, of the type, with CPU and
// memory for them.
func roomFor(v *sim.View, m int, d *plan.Demand) (room, free, size int) {
	t := v.Topology()
	lo, hi := t.MachineGPUs(m)
	if d.Type != "" && len(t.Types()) > 1 && t.Type(m) != d.Type {
		return 0, 0, 0
	}
	for g := lo; g < hi; g++ {
		if v.Share(g) == 0 && v.Free().Has(g) {
			free++
		}
	}
	return min(free, carries(v, t, m, d)), free, int(hi - lo)
}

// rankOf is the place of a machine's type among the fastest.
func rankOf(v *sim.View, m int) int {
	t := v.Topology()
	return slices.IndexFunc(t.Fastest(), func(i int) bool { return t.Types()[i] == t.Type(m) })
}

// idleRoom is roomFor on a machine on which nothing runs.
func idleRoom(t *cluster.Topology, m int, d *plan.Demand) int {
	lo, hi := t.MachineGPUs(m)
	n := int(hi - lo)
	if d.Type != "" && len(t.Types()) > 1 && t.Type(m) != d.Type {
		return 0
	}
	for n > 0 && (t.CPUMilli(m) > 0 && int64(n)*int64(d.CPUMilli) > t.CPUMilli(m) || t.MemMiB(m) > 0 &&
		int64(n)*int64(d.MemMiB) > t.MemMiB(m)) {
		n--
	}
	return n
}

// consolidated is the twin of Consolidate and Lowest: which machine gives how many GPUs, by looking
// at all of them.
func consolidated(v *sim.View, d *plan.Demand, lowest bool) map[int]int {
	n, g := v.Topology().Machines(), int(d.GPUs)
	best, least, rank := -1, 0, 0
	for m := range n {
		room, free, _ := roomFor(v, m, d)
		if r := rankOf(v, m); room >= g && (best < 0 || free < least && !lowest || (lowest || free == least) &&
			r < rank) {
			best, least, rank = m, free, r
		}
	}
	var caps []int
	for m := range n {
		caps = append(caps, idleRoom(v.Topology(), m, d))
	}
	switch {
	case best >= 0:
		return map[int]int{best: g}
	case g <= slices.Max(caps):
		return nil
	}
	on, left := map[int]int{}, g
	for size := slices.Max(caps); size > 0; size-- {
		for i := range n * len(v.Topology().Types()) {
			m := i % n
			room, free, have := roomFor(v, m, d)
			if k := min(left, size); k > 0 && caps[m] == size && free == have && room >= k && rankOf(v, m) == i/n {
				on[m] = k
				left -= k
			}
		}
	}
	slices.Sort(caps)
	need := 0
	for sum := 0; sum < g && need < n; need++ {
		sum += caps[n-1-need]
	}
	if left > 0 || len(on) > need {
		return nil
	}
	return on
}

// Consolidate and Lowest choose what their twin does, on small clusters with types and hosts, as
// the cluster fills and empties.
func TestConsolidateIsItsTwin(t *testing.T) {
	placed, refused, wide := 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 21))
		w, top := drawHosted(t, r)
		lowest := seed%2 == 1
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, byID, nil)
			p.Begin(v)
			for j := range sim.JobID(v.NumJobs()) {
				if !q.Has(j) || q.Demand(j).ShareMilli < 1000 {
					continue
				}
				want, choose := consolidated(v, q.Demand(j), lowest), p.Consolidate
				if lowest {
					choose = p.Lowest
				}
				before := v.Free().Total()
				gpus, ok := choose(v, q.Demand(j))
				on := map[int]int{}
				for _, g := range gpus {
					on[top.Machine(g)]++
				}
				if ok != (want != nil) || ok && fmt.Sprint(on) != fmt.Sprint(want) ||
					v.Free().Total() != before-len(gpus) {
					t.Fatalf("seed %d: %+v on %v (%v), expected %v", seed, *q.Demand(j), on, ok, want)
				}
				if !ok {
					refused++
					continue
				}
				if !slices.IsSorted(gpus) || !v.Fits(j, gpus) {
					t.Fatalf("seed %d: %v does not fit %+v", seed, gpus, *q.Demand(j))
				}
				placed++
				wide += min(1, len(on)-1)
				q.Remove(j)
				return append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus},
					sim.Decision{Kind: sim.WakeAt, At: v.Now() + 1})
			}
			return out
		})
		if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if placed < 3000 || refused < 1000 || wide < 100 {
		t.Errorf("%d placed, %d refused, %d of them on several machines: the cases are too easy", placed, refused, wide)
	}
}

// Machines of 2, 4, 4 and 2 GPUs, worked out by hand.
func TestConsolidateByHand(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1}, {Count: 2, GPUs: 4, Slots: 1},
		{Count: 1, GPUs: 2, Slots: 1}}}}
	for _, c := range []struct {
		name         string
		busy         []cluster.GPU
		gpus         int32
		fullest, low string
	}{
		{"one GPU fills a machine up", on(6), 1, "[0] true", "[0] true"},       // both of 2 are free: 2 is the fewest
		{"one GPU fills a machine up", on(3, 4, 5), 1, "[2] true", "[0] true"}, // machine 1 has one left
		{"three go where they just fit", on(6), 3, "[7 8 9] true", "[2 3 4] true"},
		{"three of many, none on one machine", on(2, 3, 6, 7), 3, "[] false", "[] false"},
		{"five take whole machines, the largest first", nil, 5, "[2 3 4 5 6] true", "[2 3 4 5 6] true"},
		{"ten take both large ones and a small one", nil, 10, "[0 1 2 3 4 5 6 7 8 9] true",
			"[0 1 2 3 4 5 6 7 8 9] true"},
		{"a machine in part use is not whole", on(2), 6, "[0 1 6 7 8 9] true", "[0 1 6 7 8 9] true"},
		{"ten whole ones are not there", on(2), 10, "[] false", "[] false"},
		{"more than there is", nil, 13, "[] false", "[] false"},
	} {
		for _, rule := range []struct {
			how  func(p *plan.Placer) func(*sim.View, *plan.Demand) ([]cluster.GPU, bool)
			want string
		}{{func(p *plan.Placer) func(*sim.View, *plan.Demand) ([]cluster.GPU, bool) { return p.Consolidate },
			c.fullest},
			{func(p *plan.Placer) func(*sim.View, *plan.Demand) ([]cluster.GPU, bool) { return p.Lowest }, c.low}} {
			jobs := []sim.Job{}
			for range c.busy {
				jobs = append(jobs, sim.Job{GPUs: 1})
			}
			s := set(t, sim.Config{}, spec, append(jobs, sim.Job{GPUs: 1})...)
			var ds []sim.Decision
			for i, g := range c.busy {
				ds = append(ds, start(sim.JobID(i), g))
			}
			s.do(ds...)
			p := plan.NewPlacer(cluster.BestFit)
			p.Begin(s.v)
			gpus, ok := rule.how(p)(s.v, &plan.Demand{GPUs: c.gpus, ShareMilli: 1000})
			if got := fmt.Sprint(gpus, ok); got != rule.want {
				t.Errorf("%s, %v busy: %s, expected %s", c.name, c.busy, got, rule.want)
			}
		}
	}
}

func on(gpus ...cluster.GPU) []cluster.GPU { return gpus }
