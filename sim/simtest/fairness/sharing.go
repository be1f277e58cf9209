package fairness

import (
	"fmt"
	"math"
	"slices"
)

// Sharing is a cluster of typed GPUs that some jobs share.
type Sharing struct {
	// Throughput is what job j does in a second on type r: [j][r], in any unit of the job's own, >= 0.
	Throughput [][]float64
	// GPUs are how many there are of each type.
	GPUs []float64
	// Gang is the number of GPUs of each job; nil = 1.
	Gang []float64
	// Weight is what each job may claim, > 0; nil = 1.
	Weight []float64
}

// gang and weight are a job's.
func (s *Sharing) gang(j int) float64   { return at(s.Gang, j) }
func (s *Sharing) weight(j int) float64 { return at(s.Weight, j) }

func at(xs []float64, i int) float64 {
	if xs == nil {
		return 1
	}
	return xs[i]
}

// Utility is what a job does in a second with a row of an allocation.
func (s *Sharing) Utility(j int, row []float64) float64 {
	u := 0.0
	for r, x := range row {
		u += float64(s.Throughput[j][r] * x)
	}
	return u
}

// Feasible reports the first thing that an allocation uses and that is not there, beyond a relative
// tolerance.
func (s *Sharing) Feasible(x [][]float64, tol float64) error {
	if len(x) != len(s.Throughput) {
		return fmt.Errorf("%d rows for %d jobs", len(x), len(s.Throughput))
	}
	used := make([]float64, len(s.GPUs))
	for j, row := range x {
		if len(row) != len(s.GPUs) {
			return fmt.Errorf("job %d has %d types, the cluster %d", j, len(row), len(s.GPUs))
		}
		sum := 0.0
		for r, part := range row {
			if !(part >= -tol) {
				return fmt.Errorf("job %d has %v of its time on type %d", j, part, r)
			}
			sum += part
			used[r] += float64(part * s.gang(j))
		}
		if sum > 1+tol {
			return fmt.Errorf("job %d has %v of its time in all, expected at most 1", j, sum)
		}
	}
	for r, n := range used {
		if n > float64(s.GPUs[r]*(1+tol)) {
			return fmt.Errorf("%v GPUs of type %d are in use, there are %v", n, r, s.GPUs[r])
		}
	}
	return nil
}

// Equal is the part of each type that belongs to each job by its weight, as time of its gang: [j][r].
// A row may sum to more than 1.
func (s *Sharing) Equal() [][]float64 {
	total := 0.0
	for j := range s.Throughput {
		total += s.weight(j)
	}
	x := make([][]float64, len(s.Throughput))
	for j := range x {
		for _, n := range s.GPUs {
			x[j] = append(x[j], n*s.weight(j)/total/s.gang(j))
		}
	}
	return x
}

// Isolated is Gavel's allocation of that name: Equal, each row scaled down to a sum of at most 1.
func (s *Sharing) Isolated() [][]float64 {
	x := s.Equal()
	for _, row := range x {
		sum := 0.0
		for _, part := range row {
			sum += part
		}
		for r := range row {
			row[r] /= math.Max(1, sum)
		}
	}
	return x
}

// Alone is the best that each job can do with Equal: on its fastest types first.
func (s *Sharing) Alone() [][]float64 {
	x := s.Equal()
	for j, row := range x {
		x[j] = s.best(j, row)
	}
	return x
}

// best is the best use that a job makes of a bundle of GPU time: at most 1 in all, its fastest
// types first.
func (s *Sharing) best(j int, bundle []float64) []float64 {
	order := make([]int, len(bundle))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch ta, tb := s.Throughput[j][a], s.Throughput[j][b]; {
		case ta > tb:
			return -1
		case ta < tb:
			return 1
		}
		return 0
	})
	use, left := make([]float64, len(bundle)), 1.0
	for _, r := range order {
		use[r] = math.Min(left, bundle[r])
		left -= use[r]
	}
	return use
}
