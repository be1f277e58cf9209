package search

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim/rng"
)

// TestFindsTheBest: on problems that are small enough to try every state.
func TestFindsTheBest(t *testing.T) {
	r := rng.Source{Seed: 5}.Stream("search")
	for range 20 {
		p := &Problem{GPUs: []uint8{2, 2, 1}, P: -1, MaxNodes: 3, Avoid: true}
		for i := range 3 {
			p.Jobs = append(p.Jobs, Job{Key: int64(i), Max: 5, Factor: r.Float64(),
				Curve: bent{r.Float64(), 0.3 * r.Float64()}})
		}
		m := state(r, p)
		s := search(t, Config{100, 100})
		s.Repair(p, m)
		for i := range m {
			p.Jobs[i].Base = slices.Clone(m[i])
		}
		best := 0.0
		every(p, m, 0, func() {
			if legal(p, m) == "" {
				f, _ := p.Evaluate(m)
				best = max(best, f)
			}
		})
		s.Run(p)
		if f, _ := s.Found(); f < best*(1-1e-12) || f > best*(1+1e-12) {
			t.Fatalf("%+v: found %v, the best is %v", p, f, best)
		}
		row, found := make([]uint8, 3), make([][]uint8, 3)
		for i := range found {
			s.Row(i, row)
			found[i] = slices.Clone(row)
		}
		if f, _ := p.Evaluate(found); legal(p, found) != "" || math.Abs(f-best) > 1e-12 {
			t.Fatalf("%v: %s, fitness %v of %v", found, legal(p, found), f, best)
		}
	}
}

// every tries all values of all cells.
func every(p *Problem, m [][]uint8, at int, f func()) {
	if at == len(m)*len(p.GPUs) {
		f()
		return
	}
	c := &m[at/len(p.GPUs)][at%len(p.GPUs)]
	for *c = 0; *c <= p.GPUs[at%len(p.GPUs)]; *c++ {
		every(p, m, at+1, f)
	}
	*c = 0
}

// TestPopulationIsLegal: all members of all sorts of problems, whose jobs come and go, are feasible
// states with Evaluate's values; and what was found is the best of them and no worse than the
// present state.
func TestPopulationIsLegal(t *testing.T) {
	r := rng.Source{Seed: 6}.Stream("search")
	for range 60 {
		p := draw(r, true)
		s := search(t, Config{1 + r.IntN(20), 1 + r.IntN(20)})
		for range 5 {
			s.Run(p)
			m := make([][]uint8, len(p.Jobs))
			for _, o := range s.pop[:s.states] {
				for i := range m {
					m[i] = make([]uint8, len(p.GPUs))
					o.write(&s.b, i, m[i])
				}
				if broken := legal(p, m); broken != "" {
					t.Fatalf("%+v: %v: %s", p, m, broken)
				}
				if f, u := p.Evaluate(m); f != o.fitness || u != o.utility {
					t.Fatalf("%+v: %v: fitness %v and utility %v, expected %v and %v", p, m, o.fitness, o.utility, f, u)
				}
				if f, _ := s.Found(); o.fitness > f {
					t.Fatalf("found %v, a member has %v", f, o.fitness)
				}
			}
			for i := range p.Jobs {
				p.Jobs[i].Base = make([]uint8, len(p.GPUs))
				s.Row(i, p.Jobs[i].Base)
			}
			k := r.IntN(len(p.Jobs))
			p.Jobs = append(slices.Delete(p.Jobs, k, k+1), Job{Key: r.Int64(), Max: 3, Factor: 1, Curve: bent{1, 0}})
		}
	}
}

// TestCloneContinues: a copy finds what the original finds, and neither disturbs the other.
func TestCloneContinues(t *testing.T) {
	r := rng.Source{Seed: 7}.Stream("search")
	p := draw(r, false)
	s := search(t, Config{20, 20})
	s.Run(p)
	c := s.Clone()
	for range 3 {
		s.Run(p)
	}
	for range 3 {
		c.Run(p)
	}
	for i := range p.Jobs {
		a, b := make([]uint8, len(p.GPUs)), make([]uint8, len(p.GPUs))
		s.Row(i, a)
		c.Row(i, b)
		if !slices.Equal(a, b) || !slices.Equal(s.saved, c.saved) {
			t.Fatalf("job %d: %v and %v", i, a, b)
		}
	}
}

func TestBinomial(t *testing.T) {
	d := draws{src: rng.Source{Seed: 8}.Stream("binomial")}
	d.open()
	for _, n := range []int{1, 2, 3, 12, 300} {
		table, sum, squares := odds(n, nil), 0.0, 0.0
		const trials = 200_000
		for range trials {
			k := float64(d.binomial(table))
			sum, squares = sum+k, squares+k*k
		}
		mean, p := sum/trials, 1/float64(n)
		if variance := squares/trials - mean*mean; math.Abs(mean-1) > 0.01 || math.Abs(variance-(1-p)) > 0.02 {
			t.Errorf("n=%d: mean %v and variance %v, expected 1 and %v", n, mean, variance, 1-p)
		}
	}
}

func TestRefused(t *testing.T) {
	ok := func() *Problem {
		return &Problem{GPUs: []uint8{4}, P: -1, MaxNodes: 1, Jobs: []Job{{Max: 1, Factor: 1, Curve: bent{}}}}
	}
	for name, spoil := range map[string]func(p *Problem){
		"expected at most 127":           func(p *Problem) { p.GPUs[0] = 128 },
		"expected at least 1":            func(p *Problem) { p.MaxNodes = 0 },
		"a number":                       func(p *Problem) { p.P = math.NaN() },
		"expected one for each of":       func(p *Problem) { p.Jobs[0].Base = []uint8{1, 2} },
		"GPUs of node 0":                 func(p *Problem) { p.Jobs[0].Base = []uint8{200} },
		"may have":                       func(p *Problem) { p.Jobs[0].Max = 0 },
		"its restart factor is 2":        func(p *Problem) { p.Jobs[0].Factor = 2 },
		"job 0 has no curve":             func(p *Problem) { p.Jobs[0].Curve = nil },
		"has 0 and 2 entries":            func(p *Problem) { p.Jobs[0].Barred = make([]bool, 2) },
		"job 0 may have 0..1 GPUs by -1": func(p *Problem) { p.Jobs[0].Step = -1 },
	} {
		p := ok()
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		spoil(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := New(Config{0, 1}, rng.Source{}.Stream("x")); err == nil {
		t.Error("no population is accepted")
	}
	if _, err := New(Config{1, 1}, nil); err == nil {
		t.Error("no stream is accepted")
	}
}

// cluster is a problem of 16 nodes with 4 GPUs each.
func cluster(jobs int) *Problem {
	p := &Problem{P: -1, MaxNodes: 16, Avoid: true}
	for range 16 {
		p.GPUs = append(p.GPUs, 4)
	}
	for i := range jobs {
		p.Jobs = append(p.Jobs, Job{Key: int64(i), Max: []int{1, 2, 4, 16, 64}[i%5], Factor: 0.9,
			Curve: bent{0.5 + 0.05*float64(i%8), 0.02 * float64(i%4)}})
	}
	return p
}

func advance(s *Search, p *Problem) {
	s.Run(p)
	for i := range p.Jobs {
		if p.Jobs[i].Base == nil {
			p.Jobs[i].Base = make([]uint8, len(p.GPUs))
		}
		s.Row(i, p.Jobs[i].Base)
	}
}

func TestAllocatesNothing(t *testing.T) {
	p, s := cluster(12), search(t, Config{50, 20})
	advance(s, p)
	advance(s, p)
	if n := testing.AllocsPerRun(5, func() { advance(s, p) }); n > 0 {
		t.Errorf("%v allocations in a search", n)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, jobs := range []int{1, 4, 12, 40, 160} {
		b.Run("jobs="+string(rune('0'+jobs/100))+string(rune('0'+jobs/10%10))+string(rune('0'+jobs%10)),
			func(b *testing.B) {
				p, s := cluster(jobs), search(b, Config{100, 100})
				for range 3 {
					advance(s, p)
				}
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					advance(s, p)
				}
			})
	}
}

// TestFrozen: what is found with a seed stays the same; a change moves numbers.
func TestFrozen(t *testing.T) {
	got := map[int]uint64{}
	for _, jobs := range []int{1, 5, 12, 40} {
		p, s := cluster(jobs), search(t, Config{30, 30})
		h := uint64(0)
		for range 4 {
			advance(s, p)
			for _, w := range s.saved {
				h = mix(h ^ w)
			}
		}
		got[jobs] = h
	}
	want := map[int]uint64{1: 0x61b1a64842ded627, 5: 0x9a62232f9ef49ed4, 12: 0x366ece59f57584c6, 40: 0x8d3cf5af988d8037}
	if !maps.Equal(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
}
