package plan_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// draw is a small case of whole GPUs: jobs that arrive over time, keys at random, checkpoints in
// half of the cases.
func draw(t *testing.T, r *rand.Rand) (sim.Config, []float64) {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1+r.IntN(2), 1+r.IntN(2), 1+r.IntN(3), 1))
	if err != nil {
		t.Fatal(err)
	}
	js, keys := make([]sim.Job, 14), make([]float64, 14)
	for i := range js {
		g := 1 + r.IntN(top.GPUs())
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(g), Work: sim.Time(g*(1+r.IntN(9))) * sim.Second,
			Submit: sim.Time(r.IntN(12)) * sim.Second}
		keys[i] = float64(r.IntN(5))
	}
	w, err := sim.NewWorkload("drawn", js)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
	if r.IntN(2) == 0 {
		cfg.Costs.Checkpoint.FixedS = float64(1+r.IntN(8)) / 2
	}
	if r.IntN(3) == 0 {
		cfg.Outages = outage.Schedule{{At: 5 * sim.Second, Machine: 0, GPU: 0},
			{At: 11 * sim.Second, Machine: 0, GPU: 0, Up: true}}.Source()
	}
	return cfg, keys
}

// ranked lists the jobs of a state by key, then number.
func ranked(v *sim.View, keys []float64, states ...sim.JobState) []sim.JobID {
	var all []sim.JobID
	for j := range sim.JobID(v.NumJobs()) {
		if slices.Contains(states, v.Run(j).State()) {
			all = append(all, j)
		}
	}
	slices.SortFunc(all, func(a, b sim.JobID) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
	return all
}

// Fill starts in order what fits, as one that tries every waiting job in turn.
func TestFillTriesAll(t *testing.T) {
	starts := 0
	for seed := range uint64(200) {
		cfg, keys := draw(t, rand.New(rand.NewPCG(seed, 31)))
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, func(_ *sim.View, j sim.JobID) float64 { return keys[j] }, nil)
			var want []sim.JobID
			free := v.Free().Total()
			for _, j := range ranked(v, keys, sim.Waiting) {
				if g := v.Job(j).GPUs(); g <= free {
					want = append(want, j)
					free -= g
				}
			}
			out = plan.Fill(v, q, p, nil, out)
			if got := started(out); !slices.Equal(got, want) || q.Len() != v.Waiting()-len(want) {
				t.Fatalf("seed %d at %v: started %v, expected %v; %d left of %d", seed, v.Now(), got, want, q.Len(),
					v.Waiting())
			}
			starts += len(want)
			return out
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if starts < 2000 {
		t.Errorf("only %d starts: the cases are too easy", starts)
	}
}

// selected is the twin of Rebuild: walks all jobs in key order by count, and states who is
// preempted and who may start.
func selected(v *sim.View, keys []float64, preempt bool) (stop, start []sim.JobID) {
	room := v.Usable()
	order := ranked(v, keys, sim.Running, sim.Waiting)
	if !preempt { // the running jobs keep their places
		slices.SortStableFunc(order, func(a, b sim.JobID) int {
			return cmp.Compare(min(v.Run(b).State(), sim.Running), min(v.Run(a).State(), sim.Running))
		})
	}
	free, may := v.Free().Total(), []sim.JobID{}
	for _, j := range order {
		switch g := v.Job(j).GPUs(); {
		case g <= room:
			room -= g
			if v.Run(j).State() == sim.Waiting {
				may = append(may, j)
			}
		case v.Run(j).State() == sim.Running:
			stop = append(stop, j)
			if v.Run(j).CheckpointTime() == 0 {
				free += g
			}
		}
	}
	for _, j := range may {
		if g := v.Job(j).GPUs(); g <= free {
			start = append(start, j)
			free -= g
		}
	}
	return stop, start
}

// Rebuild preempts and starts whom its twin does, with checkpoints that take time, faults, and
// instants at which it must not preempt.
func TestRebuildIsItsTwin(t *testing.T) {
	stops, starts, held := 0, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 41))
		cfg, keys := draw(t, r)
		key := func(_ *sim.View, j sim.JobID) float64 { return keys[j] }
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: key}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, key, nil)
			if r.IntN(5) == 0 { // a policy that is resumed continues with a copy
				x := b.Clone()
				b = &x
			}
			preempt := r.IntN(4) > 0
			var stop, start []sim.JobID
			if v.Waiting() > 0 {
				stop, start = selected(v, keys, preempt)
			}
			out = b.Decide(v, q, p, preempt, out)
			if got := stopped(out); !slices.Equal(inOrder(got), inOrder(stop)) {
				t.Fatalf("seed %d at %v: stopped %v, expected %v", seed, v.Now(), got, stop)
			}
			if got := started(out); !slices.Equal(got, start) {
				t.Fatalf("seed %d at %v: started %v, expected %v", seed, v.Now(), got, start)
			}
			stops, starts = stops+len(stop), starts+len(start)
			if v.Draining() > 0 {
				held++
			}
			return out
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stops < 1000 || starts < 3000 || held < 200 {
		t.Errorf("%d preemptions, %d starts, %d instants with checkpoints under way: the cases are too easy", stops,
			starts, held)
	}
}

// Where GPUs have types, jobs that insist on one choose first, and others take what these leave.
func TestRebuildWithTypes(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1, Type: "a"},
		{Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}}
	typed := func(g int32, typ string) sim.Job { return sim.Job{GPUs: g, GPUType: typ} }
	for _, c := range []struct {
		name string
		run  []sim.Decision
		jobs []sim.Job
		keys []float64
		want string
	}{
		{"the typed one chooses first, though it comes later", nil, []sim.Job{typed(2, ""), typed(2, "a")},
			[]float64{0, 1}, "start 1 on [0 1], start 0 on [2 3]"},
		{"two of a type, and one has to wait", nil, []sim.Job{typed(2, "a"), typed(1, "a"), typed(2, "b")},
			[]float64{0, 1, 2}, "start 0 on [0 1], start 2 on [2 3]"},
		{"a later job of the type gives way", []sim.Decision{start(0, 0, 1)}, []sim.Job{typed(2, "a"), typed(1, "a")},
			[]float64{1, 0}, "preempt 0, start 1 on [0]"},
		{"a later job of the other type does not", []sim.Decision{start(0, 2, 3)},
			[]sim.Job{typed(2, "b"), typed(1, "a")}, []float64{1, 0}, "start 1 on [0]"},
		// Job 0 holds both of type a, which job 1 is to have; it may start again on the others,
		// which are unclaimed.
		{"who gives way may go elsewhere at once", []sim.Decision{start(0, 0, 1)},
			[]sim.Job{typed(2, ""), typed(2, "a")}, []float64{1, 0}, "preempt 0, start 1 on [0 1], start 0 on [2 3]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := set(t, sim.Config{}, spec, c.jobs...)
			key := func(_ *sim.View, j sim.JobID) float64 { return c.keys[j] }
			p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: key}
			q.Follow(s.v, key, nil)
			if c.run != nil { // a first decision by the same Rebuild, with the others out of the queue
				for j := 1; j < len(c.jobs); j++ {
					q.Remove(sim.JobID(j))
				}
				b.Put = func(v *sim.View, p *plan.Placer, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
					return p.On(v, d, int32(v.Topology().Machine(c.run[0].GPUs[0])))
				}
				first := b.Decide(s.v, q, p, true, nil)
				if words(first) != words(c.run) {
					t.Fatalf("first %s, expected %s", words(first), words(c.run))
				}
				s.do(first...)
				b.Put = nil
				for j := 1; j < len(c.jobs); j++ {
					q.Add(s.v, sim.JobID(j), c.keys[j], 0)
				}
			}
			if got := words(b.Decide(s.v, q, p, true, nil)); got != c.want {
				t.Errorf("%s, expected %s", got, c.want)
			}
		})
	}
}

// A selection that cannot be placed is made again with as many jobs of the demand as fit: two parts
// of 600 fill two GPUs, so the third, which the count has room for, waits, and the part of 400 gets
// its place; hosts bind in the same way.
func TestRebuildTriesTheSelection(t *testing.T) {
	part := sim.Job{GPUs: 1, ShareMilli: 600}
	spec := cluster.Uniform(1, 1, 2, 1)
	for _, c := range []struct {
		name string
		cpu  int64
		jobs []sim.Job
		want string
	}{
		{"parts", 0, []sim.Job{part, part, part, {GPUs: 1, ShareMilli: 400}},
			"start 0 on [0], start 1 on [1], start 3 on [0]"},
		{"parts of one demand", 0, []sim.Job{part, part, part}, "start 0 on [0], start 1 on [1]"},
		{"parts beyond all room", 0, []sim.Job{{GPUs: 1, CPUMilli: 700}, part, part, part, part},
			"start 0 on [0], start 1 on [1]"},
		{"hosts", 1000, []sim.Job{{GPUs: 1, CPUMilli: 700}, {GPUs: 1, CPUMilli: 700}, {GPUs: 1, CPUMilli: 300}},
			"start 0 on [0], start 2 on [1]"},
	} {
		spec.Racks[0][0].CPUMilli = c.cpu
		s := set(t, sim.Config{}, spec, c.jobs...)
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: byID}
		q.Follow(s.v, byID, nil)
		if got := words(b.Decide(s.v, q, p, true, nil)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}
