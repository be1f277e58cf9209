package search

import (
	"math"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// bent is a concave speed-up that loses some on each further node.
type bent struct{ power, loss float64 }

func (c bent) Speedup(nodes, gpus int) float64 {
	return math.Pow(float64(gpus), c.power) / (1 + float64(c.loss*float64(nodes-1)))
}

// draw makes a problem of some size; restricted ones have jobs with least numbers, steps and barred
// nodes.
func draw(r *rng.Stream, restricted bool) *Problem {
	p := &Problem{P: float64(r.IntN(3) - 1), MaxNodes: 1 + r.IntN(5), Avoid: r.IntN(2) == 0}
	for range 1 + r.IntN(20) {
		p.GPUs = append(p.GPUs, uint8(r.IntN(9)))
	}
	for i := range 1 + r.IntN(12) {
		j := Job{Key: int64(i) * 7, Max: 1 + r.IntN(16), Factor: r.Float64(), Curve: bent{r.Float64(), r.Float64()}}
		if restricted && r.IntN(2) == 0 {
			j.Step = 1 + r.IntN(3)
			j.Least = j.Step * r.IntN(3)
			j.Max += j.Least
			for range p.GPUs {
				j.Barred = append(j.Barred, r.IntN(4) == 0)
			}
		}
		p.Jobs = append(p.Jobs, j)
	}
	return p
}

func state(r *rng.Stream, p *Problem) [][]uint8 {
	m := make([][]uint8, len(p.Jobs))
	for i := range m {
		m[i] = make([]uint8, len(p.GPUs))
		for n := range m[i] {
			if r.IntN(3) == 0 {
				m[i][n] = uint8(r.IntN(6))
			}
		}
	}
	return m
}

func size(row []uint8) (nodes, gpus int) {
	for _, g := range row {
		if g > 0 {
			nodes, gpus = nodes+1, gpus+int(g)
		}
	}
	return nodes, gpus
}

// plain is the value of a state by the formulas alone.
func plain(p *Problem, m [][]uint8) (fitness, utility float64) {
	all, used, speeds, sum := 0, 0, 0.0, 0.0
	for n, g := range p.GPUs {
		all += int(g)
		if slices.ContainsFunc(m, func(row []uint8) bool { return row[n] > 0 }) {
			used += int(g)
		}
	}
	for i, row := range m {
		j, x := &p.Jobs[i], 0.0
		if nodes, gpus := size(row); gpus > 0 {
			x = j.Curve.Speedup(nodes, gpus)
		}
		speeds += x
		if !slices.Equal(row, base(p, i)) {
			x *= j.Factor
		}
		x *= float64(len(p.GPUs)) / float64(max(all, 1))
		switch p.P {
		case 0:
			sum += math.Log(max(x, 1e-3))
		default:
			sum += math.Pow(x+1e-3, p.P)
		}
	}
	if fitness = sum / float64(len(m)); p.P == 0 {
		fitness = math.Exp(fitness)
	} else {
		fitness = math.Pow(fitness, 1/p.P)
	}
	if used > 0 {
		utility = speeds / float64(used)
	}
	return fitness, utility
}

func base(p *Problem, i int) []uint8 {
	if p.Jobs[i].Base == nil {
		return make([]uint8, len(p.GPUs))
	}
	return p.Jobs[i].Base
}

// legal names the rule that a state breaks, "" for none.
func legal(p *Problem, m [][]uint8) string {
	for n, g := range p.GPUs {
		used, wide := 0, 0
		for i, row := range m {
			used += int(row[n])
			if nodes, _ := size(row); nodes > 1 && row[n] > 0 {
				wide++
			}
			if b := p.Jobs[i].Barred; b != nil && b[n] && row[n] > 0 {
				return "a job is on a barred node"
			}
		}
		if used > int(g) {
			return "a node gives more than it has"
		}
		if p.Avoid && wide > 1 {
			return "two jobs of several nodes share one"
		}
	}
	for i, row := range m {
		j := &p.Jobs[i]
		nodes, gpus := size(row)
		if gpus > j.Max || nodes > p.MaxNodes || gpus > 0 && gpus < j.Least || gpus%max(1, j.Step) != 0 {
			return "a job's number is none that it may have"
		}
	}
	return ""
}

// slow is the repair without draws, cell by cell: rows above no maximum.
func slow(p *Problem, m [][]uint8) {
	wide := make([]bool, len(m))
	for i, row := range m {
		nodes, _ := size(row)
		wide[i] = nodes > 1
	}
	for n, left := range p.GPUs {
		seen := 0
		for i, row := range m {
			if wide[i] && row[n] > 0 {
				seen++
			}
			if p.Avoid && seen > 1 {
				row[n] = 0
			}
			row[n] = min(row[n], left)
			left -= row[n]
		}
	}
}

func search(t testing.TB, c Config) *Search {
	t.Helper()
	s, err := New(c, rng.Source{Seed: 9}.Stream("search"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRepairAgainstCells(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("repair")
	s := search(t, Config{1, 1})
	for range 3000 {
		p := draw(r, false)
		p.MaxNodes = len(p.GPUs)
		for i := range p.Jobs {
			p.Jobs[i].Max = 1000
		}
		got := state(r, p)
		want := make([][]uint8, len(got))
		for i := range got {
			want[i] = slices.Clone(got[i])
		}
		s.Repair(p, got)
		slow(p, want)
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%+v: row %d is %v, expected %v", p, i, got[i], want[i])
			}
		}
	}
}

// TestRepairedIsLegal: whatever the state, and a repaired one stays as it is.
func TestRepairedIsLegal(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("repair")
	s := search(t, Config{1, 1})
	for range 3000 {
		p := draw(r, true)
		m := state(r, p)
		s.Repair(p, m)
		if broken := legal(p, m); broken != "" {
			t.Fatalf("%+v: %v: %s", p, m, broken)
		}
		again := make([][]uint8, len(m))
		for i := range m {
			again[i] = slices.Clone(m[i])
		}
		s.Repair(p, again)
		for i := range m {
			if !slices.Equal(m[i], again[i]) {
				t.Fatalf("%+v: row %d was %v and is %v", p, i, m[i], again[i])
			}
		}
	}
}

func TestEvaluateAgainstFormulas(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("evaluate")
	s := search(t, Config{1, 1})
	for range 3000 {
		p := draw(r, true)
		m := state(r, p)
		s.Repair(p, m)
		for i := range p.Jobs {
			if r.IntN(2) == 0 {
				p.Jobs[i].Base = slices.Clone(m[i])
			}
		}
		f, u := p.Evaluate(m)
		wf, wu := plain(p, m)
		if math.Abs(f-wf) > 1e-12*wf || math.Abs(u-wu) > 1e-12*wu {
			t.Fatalf("%+v: %v: %v and %v, expected %v and %v", p, m, f, u, wf, wu)
		}
	}
}

// TestFrontsByDefinition compares fronts and crowding with the definitions, member by member.
func TestFrontsByDefinition(t *testing.T) {
	r := rng.Source{Seed: 4}.Stream("fronts")
	s := search(t, Config{1, 1})
	beats := func(a, b *one) bool {
		return a.fitness >= b.fitness && a.utility >= b.utility && (a.fitness > b.fitness || a.utility > b.utility)
	}
	for range 500 {
		var left []*one
		for range 1 + r.IntN(60) {
			left = append(left, &one{fitness: float64(r.IntN(12)), utility: float64(r.IntN(12))})
		}
		all := slices.Clone(left)
		s.rank(all)
		for k := range s.fronts {
			f := &s.fronts[k]
			var members []*one
			for i := f.first; i >= 0; i = s.order[i].next {
				members = append(members, all[s.order[i].at])
			}
			for _, o := range left {
				free := !slices.ContainsFunc(left, func(other *one) bool { return beats(other, o) })
				if free != slices.Contains(members, o) {
					t.Fatalf("front %d: %v is in it: %v, expected %v", k, *o, !free, free)
				}
			}
			left = slices.DeleteFunc(left, func(o *one) bool { return slices.Contains(members, o) })
			s.crowd(all, f)
			crowds(t, members)
		}
		if len(left) > 0 {
			t.Fatalf("%d members are in no front", len(left))
		}
	}
}

func crowds(t *testing.T, front []*one) {
	t.Helper()
	var unique []*one
	for _, o := range front {
		if !slices.ContainsFunc(unique, func(u *one) bool { return u.fitness == o.fitness && u.utility == o.utility }) {
			unique = append(unique, o)
		} else if len(front) > 2 && o.crowding != 0 {
			t.Fatalf("a repeated member has crowding %v", o.crowding)
		}
	}
	slices.SortFunc(unique, func(a, b *one) int { return int(b.fitness - a.fitness) })
	for i, o := range unique {
		want := math.Inf(1)
		switch last := len(unique) - 1; {
		case len(front) > 2 && last == 0:
			want = 0
		case len(front) > 2 && i > 0 && i < last:
			a, b := unique[i-1], unique[i+1]
			want = (a.fitness-b.fitness)/(unique[0].fitness-unique[last].fitness)/2 +
				(b.utility-a.utility)/(unique[last].utility-unique[0].utility)/2
		}
		if o.crowding != want && math.Abs(o.crowding-want) > 1e-12 {
			t.Fatalf("crowding %v, expected %v", o.crowding, want)
		}
	}
}
