package objective

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim/simtest/fairness"
)

// sharing is an input as package fairness sees it: the jobs that can run, with the matrix of an
// answer.
func sharing(in *Input, x *Matrix) (*fairness.Sharing, [][]float64) {
	var s fairness.Sharing
	var rows [][]float64
	for _, n := range in.Workers {
		s.GPUs = append(s.GPUs, float64(n))
	}
	types := in.Types()
	for m, g := range in.Scale {
		row := slices.Clone(in.Throughput[m*types:][:types])
		if slices.Max(row) == 0 {
			continue
		}
		s.Throughput, s.Gang, s.Weight = append(s.Throughput, row), append(s.Gang, float64(g)),
			append(s.Weight, in.weight(m))
		rows = append(rows, x.Row(m))
	}
	return &s, rows
}

// solved allocates and checks what every answer must keep.
func solved(t *testing.T, a Allocator, in *Input, x *Matrix) float64 {
	t.Helper()
	value, err := a.Allocate(in, x)
	if err == nil {
		err = feasible(in, x)
	}
	if err == nil && math.IsNaN(value) {
		err = fmt.Errorf("the objective is %v", value)
	}
	if err != nil {
		t.Fatalf("%v, of %+v", err, in)
	}
	return value
}

// levels are the allocators whose answers are Pareto efficient.
func levels() map[string]Allocator {
	return map[string]Allocator{
		"max-min": &MaxMin{Typed: true}, "finish time": &FinishTime{Typed: true}, "makespan": &Makespan{Typed: true},
		"throughput": &Throughput{}, "hierarchical": &Hierarchical{Typed: true},
		"first of each": &Hierarchical{Typed: true, FIFO: true},
	}
}

// TestPareto: no job can have more without another having less.
func TestPareto(t *testing.T) {
	all := levels()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 14))
		in := small(r, 10)
		for name, a := range all {
			var x Matrix
			solved(t, a, in, &x)
			s, rows := sharing(in, &x)
			if err := s.Pareto(rows, 1e-6); err != nil {
				t.Fatalf("seed %d: %s: %v, of %+v", seed, name, err, in)
			}
		}
	}
}

// TestSharingIncentive: with equal weights and at least as many jobs as GPUs, max-min fairness
// gives no job less than an equal share of every type. (With fewer jobs an equal share may be more
// than a job can use, and the least level is the smallest gang's.)
func TestSharingIncentive(t *testing.T) {
	all := []Allocator{&MaxMin{Typed: true}, &Hierarchical{Typed: true}}
	tried := 0
	for seed := range uint64(1000) {
		in := small(rand.New(rand.NewPCG(seed, 15)), 25)
		in.Weight, in.Entity, in.EntityWeight = nil, nil, nil
		gpus := 0
		for _, n := range in.Workers {
			gpus += n
		}
		if gpus > in.Jobs() {
			continue
		}
		tried++
		for i, a := range all {
			var x Matrix
			solved(t, a, in, &x)
			s, rows := sharing(in, &x)
			if len(rows) < in.Jobs() {
				continue // the equal share is of those too that cannot run
			}
			if err := s.SharingIncentive(rows, s.Isolated(), 1e-9); err != nil {
				t.Fatalf("seed %d: allocator %d: %v", seed, i, err)
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d problems have enough jobs", tried)
	}
}

// near compares two objectives.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*math.Abs(b) }

// TestInvariance: the unit of a job's steps counts nothing, nor does the unit of time, nor the
// order of the jobs; equal jobs get equal fractions.
func TestInvariance(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 16))
		in := small(r, 12)
		types := in.Types()
		unit := *in
		unit.Throughput, unit.Steps = slices.Clone(in.Throughput), slices.Clone(in.Steps)
		for m := range in.Scale {
			f := 0.1 + 10*r.Float64()
			unit.Steps[m] *= f
			for j := range types {
				unit.Throughput[m*types+j] *= f
			}
		}
		slow := *in
		slow.Steps, slow.ElapsedS, slow.IsolatedS = times(in.Steps, 8), times(in.ElapsedS, 8), times(in.IsolatedS, 8)
		mixed, order := shuffled(in, r)
		var x, y Matrix
		for name, a := range levels() {
			want := solved(t, a, in, &x)
			if name != "throughput" && !near(solved(t, a, &unit, &y), want) {
				t.Errorf("seed %d: %s depends on the unit of steps", seed, name)
			}
			if name == "finish time" && !near(solved(t, a, &slow, &y), want) {
				t.Errorf("seed %d: %s depends on the unit of time", seed, name)
			}
			if name == "first of each" {
				continue // the order counts
			}
			if !near(solved(t, a, mixed, &y), want) {
				t.Errorf("seed %d: %s depends on the order of jobs", seed, name)
			}
			if name != "hierarchical" {
				continue
			}
			for i, m := range order { // rates are unique
				rates := in.Throughput[m*types:][:types]
				if p, q := got(rates, x.Row(m)), got(rates, y.Row(i)); math.Abs(p-q) > 1e-6*(1e-2+p) {
					t.Errorf("seed %d: job %d has the rate %v, in another order %v", seed, m, p, q)
				}
			}
		}
		solved(t, &MaxMin{Typed: true}, in, &x)
		for m := range in.Scale {
			for n := range m {
				if in.Scale[m] == in.Scale[n] && in.Weight[m] == in.Weight[n] &&
					slices.Equal(in.Throughput[m*types:][:types], in.Throughput[n*types:][:types]) &&
					!slices.Equal(x.Row(m), x.Row(n)) {
					t.Errorf("seed %d: the equal jobs %d and %d have %v and %v", seed, n, m, x.Row(n), x.Row(m))
				}
			}
		}
	}
}

func times(v []float64, f float64) []float64 {
	v = slices.Clone(v)
	for i := range v {
		v[i] *= f
	}
	return v
}

// shuffled is an input with its jobs in another order, and where each comes from.
func shuffled(in *Input, r *rand.Rand) (*Input, []int) {
	out := &Input{Workers: in.Workers, EntityWeight: in.EntityWeight, Reference: in.Reference}
	order := r.Perm(in.Jobs())
	for _, m := range order {
		out.Throughput = append(out.Throughput, in.Throughput[m*in.Types():][:in.Types()]...)
		out.Scale, out.Weight, out.Entity = append(out.Scale, in.Scale[m]), append(out.Weight, in.Weight[m]),
			append(out.Entity, in.Entity[m])
		out.Steps, out.ElapsedS, out.IsolatedS = append(out.Steps, in.Steps[m]), append(out.ElapsedS, in.ElapsedS[m]),
			append(out.IsolatedS, in.IsolatedS[m])
	}
	return out, order
}

// TestMoreGPUs: twice the GPUs of every type never lower a max-min level, and one more GPU of any
// type neither lengthens a makespan nor lowers a sum of rates. (One more GPU may lower a max-min
// level: it changes the equal share that rates are compared with.)
func TestMoreGPUs(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 17))
		in := small(r, 12)
		twice, one := *in, *in
		twice.Workers, one.Workers = slices.Clone(in.Workers), slices.Clone(in.Workers)
		for j := range twice.Workers {
			twice.Workers[j] *= 2
		}
		one.Workers[r.IntN(in.Types())]++
		var x Matrix
		a, b, c := &MaxMin{Typed: true}, &Makespan{Typed: true}, &Throughput{}
		if least, more := solved(t, a, in, &x), solved(t, a, &twice, &x); more < least*(1-1e-9) {
			t.Errorf("seed %d: the level falls from %v to %v with twice the GPUs", seed, least, more)
		}
		if span, more := solved(t, b, in, &x), solved(t, b, &one, &x); more > span*(1+1e-9) {
			t.Errorf("seed %d: the makespan grows from %v to %v with one more GPU", seed, span, more)
		}
		if sum, more := solved(t, c, in, &x), solved(t, c, &one, &x); more < sum*(1-1e-9) {
			t.Errorf("seed %d: the sum of rates falls from %v to %v with one more GPU", seed, sum, more)
		}
	}
}

// TestClone: a clone continues with the same bits, and memory of other problems does not count.
func TestClone(t *testing.T) {
	for _, e := range All() {
		a := e.New()
		s := newStream(40)
		var x, y Matrix
		for range 3 {
			solved(t, a, &s.in, &x)
			s.next()
		}
		b := a.Clone()
		for range 3 {
			if v, w := solved(t, a, &s.in, &x), solved(t, b, &s.in, &y); v != w || !slices.Equal(x.x, y.x) {
				t.Errorf("%s: the clone gives other fractions: objectives %v and %v", e.Name, v, w)
			}
			s.next()
		}
	}
}

// FuzzAllocate: every allocator keeps the constraints on problems of all sorts, with whatever it
// solved before.
func FuzzAllocate(f *testing.F) {
	f.Add(uint64(1), uint8(5))
	f.Add(uint64(2), uint8(60))
	f.Fuzz(func(t *testing.T, seed uint64, jobs uint8) {
		r := rand.New(rand.NewPCG(seed, 18))
		var all []Allocator
		for _, e := range All() {
			all = append(all, e.New())
		}
		for range 3 {
			in := small(r, 1+int(jobs)%80)
			in.SLOS = times(in.Steps, 0.5+3*r.Float64())
			if in.Jobs() < 12 {
				pairUp(in, r, r.IntN(2) == 0)
			}
			for _, a := range all {
				var x Matrix
				solved(t, a, in, &x)
			}
		}
	})
}
