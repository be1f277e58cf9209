package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

func count(j sim.JobID, n int32) plan.Count { return plan.Count{Job: j, GPUs: n} }

// What leads from what runs to numbers of GPUs, case by case. Machines have 4 GPUs in 2 slots,
// racks 2 machines.
func TestSizer(t *testing.T) {
	flex := sim.Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 16}
	from := []sim.Decision{start(0, 0, 1), start(1, 2), start(2, 4, 5, 6, 8, 12)}
	for _, c := range []struct {
		name   string
		counts []plan.Count
		want   string
		late   string
	}{
		{"nothing changes", []plan.Count{count(0, 2), count(1, 1), count(2, 5)}, "", "[]"},
		{"in another order", []plan.Count{count(2, 5), count(1, 1), count(0, 2)}, "", "[]"},
		{"not listed", []plan.Count{count(2, 5), count(0, 2)}, "preempt 1", "[]"},
		{"none", []plan.Count{count(0, 2), count(1, 0), count(2, 5), count(1, 1)}, "preempt 1", "[]"},
		{"less, from where it has fewest", []plan.Count{count(0, 2), count(1, 1), count(2, 4)},
			"resize 2 on [4 5 6 8]", "[]"},
		{"less, the slot with most", []plan.Count{count(0, 2), count(1, 1), count(2, 2)}, "resize 2 on [4 5]", "[]"},
		{"more, on its machine", []plan.Count{count(0, 3), count(1, 1), count(2, 5)}, "resize 0 on [0 1 3]", "[]"},
		{"more, in its slot", []plan.Count{count(1, 2), count(0, 2), count(2, 5)}, "resize 1 on [2 3]", "[]"},
		{"more, the fullest machine that has enough", []plan.Count{count(2, 6), count(0, 2), count(1, 1)},
			"resize 2 on [4 5 6 7 8 12]", "[]"},
		{"more, then in its rack", []plan.Count{count(0, 4), count(1, 1), count(2, 5)}, "resize 0 on [0 1 3 7]", "[]"},
		{"more, then elsewhere", []plan.Count{count(0, 5), count(1, 1), count(2, 5)}, "resize 0 on [0 1 3 7 9]", "[]"},
		{"into the room of one that shrinks", []plan.Count{count(0, 4), count(1, 1), count(2, 3)},
			"resize 0 on [0 1 3 7], resize 2 on [4 5 6]", "[]"},
		{"onto what another gives up", []plan.Count{count(2, 2), count(0, 6), count(1, 1)},
			"lift 2, resize 2 on [4 5], resize 0 on [0 1 3 6 7 8]", "[]"},
		{"into the room of one that ends", []plan.Count{count(0, 4), count(2, 5)}, "preempt 1, resize 0 on [0 1 2 3]",
			"[]"},
		{"a start, where it fits best", []plan.Count{count(0, 2), count(1, 1), count(2, 5), count(3, 3)},
			"start 3 on [9 10 11]", "[]"},
		{"two starts, the first chooses", []plan.Count{count(3, 1), count(4, 3), count(0, 2), count(1, 1),
			count(2, 5)}, "start 3 on [3], start 4 on [9 10 11]", "[]"},
		{"more than there is", []plan.Count{count(0, 16), count(1, 1), count(2, 5), count(3, 9), count(4, 8)},
			"start 4 on [3 7 9 10 11 13 14 15]", "[0 3]"},
	} {
		s := set(t, sim.Config{}, cluster.Uniform(2, 2, 4, 2), flex, flex, flex, flex, flex)
		s.do(from...)
		x := plan.NewSizer(cluster.BestFit)
		ds := x.Decide(s.v, c.counts, nil)
		if got := fully(ds); got != c.want {
			t.Errorf("%s: %s\nexpected %s", c.name, got, c.want)
		}
		if got := fmt.Sprint(x.Late()); c.late != got {
			t.Errorf("%s: late %s, expected %s", c.name, got, c.late)
		}
		s.do(ds...)
	}
}

// A job stays within one type, unless none alone could ever hold it.
func TestSizerKeepsToOneType(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, Type: "p"}, {Count: 1, GPUs: 3, Type: "q"}}}}
	flex := sim.Job{GPUs: 1, MinGPUs: 1, MaxGPUs: 8}
	typed := flex
	typed.GPUType = "p"
	for _, c := range []struct {
		counts []plan.Count
		want   string
		late   string
	}{
		{[]plan.Count{count(0, 3)}, "start 0 on [4 5 6]", "[]"},
		{[]plan.Count{count(0, 4)}, "start 0 on [0 1 2 3]", "[]"},
		{[]plan.Count{count(0, 5)}, "start 0 on [0 1 4 5 6]", "[]"},
		{[]plan.Count{{Job: 0, GPUs: 2, Type: "q"}, {Job: 1, GPUs: 1, Type: "q"}}, "start 0 on [4 5], start 1 on [0]",
			"[]"},
		{[]plan.Count{{Job: 0, GPUs: 4, Type: "q"}}, "", "[0]"},
		{[]plan.Count{count(1, 1), count(0, 4)}, "start 1 on [0]", "[0]"},
		{[]plan.Count{count(1, 5)}, "", "[1]"},
		{[]plan.Count{count(1, 2), count(0, 2)}, "start 1 on [0 1], start 0 on [2 3]", "[]"},
	} {
		s := set(t, sim.Config{}, spec, flex, typed)
		x := plan.NewSizer(cluster.BestFit)
		ds := x.Decide(s.v, c.counts, nil)
		if got := fully(ds); got != c.want || fmt.Sprint(x.Late()) != c.late {
			t.Errorf("%v: %s, %v late, expected %s and %s", c.counts, got, x.Late(), c.want, c.late)
		}
		s.do(ds...)
	}
	s := set(t, sim.Config{}, spec, flex)
	s.do(start(0, 4, 5))
	x := plan.NewSizer(cluster.BestFit)
	for n, want := range map[int32]string{3: "resize 0 on [4 5 6]", 4: ""} {
		if got := fully(x.Decide(s.v, []plan.Count{count(0, n)}, nil)); got != want {
			t.Errorf("%d GPUs: %s, expected %s", n, got, want)
		}
	}
}

// sizing is a policy without a purpose: at many instants it draws for each job how many GPUs it is
// to have, and other knobs.
type sizing struct {
	rng      *rand.PCG
	sizer    *plan.Sizer
	counts   []plan.Count
	jobs     []sim.JobID
	cordons  []bool
	instants int
}

func newSizing(seed uint64) *sizing {
	return &sizing{rng: rand.NewPCG(seed, 0x517e), sizer: plan.NewSizer(cluster.Rule(seed % 2))}
}

func (p *sizing) Knows() know.Set { return know.Nothing }

func (p *sizing) Clone() sim.Policy {
	rng := *p.rng
	return &sizing{rng: &rng, sizer: p.sizer.Clone(), cordons: slices.Clone(p.cordons), jobs: slices.Clone(p.jobs),
		instants: p.instants}
}

func (p *sizing) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	r := rand.New(p.rng)
	p.instants++
	calm := p.instants > unrest
	out = p.cordon(v, r, calm, true, out)
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.jobs = append(p.jobs, ev.Job)
		}
	}
	p.jobs = slices.DeleteFunc(p.jobs, func(j sim.JobID) bool {
		s := v.Run(j).State()
		return s == sim.Done ||
			s == sim.Refused
	})
	p.counts = p.counts[:0]
	left := v.Topology().GPUs()
	for i, j := range p.jobs {
		if !calm && r.IntN(3) == 0 {
			k := r.IntN(i + 1)
			p.jobs[i], p.jobs[k] = p.jobs[k], p.jobs[i]
			j = p.jobs[i]
		}
		c := plan.Count{Job: j, GPUs: int32(len(v.Run(j).Held()))}
		lo, hi := v.Job(j).Range()
		switch {
		case c.GPUs == 0 && calm:
			c.GPUs = int32(lo)
		case !calm && r.IntN(2) == 0:
			c.GPUs = int32(lo + r.IntN((min(hi, max(left, lo))-lo)/v.Job(j).WorkerGPUs()+1)*v.Job(j).WorkerGPUs())
			c.Lease = sim.Time(r.IntN(2)*r.IntN(5)) * sim.Second
			if r.IntN(3) == 0 {
				c.Knobs = (*restless)(nil).knobs(v, r, j)
			}
		case !calm && r.IntN(4) == 0:
			continue
		}
		p.counts = append(p.counts, c)
	}
	out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	return p.cordon(v, r, calm, false, p.sizer.Decide(v, p.counts, out))
}

// cordon ends cordons before the decisions, or begins some after them.
func (p *sizing) cordon(v *sim.View, r *rand.Rand, calm, end bool, out []sim.Decision) []sim.Decision {
	if p.cordons == nil {
		p.cordons = make([]bool, v.Topology().Machines())
	}
	for m := range p.cordons {
		if end && p.cordons[m] && (calm || r.IntN(4) == 0) {
			p.cordons[m] = false
			out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: int32(m)})
		} else if !end && !p.cordons[m] && !calm && r.IntN(8) == 0 {
			p.cordons[m] = true
			out = append(out, sim.Decision{Kind: sim.Cordon, Machine: int32(m)})
		}
	}
	return out
}

// Whatever numbers a policy wants, Sizer's decisions are within the rules: with shares, types,
// hosts, faults, cordons, costs and checkpoints that take time.
func TestSizerConforms(t *testing.T) {
	simtest.Policy(t, func() sim.Policy { return newSizing(1) }, simtest.Options{Allocates: true})
}

func TestTortureSizer(t *testing.T) {
	simtest.Torture(t, 100, func(seed uint64) error {
		return simtest.Try(func() sim.Policy { return newSizing(seed) }, seed, simtest.Options{})
	})
}

// sway is n machines of 8 GPUs with 2 jobs of 4 on each, and numbers that shrink every other job
// and let its neighbour grow, and back.
func sway(t testing.TB, n int) (*sim.Engine, *sim.View, [2][]plan.Count) {
	var js []sim.Job
	var ds []sim.Decision
	var cs [2][]plan.Count
	for i := range 2 * n {
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 4, MinGPUs: 1, MaxGPUs: 8, Work: sim.Time(1e6) * sim.Second})
		g := cluster.GPU(4 * i)
		ds = append(ds, start(sim.JobID(i), g, g+1, g+2, g+3))
		cs[0] = append(cs[0], count(sim.JobID(i), 4))
		cs[1] = append(cs[1], count(sim.JobID(i), int32(2+4*(i%2))))
	}
	w, err := sim.NewWorkload("sway", js)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, n, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: flat{}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err == nil {
		err = e.Apply(append(ds, sim.Decision{Kind: sim.WakeAt, At: sim.Second}))
	}
	if err == nil {
		_, _, err = e.Next()
	}
	if err != nil {
		t.Fatal(err)
	}
	return e, v, cs
}

// Once warm neither Sizer nor the kernel allocates, though every job is resized at every instant.
func TestSizerAllocatesNothing(t *testing.T) {
	e, v, cs := sway(t, 8)
	x := plan.NewSizer(cluster.BestFit)
	var out []sim.Decision
	n := 0
	step := func() {
		n++
		out = x.Decide(v, cs[n%2], out[:0])
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := e.Next(); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for range 10 {
		step()
	}
	if allocs := testing.AllocsPerRun(100, step); allocs != 0 || len(out) < 16 {
		t.Errorf("%v allocations per instant and %d decisions, want none and more than 16", allocs, len(out))
	}
}

// BenchmarkSizer leads a cluster of 1 024 GPUs and 256 jobs to the numbers that they have ("stay"),
// and to numbers in which every job has changed ("sway").
func BenchmarkSizer(b *testing.B) {
	for i, name := range []string{"stay", "sway"} {
		b.Run(name, func(b *testing.B) {
			_, v, cs := sway(b, 128)
			x := plan.NewSizer(cluster.BestFit)
			var out []sim.Decision
			b.ReportAllocs()
			for b.Loop() {
				out = x.Decide(v, cs[i], out[:0])
			}
			b.ReportMetric(float64(len(out)), "decisions")
		})
	}
}
