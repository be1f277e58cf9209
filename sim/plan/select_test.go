package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// A Roster that places whole GPUs chooses as its twin, which is Rebuild's: whom it preempts
// and whom it starts. With keys that differ the order of ties does not matter.
func TestRosterIsItsTwin(t *testing.T) {
	stops, starts := 0, 0
	for seed := range uint64(320) {
		r := rand.New(rand.NewPCG(seed, 61))
		cfg, keys := draw(t, r)
		ties := plan.Ties(seed % 4)
		if ties != plan.ByArrival {
			for j := range keys {
				keys[j] += float64(j) / 1000
			}
		}
		p, roster := plan.NewPlacer(cluster.BestFit), &plan.Roster{Key: func(_ *sim.View,
			j sim.JobID) float64 {
			return keys[j]
		}, Ties: ties}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			roster.Follow(v)
			if r.IntN(5) == 0 {
				x := roster.Clone()
				roster = &x
			}
			var stop, start []sim.JobID
			if v.Waiting() > 0 {
				stop, start = selected(v, keys, true)
			}
			out = roster.Decide(v, p, out)
			if got := stopped(out); !slices.Equal(inOrder(got), inOrder(stop)) {
				t.Fatalf("seed %d, ties %d, at %v: stopped %v, expected %v", seed, ties, v.Now(), got, stop)
			}
			if got := started(out); !slices.Equal(got, start) {
				t.Fatalf("seed %d, ties %d, at %v: started %v, expected %v", seed, ties, v.Now(), got, start)
			}
			for j := range sim.JobID(v.NumJobs()) {
				had := v.Run(j).State() == sim.Running && !slices.Contains(stop, j) || slices.Contains(start, j)
				if n := roster.Holds(j); (n > 0) != had || had && n != v.Job(j).GPUs() {
					t.Fatalf("seed %d at %v: job %d holds %d by the roster, expected %v", seed, v.Now(), j, n, had)
				}
			}
			stops, starts = stops+len(stop), starts+len(start)
			return out
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stops < 800 || starts < 2000 {
		t.Errorf("%d preemptions and %d starts: the cases are too easy", stops, starts)
	}
}

// victims is the twin of Rebuild's choice of whom to preempt where GPUs have types: it counts what
// is left of each type in key order.
func victims(v *sim.View, keys []float64, q *plan.Queue) (stop []sim.JobID) {
	t := v.Topology()
	total, left := 0, map[string]int{}
	for g := range cluster.GPU(t.GPUs()) {
		if v.Share(g) > 0 || v.Free().Has(g) {
			total++
			left[t.Type(t.Machine(g))]++
		}
	}
	for _, j := range ranked(v, keys, sim.Running, sim.Waiting) {
		need := map[string]int{}
		d := q.Note(v, j)
		if v.Run(j).State() == sim.Running { // it needs what it has
			for _, g := range v.Run(j).Held() {
				need[t.Type(t.Machine(g))]++
			}
		} else if d.Type != "" {
			need[d.Type] = int(d.GPUs)
		}
		ok := int(d.GPUs) <= total
		for typ, n := range need {
			ok = ok && n <= left[typ]
		}
		if !ok {
			if v.Run(j).State() == sim.Running {
				stop = append(stop, j)
			}
			continue
		}
		total -= int(d.GPUs)
		for typ, n := range need {
			left[typ] -= n
		}
	}
	return stop
}

// Where GPUs have types Rebuild preempts whom its twin does, through faults and checkpoints, gives
// each job GPUs of its type, and a job that it starts at the expense of none but those.
func TestRebuildOfTypesIsItsTwin(t *testing.T) {
	stops, typed := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 71))
		cfg, keys := draw(t, r)
		spec := cluster.Spec{}
		for range 1 + r.IntN(2) {
			spec.Racks = append(spec.Racks, []cluster.Machines{{Count: 1, GPUs: 1 + r.IntN(3), Slots: 1, Type: "a"},
				{Count: 1, GPUs: 1 + r.IntN(3), Slots: 1, Type: "b"}})
		}
		var err error
		if cfg.Topology, err = cluster.New(spec); err != nil {
			t.Fatal(err)
		}
		js := slices.Clone(cfg.Workload.Jobs)
		for i := range js {
			js[i].GPUType = []string{"", "a", "b"}[r.IntN(3)]
			js[i].GPUs = int32(1 + r.IntN(3))
		}
		if cfg.Workload, err = sim.NewWorkload("typed", js); err != nil {
			t.Fatal(err)
		}
		key := func(_ *sim.View, j sim.JobID) float64 { return keys[j] }
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: key}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, key, nil)
			var want []sim.JobID
			if v.Waiting() > 0 {
				want = victims(v, keys, q)
			}
			out = b.Decide(v, q, p, true, out)
			if got := stopped(out); !slices.Equal(inOrder(got), inOrder(want)) {
				t.Fatalf("seed %d at %v: stopped %v, expected %v", seed, v.Now(), got, want)
			}
			stops += len(want)
			for _, d := range out {
				if d.Kind == sim.Start && v.Job(d.Job).GPUType() != "" {
					typed++
				}
			}
			return out // the kernel refuses GPUs of another type, and GPUs in use
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stops < 500 || typed < 1500 {
		t.Errorf("%d preemptions, %d starts of jobs with a type: the cases are too easy", stops, typed)
	}
}
