package ilp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestConfigs: powers of two within a node, then whole nodes.
func TestConfigs(t *testing.T) {
	for _, c := range []struct {
		nodes, per, most int
		want             []int
	}{
		{6, 4, 0, []int{1, 2, 4, 8, 12, 16, 20, 24}},
		{2, 8, 0, []int{1, 2, 4, 8, 16}},
		{2, 6, 0, []int{1, 2, 4, 6, 12}},
		{100, 4, 16, []int{1, 2, 4, 8, 12, 16}},
		{3, 1, 0, []int{1, 2, 3}},
		{0, 4, 0, nil},
		{2, 8, 3, []int{1, 2}},
	} {
		var got []int
		for _, f := range Configs(nil, 7, c.nodes, c.per, c.most) {
			if f.Type != 7 || f.Nodes != max(1, f.GPUs/c.per) {
				t.Errorf("%d nodes of %d: %+v", c.nodes, c.per, f)
			}
			got = append(got, f.GPUs)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d nodes of %d, at most %d: %v, expected %v", c.nodes, c.per, c.most, got, c.want)
		}
	}
}

// TestRow has rows worked out by hand: normalised by the smallest entry, slowed by restarts, to the
// power -1/2, two decimals.
func TestRow(t *testing.T) {
	r := Default()
	for _, c := range []struct {
		why  string
		job  Job
		want []float64
	}{
		{"the smallest goodput costs 1, four times as much a half, what is not possible 100",
			Job{Goodput: []float64{25, 100, 0}, Prev: -1}, []float64{1, .5, 100}},
		{"nothing known: one GPU", Job{Goodput: []float64{0, 0, 0}, Blank: []int{1}, Prev: -1}, []float64{100, 1, 100}},
		{"r = (1000 - 2*100)/1100 but where it is", Job{Goodput: []float64{25, 100, 0}, Prev: 0, AgeS: 1000,
			PenaltyS: 100, Restarts: 2}, []float64{1, .59, 117.26}},
		{"younger than a restart", Job{Goodput: []float64{25, 100, 0}, Prev: 0, AgeS: 99, PenaltyS: 100, Restarts: 2},
			[]float64{1, .5, 100}},
		{"restarts have taken all its time", Job{Goodput: []float64{25, 100, 0}, Prev: 1, AgeS: 150, PenaltyS: 100,
			Restarts: 2}, []float64{3000, .5, 3000}},
	} {
		got := make([]float64, 3)
		if r.Row(got, &c.job); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, expected %v", c.why, got, c.want)
		}
	}
	up := Rules{Power: 1, Lambda: -1.1, Clip: 3000, Digits: 2}
	got := make([]float64, 3)
	if up.Row(got, &Job{Goodput: []float64{25, 100, 0}, Prev: -1}); !reflect.DeepEqual(got, []float64{1, 4, 0}) {
		t.Errorf("to the power 1: %v", got)
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		r    Rules
		want string
	}{
		{Default(), ""},
		{Rules{-0.5, -1.1, 3000, 2}, "ilp: lambda is -1.1, expected a number beyond 1 with the sign that the power " +
			"-0.5 has not"},
		{Rules{0.5, -0.9, 3000, 2}, "ilp: lambda is -0.9, expected a number beyond 1 with the sign that the power " +
			"0.5 has not"},
		{Rules{0, 1.1, 3000, 2}, "ilp: the power is 0, expected a number that is not 0"},
		{Rules{-1, 1.1, 0, 2}, "ilp: entries are clipped to 0, expected more than 0"},
		{Rules{-1, 1.1, 1, 0}, "ilp: 0 decimals, expected 1 to 6"},
	} {
		got := ""
		if err := c.r.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %q, expected %q", c.r, got, c.want)
		}
	}
}

// drawn is a problem of some jobs on 6 x 4, 2 x 8 and 3 x 8 GPUs, or on smaller clusters, as rows
// are made in a simulation.
func drawn(r *rand.Rand, jobs int, nodes [3]int, rules Rules) *Problem {
	p := &Problem{Rules: rules}
	for t, per := range [...]int{4, 8, 8} {
		p.Configs = Configs(p.Configs, t, nodes[t], per, 64)
		p.Cap = append(p.Cap, nodes[t]*per)
	}
	left := append([]int(nil), p.Cap...)
	n := len(p.Configs)
	for range jobs {
		speed := [...]float64{1, 1.5 + 3*r.Float64(), 1 + r.Float64()}
		most, scale := 1<<r.IntN(7), 0.6+0.4*r.Float64()
		j := Job{Prev: None, AgeS: 60 * float64(r.IntN(500)), PenaltyS: 30, Restarts: r.IntN(10)}
		for c := range p.Configs {
			g := 0.0
			if f := &p.Configs[c]; f.GPUs <= most {
				g = 100 * speed[f.Type] * math.Pow(float64(f.GPUs), scale)
			}
			j.Goodput = append(j.Goodput, g)
		}
		for range 3 {
			if c := r.IntN(n); j.Goodput[c] > 0 && left[p.Configs[c].Type] >= p.Configs[c].GPUs {
				j.Prev = c
				left[p.Configs[c].Type] -= p.Configs[c].GPUs
				break
			}
		}
		row := make([]float64, n)
		rules.Row(row, &j)
		p.Entries, p.Prev = append(p.Entries, row...), append(p.Prev, j.Prev)
		p.Pinned = append(p.Pinned, j.Prev != None && r.IntN(8) == 0)
	}
	return p
}

// best tries all choices.
func best(p *Problem, j int, left []int) float64 {
	if j == p.Jobs() {
		return 0
	}
	least := func(a, b float64) float64 { return math.Min(a, b) }
	if p.Rules.Power > 0 {
		least = math.Max
	}
	value := math.Inf(1)
	if p.Rules.Power > 0 {
		value = math.Inf(-1)
	}
	if !p.Pinned[j] {
		value = p.Rules.Lambda + best(p, j+1, left)
	}
	for c, f := range p.Configs {
		if left[f.Type] < f.GPUs || p.Pinned[j] && c != p.Prev[j] {
			continue
		}
		left[f.Type] -= f.GPUs
		value = least(value, p.Entries[j*len(p.Configs)+c]+best(p, j+1, left))
		left[f.Type] += f.GPUs
	}
	return value
}

// fits checks what every answer keeps.
func fits(p *Problem, picks []int, value float64) error {
	left, sum := append([]int(nil), p.Cap...), 0.0
	for j, c := range picks {
		if p.Pinned[j] && c != p.Prev[j] {
			return fmt.Errorf("job %d is pinned to %d and has %d", j, p.Prev[j], c)
		}
		if c == None {
			sum += p.Rules.Lambda
			continue
		}
		left[p.Configs[c].Type] -= p.Configs[c].GPUs
		sum += p.Entries[j*len(p.Configs)+c]
	}
	for t, n := range left {
		if n < 0 {
			return fmt.Errorf("type %d has %d GPUs too few", t, -n)
		}
	}
	if math.Abs(sum-value) > 1e-9 {
		return fmt.Errorf("the choice is worth %v, not %v", sum, value)
	}
	return nil
}

// TestTwin holds problems of up to five jobs to all choices one by one, with branch and bound and
// with the table.
func TestTwin(t *testing.T) {
	var s Solver
	var table table
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 17))
		rules := Default()
		switch r.IntN(3) {
		case 0:
			rules.Power, rules.Lambda = 0.5, -1.1
		case 1:
			rules.Power, rules.Digits = -1, 4
		}
		p := drawn(r, 1+r.IntN(5), [3]int{1 + r.IntN(3), r.IntN(2), r.IntN(3)}, rules)
		picks := make([]int, p.Jobs())
		got, err := s.Solve(p, picks)
		if err == nil {
			err = fits(p, picks, got)
		}
		if want := best(p, 0, append([]int(nil), p.Cap...)); err != nil || math.Abs(got-want) > 1e-9 {
			t.Fatalf("seed %d: %v, error %v, expected %v", seed, got, err, want)
		}
		again := make([]int, p.Jobs())
		if !table.fits(p) || !table.solve(p, &s.work, s.of, again) {
			t.Fatalf("seed %d: the table has no answer", seed)
		}
		if err := fits(p, again, got); err != nil {
			t.Fatalf("seed %d: the table: %v", seed, err)
		}
	}
}

// TestStay: of choices that are equally good the choice without moves is taken.
func TestStay(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 18))
		p := drawn(r, 8, [3]int{2, 1, 1}, Default())
		for i := range p.Pinned {
			p.Pinned[i] = false
		}
		var s Solver
		first, second := make([]int, 8), make([]int, 8)
		a, err := s.Solve(p, first)
		if err != nil {
			t.Fatal(err)
		}
		copy(p.Prev, first) // the same entries: nothing is gained by a move
		b, err := s.Solve(p, second)
		if err != nil || math.Abs(a-b) > 1e-9 || !reflect.DeepEqual(first, second) {
			t.Errorf("seed %d: %v of %v, then %v of %v, error %v", seed, first, a, second, b, err)
		}
	}
}

// TestSolverClone: a clone answers as the original, whatever was solved before.
func TestSolverClone(t *testing.T) {
	var s Solver
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 19))
		p := drawn(r, 40, [3]int{6, 2, 3}, Default())
		c := s.Clone()
		a, b := make([]int, 40), make([]int, 40)
		x, err1 := s.Solve(p, a)
		y, err2 := c.Solve(p, b)
		if err1 != nil || err2 != nil || x != y || !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %v, %v; the clone %v, %v", seed, x, err1, y, err2)
		}
	}
}

// TestRefuse: lengths that do not fit, and pins that nothing can keep.
func TestRefuse(t *testing.T) {
	var s Solver
	if _, err := s.Solve(&Problem{Rules: Default()}, nil); err == nil {
		t.Error("no types: no error")
	}
	p := &Problem{Rules: Default(), Configs: []Config{{GPUs: 1, Nodes: 1}}, Cap: []int{1}, Prev: []int{0}}
	if _, err := s.Solve(p, make([]int, 1)); err == nil {
		t.Error("no entries: no error")
	}
	p.Entries, p.Pinned, p.Prev = []float64{1, 1}, []bool{true, true}, []int{0, 0}
	if _, err := s.Solve(p, make([]int, 2)); err == nil {
		t.Error("two jobs are pinned to one GPU: no error")
	}
}

// BenchmarkSolve is a round: 64 GPUs as in the authors' simulator, and clusters of 512 and 2048
// GPUs with jobs in proportion, two for three GPUs.
func BenchmarkSolve(b *testing.B) {
	for _, gpus := range []int{64, 512, 2048} {
		if testing.Short() && gpus > 64 {
			continue
		}
		b.Run(fmt.Sprintf("gpus=%d", gpus), func(b *testing.B) {
			k := gpus / 64
			var rounds []*Problem
			for seed := range uint64(8) {
				rounds = append(rounds, drawn(rand.New(rand.NewPCG(seed, 20)), gpus*2/3, [3]int{6 * k, 2 * k, 3 * k},
					Default()))
			}
			s := Solver{Gap: 1e-4}
			picks := make([]int, gpus*2/3)
			steps := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := s.Solve(rounds[i%8], picks); err != nil {
					b.Fatal(err)
				}
				steps += s.Steps()
			}
			b.ReportMetric(float64(steps)/float64(b.N), "LPs/op")
		})
	}
}
