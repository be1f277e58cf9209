package program

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sketch is a problem as data.
type sketch struct {
	types    int
	machines []Machine
	jobs     []Job
	values   [][]float64
}

// load states it as a Program.
func (s *sketch) load(p *Program, scale float64) {
	p.Reset(s.types)
	for _, m := range s.machines {
		p.AddMachine(m)
	}
	for i, j := range s.jobs {
		scaled := slices.Clone(s.values[i])
		for k := range scaled {
			scaled[k] *= scale
		}
		p.AddJob(j, scaled)
	}
}

// drawn is a small random problem: up to 5 machines, some in use, and up to 5 jobs.
func drawn(r *rand.Rand) *sketch {
	s := &sketch{types: 1 + r.IntN(3)}
	sizes := []int{1 + r.IntN(4), 2 + r.IntN(3), 4}
	hosted := r.IntN(2) == 0
	for range 1 + r.IntN(5) {
		on := r.IntN(s.types)
		m := Machine{Type: on, Size: sizes[on], GPUs: r.IntN(sizes[on] + 1), CPUMilli: math.MaxInt, MemMiB: math.MaxInt}
		if r.IntN(2) == 0 {
			m.GPUs = m.Size
		}
		if hosted {
			m.CPUMilli, m.MemMiB = 1000*(1+m.GPUs), 100*(2+m.GPUs)
		}
		s.machines = append(s.machines, m)
	}
	for range r.IntN(6) {
		j := Job{GPUs: 1 + r.IntN(5)}
		if hosted {
			j.CPUMilli, j.MemMiB = 500*r.IntN(4), 50*r.IntN(4)
		}
		s.jobs = append(s.jobs, j)
		var v []float64
		for range s.types {
			v = append(v, max(0, float64(r.IntN(20)-3))/4+r.Float64()*float64(r.IntN(2)))
		}
		s.values = append(s.values, v)
	}
	return s
}

// brute is the largest sum over all places of all jobs, machine by machine, without any bound.
func (s *sketch) brute(j int, machines []Machine) float64 {
	if j == len(s.jobs) {
		return 0
	}
	best := s.brute(j+1, machines)
	for on := range s.types {
		if s.values[j][on] <= 0 {
			continue
		}
		size := 0
		for _, m := range machines {
			if m.Type == on {
				size = max(size, m.Size)
			}
		}
		if size == 0 {
			continue
		}
		s.subsets(j, on, size, 0, s.jobs[j].GPUs, machines, func(left []Machine) {
			best = max(best, s.values[j][on]+s.brute(j+1, left))
		})
	}
	return best
}

// subsets calls found with what is left by each way to place n GPUs of a job on machines from the
// m-th on: on whole machines while it is wider than one, and on one machine.
func (s *sketch) subsets(j, on, size, m, n int, machines []Machine, found func([]Machine)) {
	if n == 0 {
		found(machines)
		return
	}
	whole := n - n%size
	for ; m < len(machines); m++ {
		for _, k := range []int{size, n % size} {
			x, job := machines[m], s.jobs[j]
			if x.Type != on || k == 0 || k == size && (whole == 0 || x.Size != size) || x.GPUs < k ||
				x.CPUMilli/k < job.CPUMilli || x.MemMiB/k < job.MemMiB {
				continue
			}
			left := slices.Clone(machines)
			left[m].GPUs -= k
			left[m].CPUMilli -= k * job.CPUMilli
			left[m].MemMiB -= k * job.MemMiB
			s.subsetsRest(j, on, size, m, n, k, left, found)
		}
	}
}

// subsetsRest continues after k of the n GPUs: the remainder has one machine at most.
func (s *sketch) subsetsRest(j, on, size, m, n, k int, left []Machine, found func([]Machine)) {
	if k == size {
		s.subsets(j, on, size, m+1, n-k, left, found)
		return
	}
	s.subsets(j, on, size, 0, n-k, left, found) // only whole machines are left to find
}

// check holds the parts of an answer to the machines and to its sum.
func (s *sketch) check(p *Program, sum float64) error {
	left, got := slices.Clone(s.machines), 0.0
	for j, job := range s.jobs {
		n, types := 0, map[int]bool{}
		for _, x := range p.Parts(j) {
			m := &left[x.Machine]
			m.GPUs -= x.GPUs
			m.CPUMilli -= x.GPUs * job.CPUMilli
			m.MemMiB -= x.GPUs * job.MemMiB
			if m.GPUs < 0 || m.CPUMilli < 0 || m.MemMiB < 0 {
				return fmt.Errorf("machine %d has %+v left", x.Machine, *m)
			}
			n += x.GPUs
			types[m.Type] = true
			got += s.values[j][m.Type] * float64(x.GPUs) / float64(job.GPUs)
		}
		if n != 0 && (n != job.GPUs || len(types) != 1) {
			return fmt.Errorf("job %d has %d GPUs of %d types, expected %d of one", j, n, len(types), job.GPUs)
		}
	}
	if math.Abs(got-sum) > 1e-9*(1+sum) {
		return fmt.Errorf("sum %v, of the parts %v", sum, got)
	}
	return nil
}

// TestAllAssignments holds small problems to all places, one by one.
func TestAllAssignments(t *testing.T) {
	var p Program
	branched, gained := 0, 0
	for seed := range uint64(4000) {
		s := drawn(rand.New(rand.NewPCG(seed, 7)))
		want := s.brute(0, s.machines)
		s.load(&p, 1)
		a := p.Solve(100000)
		if err := s.check(&p, a.Sum); err != nil || !a.Proved || math.Abs(a.Sum-want) > 1e-9*(1+want) {
			t.Fatalf("seed %d: %+v, error %v, expected the sum %v\n%+v", seed, a, err, want, s)
		}
		if a.Nodes > 0 {
			branched++
		}
		s.load(&p, 1)
		greedy := p.Greedy()
		if err := s.check(&p, greedy); err != nil || greedy > want+1e-9*(1+want) {
			t.Fatalf("seed %d: greedy %v, error %v, expected at most %v", seed, greedy, err, want)
		}
		if greedy < want-1e-9*(1+want) {
			gained++
		}
	}
	if branched < 100 || gained < 100 {
		t.Errorf("%d of 4000 problems needed branches, %d gain over greedy, expected more of both", branched, gained)
	}
}

// TestScale: values times a constant have the same places.
func TestScale(t *testing.T) {
	for seed := range uint64(500) {
		s := drawn(rand.New(rand.NewPCG(seed, 8)))
		var a, b Program
		s.load(&a, 1)
		s.load(&b, 4)
		one, four := a.Solve(100000), b.Solve(100000)
		if math.Abs(four.Sum-4*one.Sum) > 1e-9*(1+four.Sum) {
			t.Fatalf("seed %d: sums %v and %v, expected four times as much", seed, one, four)
		}
		for j := range s.jobs {
			if !slices.Equal(a.Parts(j), b.Parts(j)) {
				t.Fatalf("seed %d: job %d has %v and %v", seed, j, a.Parts(j), b.Parts(j))
			}
		}
	}
}

// TestNodes: with few nodes the answer is no proof, keeps the capacities and has at least the greedy
// sum; and a program that was used gives what a fresh one gives.
func TestNodes(t *testing.T) {
	var used Program
	unproved := 0
	for seed := range uint64(500) {
		s := drawn(rand.New(rand.NewPCG(seed, 9)))
		var fresh Program
		s.load(&fresh, 1)
		s.load(&used, 1)
		a := fresh.Solve(1)
		if b := used.Solve(1); a != b {
			t.Fatalf("seed %d: %+v in a fresh program, %+v in a used one", seed, a, b)
		}
		if err := s.check(&fresh, a.Sum); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var g Program
		s.load(&g, 1)
		if sum := g.Greedy(); a.Sum < sum-1e-9*(1+sum) {
			t.Fatalf("seed %d: sum %v, expected the greedy %v at least", seed, a.Sum, sum)
		}
		if !a.Proved {
			unproved++
		}
	}
	if unproved < 10 {
		t.Errorf("%d of 500 answers are unproved, expected more", unproved)
	}
}

// large is a cluster of 3 x 100 machines of 8 GPUs, three quarters in use, and a front of jobs.
func large(jobs int) *sketch {
	r := rand.New(rand.NewPCG(1, 1))
	s := &sketch{types: 3}
	for i := range 300 {
		free := []int{0, 0, 0, 1, 2, 4, 8, 3}[r.IntN(8)]
		s.machines = append(s.machines, Machine{i % 3, free, 8, 1000 * free, 1000 * free})
	}
	for range jobs {
		s.jobs = append(s.jobs, Job{[]int{1, 1, 2, 4, 8, 8, 16, 32}[r.IntN(8)], 1000, 900})
		v := math.Exp(-3 * r.Float64())
		s.values = append(s.values, []float64{v, v * 0.95, v * 0.9})
	}
	return s
}

// BenchmarkLarge solves fronts of 16, 64 and 256 jobs.
func BenchmarkLarge(b *testing.B) {
	for _, n := range []int{16, 64, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := large(n)
			var p Program
			var a Answer
			for b.Loop() {
				s.load(&p, 1)
				a = p.Solve(2000)
			}
			b.ReportMetric(float64(a.Nodes), "nodes")
			b.ReportMetric(map[bool]float64{true: 1}[a.Proved], "proved")
		})
	}
}

// TestAllocations: nothing is allocated once warm.
func TestAllocations(t *testing.T) {
	var p Program
	r := rand.New(rand.NewPCG(3, 3))
	var all []*sketch
	for range 50 {
		all = append(all, drawn(r))
	}
	solve := func() {
		for _, s := range all {
			p.Reset(s.types)
			for _, m := range s.machines {
				p.AddMachine(m)
			}
			for i, j := range s.jobs {
				p.AddJob(j, s.values[i])
			}
			p.Solve(1000)
		}
	}
	solve()
	solve()
	if n := testing.AllocsPerRun(3, solve); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
