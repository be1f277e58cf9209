package plan_test

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Where the hosts of the first choice are full, the machines are scanned. Racks of 3, 2 and 2
// machines of 2 GPUs with 1000 of CPU and 100 MiB each: job 0 has GPU 6 and all CPU of machine 3,
// job 1 has GPU 10 and 100 of the CPU of machine 5.
func TestHostsDecide(t *testing.T) {
	rack := func(n int) []cluster.Machines {
		return []cluster.Machines{{Count: n, GPUs: 2, Slots: 1, CPUMilli: 1000, MemMiB: 100}}
	}
	spec := cluster.Spec{Racks: [][]cluster.Machines{rack(3), rack(2), rack(2)}}
	for _, c := range []struct {
		name           string
		gpus, cpu, mem int32
		want           string
	}{
		{"one GPU: machine 3 fits best but for its CPU, then machine 5", 1, 500, 0, "[11] true"},
		{"more than machine 5 has left", 1, 950, 0, "[0] true"},
		{"two GPUs of one machine", 2, 500, 0, "[0 1] true"},
		{"two GPUs, one a machine: rack 1 has one, rack 2 just two", 2, 501, 0, "[11 12] true"},
		{"three GPUs, one a machine", 3, 501, 0, "[0 2 4] true"},
		{"seven GPUs: no rack has them; machines with most room first", 7, 500, 0, "[0 1 2 3 4 5 8] true"},
		{"eleven GPUs are all that hosts carry", 11, 500, 0, "[0 1 2 3 4 5 8 9 11 12 13] true"},
		{"twelve are not", 12, 500, 0, "[] false"},
		{"two GPUs, memory for one a machine: rack 1 just has them", 2, 0, 51, "[7 8] true"},
		{"memory for none", 1, 0, 101, "[] false"},
	} {
		s := set(t, sim.Config{}, spec, sim.Job{GPUs: 1, CPUMilli: 1000}, sim.Job{GPUs: 1, CPUMilli: 100},
			sim.Job{GPUs: c.gpus, CPUMilli: c.cpu, MemMiB: c.mem})
		s.do(start(0, 6), start(1, 10))
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		p.Begin(s.v)
		gpus, ok := p.Place(s.v, q.Note(s.v, 2))
		if got := fmt.Sprint(gpus, ok); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
		if ok && !s.v.Fits(2, gpus) {
			t.Errorf("%s: the kernel would refuse %v", c.name, gpus)
		}
	}
}

// Slots are sockets: a job is placed on one of them where one holds it, the fullest first, whether
// or not CPU and memory bind. Three machines of two slots of 4 GPUs with 8000 of CPU: jobs 0 and 1
// leave 2 + 2 GPUs and 4000 on machine 0, job 2 leaves 4 + 3 and 100 on machine 1, and job 3 leaves
// 1 + 4 and 8000 on machine 2.
func TestSlotsDecide(t *testing.T) {
	spec := cluster.Uniform(1, 3, 8, 2)
	spec.Racks[0][0].CPUMilli, spec.Racks[0][0].MemMiB = 8000, 1<<20
	for _, c := range []struct {
		name      string
		gpus, cpu int32
		want      string
	}{
		{"3 GPUs: the slot with 3", 3, 0, "[13 14 15] true"},
		{"3 GPUs with CPU: machine 1 has no CPU, machine 0 is fuller but has no such slot", 3, 1000, "[20 21 22] true"},
		{"2 GPUs with CPU: the slots of machine 0", 2, 1000, "[2 3] true"},
		{"5 GPUs with CPU: two slots", 5, 1000, "[19 20 21 22 23] true"},
		{"4 GPUs with CPU: one slot, not the last of machine 0", 4, 1000, "[20 21 22 23] true"},
	} {
		s := set(t, sim.Config{}, spec, sim.Job{GPUs: 2, CPUMilli: 1000}, sim.Job{GPUs: 2, CPUMilli: 1000},
			sim.Job{GPUs: 1, CPUMilli: 7900}, sim.Job{GPUs: 3}, sim.Job{GPUs: c.gpus, CPUMilli: c.cpu})
		s.do(start(0, 0, 1), start(1, 4, 5), start(2, 12), start(3, 16, 17, 18))
		p, q := plan.NewPlacer(cluster.BestFit), &plan.Queue{}
		p.Begin(s.v)
		gpus, ok := p.Place(s.v, q.Note(s.v, 4))
		if got := fmt.Sprint(gpus, ok); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// What a decision gives out of a host is gone for the rest of the decision: CPU, memory, whatever
// way a job is placed.
func TestHostsWithinADecision(t *testing.T) {
	spec := cluster.Uniform(1, 1, 4, 1)
	spec.Racks[0][0].CPUMilli, spec.Racks[0][0].MemMiB = 1000, 100
	ways := map[string]func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU, bool){
		"place": func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) { return p.Place(v, d) },
		"on":    func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) { return p.On(v, d, 0) },
		"consolidate": func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
			return p.Consolidate(v, d)
		},
		"scatter": func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) { return p.Scatter(v, d) },
		"fragments": func(p *plan.Placer, v *sim.View, d *plan.Demand) ([]cluster.GPU,
			bool) {
			return p.Fragments(v, d)
		},
	}
	for name, place := range ways {
		for what, d := range map[string]plan.Demand{"CPU": {GPUs: 1, ShareMilli: 1000, CPUMilli: 400},
			"memory": {GPUs: 1, ShareMilli: 1000, MemMiB: 40}} {
			s := set(t, sim.Config{}, spec, sim.Job{GPUs: 1})
			p := plan.NewPlacer(cluster.BestFit)
			for range 2 { // a second decision starts over
				p.Begin(s.v)
				n := 0
				for range 4 {
					if _, ok := place(p, s.v, &d); ok {
						n++
					}
				}
				if n != 2 || s.v.Free().Total() != 2 {
					t.Errorf("%s: %d jobs placed by %s and %d GPUs free, expected 2 and 2", name, n, what,
						s.v.Free().Total())
				}
			}
		}
	}
}

// Leftovers go first: GPUs of the machine with fewest free ones, then of the next. 4 machines of 3
// GPUs, with 3, 1, 2 and 3 free.
func TestFragmentsByHand(t *testing.T) {
	for gpus, want := range map[int32]string{1: "[5] true", 2: "[5 7] true", 3: "[5 7 8] true", 4: "[0 5 7 8] true",
		7: "[0 1 2 5 7 8 9] true", 9: "[0 1 2 5 7 8 9 10 11] true", 10: "[] false"} {
		s := set(t, sim.Config{}, cluster.Uniform(2, 2, 3, 1), sim.Job{GPUs: 2}, sim.Job{GPUs: 1})
		s.do(start(0, 3, 4), start(1, 6))
		p := plan.NewPlacer(cluster.BestFit)
		p.Begin(s.v)
		got, ok := p.Fragments(s.v, &plan.Demand{GPUs: gpus, ShareMilli: 1000})
		if text := fmt.Sprint(got, ok); text != want || s.v.Free().Total() != 9-len(got) {
			t.Errorf("%d GPUs: %s, expected %s; %d free", gpus, text, want, s.v.Free().Total())
		}
	}
}
