package plan_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// asking is a policy that hands its view and a placer to a function at the first instant.
type asking struct {
	f    func(v *sim.View, p *plan.Placer, q *plan.Queue)
	done bool
}

func (a *asking) Knows() know.Set { return know.Nothing }
func (a *asking) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if !a.done {
		a.done = true
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		p.Begin(v)
		a.f(v, p, q)
	}
	return out
}

// ask lets f plan on 2 racks x 2 machines x 4 GPUs, with the jobs waiting.
func ask(t *testing.T, jobs []sim.Job, f func(v *sim.View, p *plan.Placer, q *plan.Queue)) {
	t.Helper()
	for i := range jobs {
		jobs[i].ID, jobs[i].Work = fmt.Sprint(i), sim.Second
	}
	w, err := sim.NewWorkload("plan", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4, CPUMilli: 4000}},
		{{Count: 2, GPUs: 4, CPUMilli: 4000}}}})
	if err != nil {
		t.Fatal(err)
	}
	a := &asking{f: f}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}},
		a); err != nil || !a.done {
		t.Fatal(err, a.done)
	}
}

func TestWaysToPlace(t *testing.T) {
	type place func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool)
	within := func(l cluster.Level) place {
		return func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool) { return p.PlaceWithin(v, d, l) }
	}
	scatter := func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool) { return p.Scatter(v, d) }
	fragments := func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool) { return p.Fragments(v, d) }
	emptiest := func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool) { return p.Emptiest(v, d) }
	on := func(ms ...int32) place {
		return func(v *sim.View, p *plan.Placer, d *plan.Demand) ([]cluster.GPU, bool) { return p.On(v, d, ms...) }
	}
	for _, c := range []struct {
		name string
		gpus int32
		cpu  int32
		how  place
		want string
	}{
		{"a machine", 4, 0, within(cluster.LevelMachine), "[4 5 6 7] true"}, // machine 0 has 3 free
		{"not beyond a machine", 5, 0, within(cluster.LevelMachine), "[] false"},
		{"a rack", 5, 0, within(cluster.LevelRack), "[8 9 10 11 12] true"}, // rack 0 has one whole machine
		{"not beyond a rack", 9, 0, within(cluster.LevelRack), "[] false"},
		{"hosts push it beyond the level", 4, 2000, within(cluster.LevelMachine), "[] false"},
		{"spread", 5, 0, scatter, "[0 4 5 8 12] true"},
		{"too many to spread", 16, 0, scatter, "[] false"},
		{"leftovers first", 4, 0, fragments, "[0 1 2 4] true"},
		{"too many leftovers", 16, 0, fragments, "[] false"},
		{"from the emptiest", 3, 0, emptiest, "[4 5 6] true"},
		{"from the emptiest on", 9, 0, emptiest, "[4 5 6 7 8 9 10 11 12] true"},
		{"all of them", 15, 0, emptiest, "[0 1 2 4 5 6 7 8 9 10 11 12 13 14 15] true"},
		{"too many", 16, 0, emptiest, "[] false"},
		{"on one machine", 3, 0, on(3), "[12 13 14] true"},
		{"on two machines", 5, 0, on(3, 0), "[0 12 13 14 15] true"},
		{"not on that machine", 4, 0, on(0), "[] false"},
		{"not with that much CPU", 3, 2000, on(3), "[] false"},
		{"two machines carry it", 4, 2000, on(3, 2), "[8 9 12 13] true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask(t, []sim.Job{{GPUs: 1}, {GPUs: c.gpus, CPUMilli: c.cpu}},
				func(v *sim.View, p *plan.Placer, q *plan.Queue) {
					v.Free().Take(3)
					free := v.Free().Total()
					gpus, ok := c.how(v, p, q.Note(v, 1))
					if got := fmt.Sprint(gpus, ok); got != c.want {
						t.Errorf("got %s, want %s", got, c.want)
					}
					if n := v.Free().Total(); n != free-len(gpus) {
						t.Errorf("%d GPUs are free after %d were, %d given", n, free, len(gpus))
					}
				})
		})
	}
}

func TestAvailableAndEach(t *testing.T) {
	ask(t, []sim.Job{{GPUs: 2}, {GPUs: 2}, {GPUs: 6}, {GPUs: 16}, {GPUs: 1, GPUType: ""}},
		func(v *sim.View, p *plan.Placer, q *plan.Queue) {
			for _, g := range []cluster.GPU{0, 4, 8, 12} {
				v.Free().Take(g)
			}
			want := map[int32]string{2: "machine true", 6: "rack true", 16: "machine false"}
			for j := range sim.JobID(4) {
				d := q.Note(v, j)
				l, ok := p.Available(v, d, cluster.LevelMachine)
				if got := fmt.Sprint(l, ok); got != want[d.GPUs] {
					t.Errorf("%d GPUs are available: %s, want %s", d.GPUs, got, want[d.GPUs])
				}
			}
			q.Add(v, 0, 0, 7)
			q.Add(v, 1, 0, 5)
			q.Add(v, 2, 0, 9)
			got := map[int32]float64{}
			q.Each(func(d *plan.Demand, least float64) { got[d.GPUs] = least })
			if len(got) != 2 || got[2] != 5 || got[6] != 9 || q.Weight(0) != 7 {
				t.Errorf("least weights %v and job 0's %v, want 5 for 2 GPUs, 9 for 6, and 7", got, q.Weight(0))
			}
		})
}
