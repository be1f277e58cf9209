package objective

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/internal/lp"
)

// pairUp gives an input all pairs of jobs of equal scale, at rates that depend on what they run
// alone, so that pairs of equal jobs are equal.
func pairUp(in *Input, r *rand.Rand, complete bool) {
	types := in.Types()
	keep := 0.3 + 0.7*r.Float64()
	for a := range in.Jobs() {
		for b := a + 1; b < in.Jobs(); b++ {
			if in.Scale[a] != in.Scale[b] || !complete && r.IntN(3) == 0 {
				continue
			}
			p := Pair{A: a, B: b, Throughput: make([]float64, 2*types)}
			for j := range types {
				ta, tb := in.Throughput[a*types+j], in.Throughput[b*types+j]
				p.Throughput[j], p.Throughput[types+j] = keep*ta*3/(3+tb), keep*tb*3/(3+ta)
			}
			in.Pairs = append(in.Pairs, p)
		}
	}
}

// direct is the level by one linear program over all jobs and pairs, for needs that are lines.
func direct(t *testing.T, in *Input, need []float64) float64 {
	t.Helper()
	p := lp.Problem{Maximise: true}
	inf := math.Inf(1)
	jobs, types := in.Jobs(), in.Types()
	var level []lp.Entry
	for m := range jobs {
		level = append(level, lp.Entry{Row: p.AddRow(0, inf), Value: -need[m]})
	}
	for range jobs {
		p.AddRow(0, 1)
	}
	for _, n := range in.Workers {
		p.AddRow(0, float64(n))
	}
	p.AddColumn(1, 0, inf, level...)
	for m := range jobs {
		for j := range types {
			p.AddColumn(0, 0, inf, lp.Entry{Row: m, Value: in.Throughput[m*types+j]}, lp.Entry{Row: jobs + m, Value: 1},
				lp.Entry{Row: 2*jobs + j, Value: float64(in.Scale[m])})
		}
	}
	for _, d := range in.Pairs {
		for j := range types {
			if a, b := d.Throughput[j], d.Throughput[types+j]; a > 0 && b > 0 {
				p.AddColumn(0, 0, inf, lp.Entry{Row: d.A, Value: a}, lp.Entry{Row: d.B, Value: b},
					lp.Entry{Row: jobs + d.A, Value: 1},
					lp.Entry{Row: jobs + d.B, Value: 1}, lp.Entry{Row: 2*jobs + j, Value: float64(in.Scale[d.A])})
			}
		}
	}
	var s lp.Solver
	r, err := s.Solve(&p, lp.Basis{})
	if err != nil || r.Status != lp.Optimal {
		t.Fatalf("%v, %v", r.Status, err)
	}
	return r.Objective
}

// TestPacked holds levels with pairs to one program over all pairs, and finish-time fairness to the
// makespan that it is when no time has passed.
func TestPacked(t *testing.T) {
	merged := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 12))
		in := small(r, 9)
		pairUp(in, r, seed%3 > 0)
		if err := in.Validate(); err != nil {
			t.Fatal(err)
		}
		types, lack := in.Types(), false
		needs := [][]float64{nil, nil}
		for m, s := range in.Scale {
			row := in.Throughput[m*types:][:types]
			needs[0] = append(needs[0], in.weight(m)*equalRate(in, row)/float64(s))
			needs[1] = append(needs[1], in.Steps[m])
			best := 0.0
			for j, n := range in.Workers {
				best = max(best, row[j]*float64(n))
			}
			lack = lack || best == 0
		}
		var x Matrix
		for i, goal := range []Goal{PackMaxMin, PackMakespan, PackThroughput, PackFinishTime} {
			a := &Packed{Goal: goal}
			value, err := a.Allocate(in, &x)
			if err == nil {
				err = feasible(in, &x)
			}
			if err != nil {
				t.Fatalf("seed %d, goal %d: %v", seed, goal, err)
			}
			if len(a.crew.needs) < len(a.crew.jobs) {
				merged++
			}
			alone := *in
			alone.Pairs = nil
			var y Matrix
			b := []Allocator{&MaxMin{Typed: true}, &Makespan{Typed: true}, &Throughput{}, &FinishTime{Typed: true}}[i]
			without, err := b.Allocate(&alone, &y)
			if goal == PackMaxMin || goal == PackThroughput {
				value, without = -value, -without
			}
			if err != nil || value > without+1e-8*math.Abs(without) {
				t.Fatalf("seed %d, goal %d: %v with pairs, %v without, error %v", seed, goal, value, without, err)
			}
			if lack || i > 1 {
				continue
			}
			want := direct(t, in, needs[i])
			if i == 0 {
				value = -value
			} else {
				value = 1 / value
			}
			if math.Abs(value-want) > 1e-7*want {
				t.Fatalf("seed %d, goal %d: level %v, expected %v", seed, goal, value, want)
			}
		}
	}
	if merged < 100 {
		t.Errorf("%d problems had groups of equal jobs, expected more", merged)
	}
}

// TestPackedDivide: equal jobs have equal times in a kind, in no more pairs than the two groups
// have jobs.
func TestPackedDivide(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 5}, {2, 3}, {4, 4}, {6, 4}, {7, 3}, {2, 0}, {3, 0}, {4, 0}, {7, 0}} {
		in := &Input{Workers: []int{1}}
		for m := range c[0] + c[1] {
			rate := 1.0
			if m >= c[0] {
				rate = 2
			}
			in.Scale, in.Throughput = append(in.Scale, 1), append(in.Throughput, rate)
		}
		for a := range in.Jobs() {
			for b := a + 1; b < in.Jobs(); b++ {
				ra, rb := 0.0, 0.0
				if c[1] == 0 || a < c[0] && b >= c[0] { // no pairs of equals where there are two groups
					ra, rb = 0.9*in.Throughput[a], 0.9*in.Throughput[b]
				}
				in.Pairs = append(in.Pairs, Pair{A: a, B: b, Throughput: []float64{ra, rb}})
			}
		}
		var x Matrix
		a := &Packed{Goal: PackMaxMin}
		if _, err := a.Allocate(in, &x); err != nil {
			t.Fatal(err)
		}
		got, used := make([]float64, in.Jobs()), 0
		for i, p := range in.Pairs {
			if v := x.Row(in.Jobs() + i)[0]; v > 0 {
				used++
				got[p.A] += v
				got[p.B] += v
			}
		}
		if len(a.crew.needs) > 2 || used == 0 || used > in.Jobs() {
			t.Errorf("%v: %d groups, %d pairs", c, len(a.crew.needs), used)
		}
		for m, v := range got {
			first := got[0]
			if m >= c[0] {
				first = got[c[0]]
			}
			if math.Abs(v-first) > 1e-12 {
				t.Errorf("%v: job %d is %v of the time in pairs, expected %v", c, m, v, first)
			}
		}
	}
}

// TestPackedFinishTime: just above the level that finish-time fairness finds, no rates are
// possible.
func TestPackedFinishTime(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 13))
		in := small(r, 8)
		pairUp(in, r, true)
		var x Matrix
		a := &Packed{Goal: PackFinishTime}
		rho, err := a.Allocate(in, &x)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(rho, 1) || len(a.crew.jobs) == 0 {
			continue
		}
		need := make([]float64, in.Jobs())
		for i, m := range a.crew.jobs {
			n := a.crew.need(i)
			need[m] = n.steps / (rho*n.due - n.elapsed)
		}
		if level := direct(t, in, need); math.Abs(level-1) > 1e-6 {
			t.Fatalf("seed %d: the rates of rho %v are possible %v times, expected once", seed, rho, level)
		}
	}
}
