package objective

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/internal/lp"
)

// waterfill is Hierarchical in the plainest way: a linear program for the level of each round, and
// one for each job that asks how far its rate can rise while the others keep theirs. It returns the
// rates.
func waterfill(t *testing.T, in *Input, fifo bool) []float64 {
	t.Helper()
	jobs, types := in.Jobs(), in.Types()
	base, frozen := make([]float64, jobs), make([]bool, jobs)
	for left := jobs; left > 0; {
		c := make([]float64, jobs)
		for e, w := range in.EntityWeight {
			sum, head := 0.0, -1
			for m := range jobs {
				if in.Entity[m] == e && !frozen[m] {
					sum += in.weight(m)
					if head < 0 {
						head = m
					}
				}
			}
			for m := range jobs {
				switch {
				case in.Entity[m] != e || frozen[m] || fifo && m != head:
				case fifo:
					c[m] = w
				default:
					c[m] = w * in.weight(m) / sum
				}
			}
		}
		for m := range jobs {
			c[m] *= equalRate(in, in.Throughput[m*types:][:types]) / float64(in.Scale[m])
		}
		q := program(t, in, base, c, -1)
		for m := range jobs {
			base[m] += q * c[m] * (1 - 1e-11)
		}
		rising := make([]bool, jobs)
		for m := range jobs {
			rising[m] = !frozen[m] && program(t, in, base, make([]float64, jobs), m) > base[m]*(1+1e-7)+1e-8
		}
		before := left
		for m := range jobs {
			if !frozen[m] && !rising[m] {
				frozen[m] = true
				left--
			}
		}
		if left == before {
			t.Fatalf("no job is frozen: %+v", in)
		}
	}
	return base
}

// program maximises q with rate_m >= base_m + q c_m, or the rate of one job.
func program(t *testing.T, in *Input, base, c []float64, job int) float64 {
	t.Helper()
	var p lp.Problem
	p.Maximise = true
	inf := math.Inf(1)
	jobs, types := in.Jobs(), in.Types()
	var level []lp.Entry
	for m := range jobs {
		level = append(level, lp.Entry{Row: p.AddRow(base[m], inf), Value: -c[m]})
	}
	for range jobs {
		p.AddRow(0, 1)
	}
	for _, n := range in.Workers {
		p.AddRow(0, float64(n))
	}
	cost := 0.0
	if job < 0 {
		cost = 1
	}
	p.AddColumn(cost, 0, inf, level...)
	for m := range jobs {
		for j := range types {
			a := in.Throughput[m*types+j]
			cost := 0.0
			if m == job {
				cost = a
			}
			p.AddColumn(cost, 0, inf, lp.Entry{Row: m, Value: a}, lp.Entry{Row: jobs + m, Value: 1},
				lp.Entry{Row: 2*jobs + j, Value: float64(in.Scale[m])})
		}
	}
	var s lp.Solver
	r, err := s.Solve(&p, lp.Basis{})
	if err != nil || r.Status != lp.Optimal {
		t.Fatalf("%v, %v", r.Status, err)
	}
	return r.Objective
}

// small makes a random problem of a few jobs: round numbers, equal jobs and rates of 0 are
// frequent.
func small(r *rand.Rand, most int) *Input {
	jobs, types, entities := 1+r.IntN(most), 1+r.IntN(3), 1+r.IntN(3)
	in := &Input{Reference: types - 1}
	grain := []float64{1, 100}[r.IntN(2)]
	for range types {
		in.Workers = append(in.Workers, r.IntN(7))
	}
	in.Workers[0]++
	for range entities {
		in.EntityWeight = append(in.EntityWeight, float64(1+r.IntN(3)))
	}
	for m := range jobs {
		in.Entity = append(in.Entity, r.IntN(entities))
		in.Weight = append(in.Weight, float64(1+r.IntN(2)))
		in.Scale = append(in.Scale, 1+r.IntN(3))
		in.Steps = append(in.Steps, math.Round(1+1000*r.Float64()))
		in.ElapsedS = append(in.ElapsedS, math.Round(100*r.Float64()))
		in.IsolatedS = append(in.IsolatedS, math.Round(100*r.Float64()))
		in.Cost = nil
		if m > 0 && r.IntN(3) == 0 {
			in.Throughput = append(in.Throughput, in.Throughput[:types]...)
			continue
		}
		for j := range types {
			a := math.Round(grain*(1+3*r.Float64())) / grain
			if j > 0 && r.IntN(5) == 0 {
				a = 0
			}
			in.Throughput = append(in.Throughput, a)
		}
	}
	return in
}

// TestHierarchical holds the rates of water filling, which are unique, to those found in the
// plainest way.
func TestHierarchical(t *testing.T) {
	plain, first := &Hierarchical{Typed: true}, &Hierarchical{Typed: true, FIFO: true}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 11))
		in := small(r, 7)
		if err := in.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, a := range []*Hierarchical{plain, first} {
			var x Matrix
			_, err := a.Allocate(in, &x)
			if err == nil {
				err = feasible(in, &x)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			types := in.Types()
			for m, want := range waterfill(t, in, a.FIFO) {
				if rate := got(in.Throughput[m*types:][:types], x.Row(m)); math.Abs(rate-want) > 1e-6*(1e-2+want) {
					t.Fatalf("seed %d, first in first out %v: job %d has the rate %v, expected %v", seed, a.FIFO, m,
						rate, want)
				}
			}
		}
	}
}
