package plan_test

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Parts of GPUs go to the GPU in shared use that they fill best, or to the lowest; whole GPUs to
// none of those.
func TestPlaceParts(t *testing.T) {
	for _, c := range []struct {
		name string
		rule cluster.Rule
		ask  []int32 // thousandths, one after the other, each placed before the next is asked for
		want string
	}{
		// 1 is fuller, then full: 700 beside 300; both now full
		{"the fullest with room", cluster.BestFit, []int32{300, 800, 100, 700, 100}, "[0] [1] [1] [0] [1]"},
		{"the lowest with room", cluster.FirstFound, []int32{300, 800, 100, 700, 100}, "[0] [1] [0] [2] [0]"},
		{"among equals the lowest", cluster.BestFit, []int32{600, 600, 300}, "[0] [1] [0]"},
		{"to the last thousandth", cluster.BestFit, []int32{600, 401, 400, 599}, "[0] [1] [0] [1]"},
		{"whole GPUs stay whole", cluster.BestFit, []int32{600, 1000, 1000, 400}, "[0] [1] [2] [0]"},
		{"no room", cluster.BestFit, []int32{600, 1000, 1000, 1000, 500, 400}, "[0] [1] [2] [3] none [0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs := make([]sim.Job, len(c.ask))
			for i := range jobs {
				jobs[i] = sim.Job{GPUs: 1, ShareMilli: c.ask[i]}
			}
			for _, atOnce := range []bool{true, false} { // all in one decision, and each in one of its own
				s := set(t, sim.Config{}, cluster.Uniform(1, 1, 4, 1), jobs...)
				p, q, got := plan.NewPlacer(c.rule), &plan.Queue{}, ""
				var ds []sim.Decision
				p.Begin(s.v)
				for j := range sim.JobID(len(jobs)) {
					gpus, ok := p.Place(s.v, q.Note(s.v, j))
					if !ok {
						got += "none "
						continue
					}
					got += fmt.Sprint(gpus) + " "
					if ds = append(ds, start(j, gpus...)); !atOnce {
						s.do(ds...)
						p.Begin(s.v)
						ds = nil
					}
				}
				s.do(ds...) // the kernel accepts them
				if got != c.want+" " {
					t.Errorf("at once %v: %s, expected %s", atOnce, got, c.want)
				}
			}
		})
	}
}

// What a job gives back can be given out in the same decision; Keep takes that back, Begin forgets
// all.
func TestVacateKeepAndBegin(t *testing.T) {
	spec := cluster.Uniform(1, 1, 2, 1)
	spec.Racks[0][0].CPUMilli, spec.Racks[0][0].MemMiB = 1000, 100
	share := sim.Job{GPUs: 1, ShareMilli: 700, CPUMilli: 400, MemMiB: 10}
	s := set(t, sim.Config{}, spec, share, sim.Job{GPUs: 1, ShareMilli: 200, CPUMilli: 400, MemMiB: 70},
		sim.Job{GPUs: 1}, share)
	p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
	d := func(j sim.JobID) *plan.Demand { return q.Note(s.v, j) }
	for j := range sim.JobID(4) {
		d(j)
	}
	can := func(j sim.JobID) bool { // tries and gives back
		gpus, ok := p.PlaceWithin(s.v, d(j), cluster.LevelMachine)
		if ok {
			p.Begin(s.v)
		}
		_ = gpus
		return ok
	}
	p.Begin(s.v)
	var ds []sim.Decision
	for j := range sim.JobID(3) { // 700 and 200 of GPU 0, all of GPU 1; 800 of 1000 CPU, 80 of 100 MiB
		gpus, ok := p.Place(s.v, d(j))
		if !ok {
			t.Fatalf("job %d finds no place", j)
		}
		ds = append(ds, start(j, gpus...))
	}
	s.do(ds...)
	p.Begin(s.v)
	if can(3) {
		t.Error("job 3 is placed on a full cluster")
	}
	p.Vacate(s.v, 0, d(0))
	if free := s.v.Free().Total(); free != 0 {
		t.Errorf("%d GPUs are free, and job 1 still holds a part of the one that was vacated", free)
	}
	if !can(3) { // like job 0: 700, 400 of CPU
		t.Error("job 3 does not find the place of job 0")
	}
	p.Vacate(s.v, 0, d(0))
	p.Keep(s.v, 0, d(0))
	if can(3) {
		t.Error("job 3 is placed although job 0 is kept")
	}
	p.Vacate(s.v, 2, d(2)) // a whole GPU, but only 200 of CPU
	if free := s.v.Free().Total(); free != 1 || can(3) {
		t.Errorf("%d GPUs free, expected 1 that CPU keeps from job 3", free)
	}
	p.Vacate(s.v, 1, d(1)) // now 600 of CPU and 90 MiB: a place on GPU 1
	if gpus, ok := p.Place(s.v, d(3)); !ok || fmt.Sprint(gpus) != "[1]" {
		t.Errorf("job 3 on %v (%v), expected on GPU 1", gpus, ok)
	}
	p.Begin(s.v)
	if s.v.Free().Total() != 0 || can(3) {
		t.Error("Begin has not forgotten the plan")
	}
}

// A placement is at the finest level that has it, and within it best-fit leaves the most behind; a
// limit refuses what is coarser and takes nothing for it.
func TestLevelsOfAPlacement(t *testing.T) {
	// 2 racks x 2 machines x 2 slots x 2 GPUs; GPU 0 and GPUs 8 to 10 are taken.
	for _, c := range []struct {
		gpus  int32
		limit cluster.Level
		want  string
	}{
		{1, cluster.LevelSlot, "[1] true"}, {2, cluster.LevelSlot, "[2 3] true"}, {3, cluster.LevelSlot, "[] false"},
		{3, cluster.LevelMachine, "[1 2 3] true"},
		{4, cluster.LevelMachine, "[4 5 6 7] true"}, {5, cluster.LevelMachine, "[] false"},
		{5, cluster.LevelRack, "[11 12 13 14 15] true"},
		{7, cluster.LevelRack, "[1 2 3 4 5 6 7] true"}, {8, cluster.LevelRack, "[] false"},
		{8, cluster.LevelCluster, "[1 2 3 4 5 6 7 11] true"},
		{13, cluster.LevelCluster, "[] false"},
	} {
		ask := []sim.Job{{GPUs: 1}, {GPUs: 3}, {GPUs: c.gpus}}
		s := set(t, sim.Config{}, cluster.Uniform(2, 2, 4, 2), ask...)
		s.do(start(0, 0), start(1, 8, 9, 10))
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		p.Begin(s.v)
		free := s.v.Free().Total()
		gpus, ok := p.PlaceWithin(s.v, q.Note(s.v, 2), c.limit)
		if got := fmt.Sprint(gpus, ok); got != c.want || s.v.Free().Total() != free-len(gpus) {
			t.Errorf("%d GPUs within a %v: %s, expected %s; %d of %d still free", c.gpus, c.limit, got, c.want,
				s.v.Free().Total(), free)
		}
		// A refusal leaves room for the next choice of the same decision.
		if _, ok := p.Place(s.v, &plan.Demand{GPUs: int32(s.v.Free().Total()), ShareMilli: 1000}); !ok {
			t.Errorf("after %d GPUs within a %v the rest cannot be placed", c.gpus, c.limit)
		}
	}
}
