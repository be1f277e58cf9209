package plan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// onWhole and onOneMachine are rules of places.
func onWhole(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	return p.Consolidate(v, d)
}

func onOneMachine(v *sim.View, p *plan.Placer, _ sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	return p.PlaceWithin(v, d, p.FinestEver(v.Topology(), d))
}

// Two GPUs are free, one on each machine, and job 3 needs two of one machine. By number no job
// would have to give way, and the last in order, job 2, would not help; job 1 gives way, the last
// whose GPU makes room.
func TestWhoGivesWayForAPlace(t *testing.T) {
	key := []float64{1, 2, 3, 0}
	byKey := func(_ *sim.View, j sim.JobID) float64 { return key[j] }
	s := set(t, sim.Config{}, cluster.Uniform(1, 2, 3, 1), sim.Job{GPUs: 2}, sim.Job{GPUs: 1}, sim.Job{GPUs: 1},
		sim.Job{GPUs: 2, Submit: sim.Second})
	p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: byKey}
	q.Follow(s.v, byKey, nil)
	b.Put = func(v *sim.View, p *plan.Placer, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
		gpus := [][]cluster.GPU{{0, 1}, {3}, {4}}[j]
		return gpus, p.Take(v, gpus, d)
	}
	s.do(b.Decide(s.v, q, p, true, nil)...)
	key[1], key[2] = 3, 2
	q.Follow(s.v, byKey, nil)
	b.Put = onOneMachine
	if got, want := words(b.Decide(s.v, q, p, true, nil)), "preempt 1, start 3 on [3 5]"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// With a rule of places and preemptions that take no time, each preempted job held GPUs on which
// one before it in the order starts, and no job waits that would have a place if all behind it gave
// way. With checkpoints, faults and instants without preemption every run ends.
func TestPreemptedForAPlace(t *testing.T) {
	stops, starts, waits := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 47))
		cfg, keys := draw(t, r)
		put := []plan.Put{onWhole, onOneMachine}[seed%2]
		first := func(a, b sim.JobID) bool { return keys[a] < keys[b] || keys[a] == keys[b] && a < b }
		key := func(_ *sim.View, j sim.JobID) float64 { return keys[j] }
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: key, Put: put,
			Falls: r.IntN(2) == 0}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, key, nil)
			if r.IntN(5) == 0 { // a policy that is resumed continues with a copy
				x := b.Clone()
				b = &x
			}
			preempt := r.IntN(4) > 0
			out = b.Decide(v, q, p, preempt, out)
			stops, starts = stops+len(stopped(out)), starts+len(started(out))
			if !preempt || cfg.Costs.Checkpoint.FixedS > 0 {
				return out
			}
			on := func(s sim.JobID) []cluster.GPU {
				return out[slices.IndexFunc(out, func(d sim.Decision) bool { return d.Kind == sim.Start && d.Job == s })].GPUs
			}
			for _, j := range stopped(out) {
				if !slices.ContainsFunc(started(out), func(s sim.JobID) bool {
					return first(s, j) && slices.ContainsFunc(on(s), func(g cluster.GPU) bool {
						return slices.Contains(v.Run(j).Held(), g)
					})
				}) {
					t.Fatalf("seed %d at %v: %v, job %d gives way for no other", seed, v.Now(), out, j)
				}
			}
			for _, w := range ranked(v, keys, sim.Waiting) {
				if slices.Contains(started(out), w) {
					continue
				}
				waits++
				look := plan.NewPlacer(cluster.BestFit)
				look.Begin(v)
				for _, j := range v.Running() {
					if first(w, j) || slices.Contains(stopped(out), j) {
						look.Vacate(v, j, q.Demand(j))
					}
				}
				for _, s := range started(out) {
					if first(s, w) && !look.Take(v, on(s), q.Demand(s)) {
						t.Fatalf("seed %d at %v: %v, job %d starts on GPUs that others hold", seed, v.Now(), out, s)
					}
				}
				if gpus, ok := put(v, look, w, q.Demand(w)); ok {
					t.Fatalf("seed %d at %v: %v, job %d waits and has a place on %v", seed, v.Now(), out, w, gpus)
				}
			}
			v.Free().Rollback(0)
			return out
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stops < 1000 || starts < 5000 || waits < 3000 {
		t.Errorf("%d preemptions, %d starts, %d jobs that wait: the cases are too easy", stops, starts, waits)
	}
}
