package heet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// suits gives each model a speed per GPU on each type, and a part that every doubling of GPUs keeps
// of it.
type suits struct {
	top    *cluster.Topology
	speeds map[string]map[string]float64
	keeps  map[string]float64
	asked  int
}

func (s *suits) Speed(q *sim.Query) (sim.Speed, error) {
	s.asked++
	slow := math.Inf(1)
	for _, g := range q.GPUs {
		slow = min(slow, s.speeds[q.Job.Model][s.top.Type(s.top.Machine(g))])
	}
	f := math.Pow(s.keeps[q.Job.Model], math.Log2(float64(len(q.GPUs))))
	return sim.Speed{Rate: float64(len(q.GPUs)) * slow * f, ComputeFrac: f}, nil
}

// two machines of four GPUs, types a and b. x likes a, y likes b, z is twice as fast on a; x scales
// well, z badly.
func suitable(t *testing.T) *suits {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Type: "a"},
		{Count: 1, GPUs: 4, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return &suits{top: top, speeds: map[string]map[string]float64{"x": {"a": 4, "b": 1}, "y": {"a": 1, "b": 4},
		"z": {"a": 2, "b": 1}},
		keeps: map[string]float64{"x": 0.9, "y": 0.9, "z": 0.5}}
}

// play runs jobs and calls look after each instant's decisions are applied.
func play(t *testing.T, p sim.Policy, s *suits, jobs []sim.Job, look func(v *sim.View)) *sim.Engine {
	t.Helper()
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: s.top, Speed: s, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return e
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		look(v)
	}
}

func job(id, model string, lo, gpus, hi int32, submit, seconds float64) sim.Job {
	return sim.Job{ID: id, Model: model, MinGPUs: lo, GPUs: gpus, MaxGPUs: hi, Submit: sim.Seconds(submit),
		Work: sim.Seconds(seconds)}
}

// What a job holds: its type and number.
func holds(v *sim.View, top *cluster.Topology, j sim.JobID) string {
	held := v.Run(j).Held()
	if len(held) == 0 {
		return ""
	}
	return top.Type(top.Machine(held[0])) + string(rune('0'+len(held)))
}

// x and y each go to their type and grow to all of it; z, which scales badly, gets what they leave:
// nothing of theirs once they hold all, so that it gets its least and no more when it comes.
func TestRounds(t *testing.T) {
	s := suitable(t)
	jobs := []sim.Job{job("0", "y", 1, 1, 4, 0, 1000), job("1", "x", 1, 1, 4, 0, 1000), job("2", "z", 1, 1, 4, 12, 10)}
	seen := map[sim.Time][3]string{}
	play(t, policy(t, "round=10")(), s, jobs, func(v *sim.View) {
		seen[v.Now()] = [3]string{holds(v, s.top, 0), holds(v, s.top, 1), holds(v, s.top, 2)}
	})
	for at, want := range map[float64][3]string{0: {"b1", "a1", ""}, 10: {"b4", "a4", ""}, 12: {"b4", "a4", ""},
		20: {"b4", "a2", "a1"}} {
		if got := seen[sim.Seconds(at)]; got != want {
			t.Errorf("at %v s the jobs hold %q, want %q", at, got, want)
		}
	}
}

// Started on the wrong types because the right ones were taken, two jobs exchange them at the
// round.
func TestTheyTrade(t *testing.T) {
	s := suitable(t)
	jobs := []sim.Job{job("0", "x", 4, 4, 4, 0, 20), job("1", "x", 4, 4, 4, 0, 1000), job("2", "y", 4, 4, 4, 1, 1000)}
	last := ""
	play(t, policy(t, "round=10")(), s, jobs, func(v *sim.View) {
		if v.Now() == 10*sim.Second {
			last = holds(v, s.top, 1) + holds(v, s.top, 2)
		}
	})
	if last != "a4b4" {
		t.Errorf("at 10 s x and y hold %q, want a4 and b4", last)
	}
}

// few asks for types + numbers - 1 configurations of a model, all for their product; where speed is
// a product of type and number both are the same.
func TestFewMeasurements(t *testing.T) {
	values := map[bool][]float64{}
	for _, all := range []bool{false, true} {
		s := suitable(t)
		p := policy(t, map[bool]string{false: "round=0", true: "round=0,measure=all"}[all])().(*Policy)
		play(t, p, s, []sim.Job{job("0", "x", 1, 1, 4, 0, 10)}, func(v *sim.View) {
			if values[all] != nil {
				return
			}
			s.asked = 0
			p.speeds.byName = map[string]*table{}
			for r := range p.speeds.types {
				for n := 1; n <= 4; n++ {
					values[all] = append(values[all], p.speeds.throughput(v, 0, r, n))
				}
			}
			if want := map[bool]int{false: 5, true: 8}[all]; s.asked != want {
				t.Errorf("all=%v asks for %d configurations, want %d", all, s.asked, want)
			}
		})
	}
	for i := range values[true] {
		if math.Abs(values[true][i]-values[false][i]) > 1e-9 {
			t.Errorf("configuration %d: predicted %v, measured %v", i, values[false][i], values[true][i])
		}
	}
}

// The matching of a group against all assignments, on small drawn problems.
func TestMatchingIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := suitable(t)
	for range 200 {
		p := policy(t, "")().(*Policy)
		p.speeds.types = []string{"a", "b"}
		n := 1 + r.IntN(5)
		p.left = []int{r.IntN(4), r.IntN(4)}
		for i := range n {
			model := string(rune('A' + i))
			tab := &table{least: 1, first: 0, most: []int{4, 4}, wide: 4, known: make([]float64, 10)}
			tab.known[1], tab.known[6] = 0.1+r.Float64(), 0.1+r.Float64()
			p.speeds.byName[model] = tab
			p.parts = append(p.parts, part{job: sim.JobID(i), lo: 1, hi: 1, typ: -1, had: -1, only: -1, selected: true,
				best: max(tab.known[1], tab.known[6]), urgency: 1})
		}
		left := slices.Clone(p.left)
		var jobs []sim.Job
		for i := range n {
			jobs = append(jobs, sim.Job{ID: string(rune('0' + i)), Model: string(rune('A' + i)), GPUs: 1, Work: 1})
		}
		v := viewOf(t, s, jobs)
		want := bestOf(p, v, left, 0, min(n, left[0]+left[1]))
		p.match(v)
		got, placed := 0.0, 0
		for i := range p.parts {
			if x := &p.parts[i]; x.typ >= 0 {
				got += 1 - p.value(v, x, x.typ, 1)
				placed++
			}
		}
		if placed != min(n, left[0]+left[1]) || placed == n && math.Abs(got-want) > 1e-9 {
			t.Fatalf("%d of %d jobs are placed at cost %v, best %v", placed, n, got, want)
		}
	}
}

// viewOf is a view at the first instant of jobs that have arrived.
func viewOf(t *testing.T, s *suits, jobs []sim.Job) *sim.View {
	t.Helper()
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: s.top, Speed: s})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// bestOf is the least cost of placing all jobs from the i-th on.
func bestOf(p *Policy, v *sim.View, left []int, i, most int) float64 {
	if i == len(p.parts) || most == 0 {
		return 0
	}
	best := math.Inf(1)
	for r := range left {
		if left[r] > 0 {
			left[r]--
			best = min(best, 1-p.value(v, &p.parts[i], r, 1)+bestOf(p, v, left, i+1, most-1))
			left[r]++
		}
	}
	return best
}

// A job that has had much is last in line for more, and still grows where no other job wants what
// is left; one that scales badly does not.
func TestGrowth(t *testing.T) {
	s := suitable(t)
	v := viewOf(t, s, []sim.Job{job("0", "x", 1, 1, 4, 0, 9), job("1", "z", 1, 1, 4, 0, 9)})
	e := func(least float64, parts ...part) []int {
		p := policy(t, "round=0,measure=all")().(*Policy)
		p.speeds.types, p.least, p.left, p.parts = []string{"a", "b"}, least, []int{4 - len(parts), 0}, parts
		for i := range p.parts { // all throughputs are proportional to the GPUs, to their root for the second model
			tab := &table{least: 1, first: 0, most: []int{4, 0}, wide: 4, known: make([]float64, 10)}
			for n := 1; n <= 4; n++ {
				tab.known[n] = math.Pow(float64(n), []float64{1, 0.5}[p.parts[i].job])
			}
			p.speeds.byName[[]string{"x", "z"}[p.parts[i].job]] = tab
		}
		p.grow(v)
		var got []int
		for _, x := range p.parts {
			got = append(got, x.n)
		}
		return got
	}
	served, poor := part{job: 0, lo: 1, hi: 4, n: 1, best: 1, urgency: 0.01},
		part{job: 1, lo: 1, hi: 4, n: 1, best: 1, urgency: 1}
	for _, c := range []struct {
		name      string
		got, want []int
	}{
		{"alone", e(0.3, served), []int{4}},
		{"scales badly", e(0.5, poor), []int{1}},
		{"scales badly, and may", e(0.4, poor), []int{2}},
		{"the other goes first", e(0.4, served, poor), []int{2, 2}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: jobs get %v GPUs, want %v", c.name, c.got, c.want)
		}
	}
}
