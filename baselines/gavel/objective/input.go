package objective

import (
	"fmt"
	"math"
)

// Input is one allocation problem. Jobs are rows, in order of arrival; types of GPU are columns. A
// slice whose comment states "optional" may be empty; an allocator that needs it notes it. Nothing
// in it is changed or kept.
type Input struct {
	// Workers has the GPUs of each type, 0 and more. Its length is the number of types.
	Workers []int
	// Throughput has the steps per second of job m (all its GPUs together) on type j at [m*types +
	// j]. 0 = it cannot run there.
	Throughput []float64
	// Job has a number of each job that stays the same from call to call, ascending: for allocators
	// that keep what a job has. Optional: its row.
	Job []int
	// Scale has the GPUs of each job's gang, 1 and more. Its length is the number of jobs.
	Scale []int
	// Weight has the share that a job is due against others, above 0. Optional: all 1.
	Weight []float64
	// Steps has the steps that are left, above 0: for makespan, finish-time fairness and SLOs.
	Steps []float64
	// ElapsedS has the seconds since a job's arrival, IsolatedS the seconds that it would have run
	// so far with its equal share alone: for finish-time fairness.
	ElapsedS, IsolatedS []float64
	// Cost has the price of a GPU of each type per hour, above 0. Optional: all 1.
	Cost []float64
	// SLOS has the seconds in which a job should end from now on, +Inf = no limit. Optional: no
	// limits.
	SLOS []float64
	// Entity has the group (user, team) of each job, counted from 0; EntityWeight the weight of
	// each group, above 0. For hierarchical policies; optional: one group of weight 1.
	Entity       []int
	EntityWeight []float64
	// Reference is the type whose throughput an agnostic allocator takes for every type
	// (Gavel: V100).
	Reference int
	// Pairs are the two-job combinations that may share GPUs. Optional.
	Pairs []Pair
}

// Pair is a combination of two jobs of equal scale on the same GPUs.
type Pair struct {
	// A and B are rows of jobs, A < B.
	A, B int
	// Throughput has the steps per second of A on each type, then the steps per second of B, while
	// they run together.
	Throughput []float64
}

// Jobs is the number of jobs.
func (in *Input) Jobs() int { return len(in.Scale) }

// Types is the number of types.
func (in *Input) Types() int { return len(in.Workers) }

// Rows is the number of rows of an answer: jobs, then pairs.
func (in *Input) Rows() int { return len(in.Scale) + len(in.Pairs) }

// job is the number of a job.
func (in *Input) job(m int) int {
	if len(in.Job) == 0 {
		return m
	}
	return in.Job[m]
}

// weight of a job.
func (in *Input) weight(m int) float64 {
	if len(in.Weight) == 0 {
		return 1
	}
	return in.Weight[m]
}

// cost of a type.
func (in *Input) cost(j int) float64 {
	if len(in.Cost) == 0 {
		return 1
	}
	return in.Cost[j]
}

// Validate reports the first fault of an input: a length, or a value out of its range. Allocators
// take the input as it is.
func (in *Input) Validate() error {
	types, jobs := in.Types(), in.Jobs()
	if types == 0 {
		return fmt.Errorf("gavel: no type of GPU, expected at least one")
	}
	if in.Reference < 0 || in.Reference >= types {
		return fmt.Errorf("gavel: reference type %d of %d types", in.Reference, types)
	}
	for j, n := range in.Workers {
		if n < 0 {
			return fmt.Errorf("gavel: type %d has %d GPUs, expected 0 or more", j, n)
		}
	}
	for m, s := range in.Scale {
		if s < 1 {
			return fmt.Errorf("gavel: job %d has %d GPUs, expected 1 or more", m, s)
		}
	}
	for _, c := range []column{
		{"throughput", in.Throughput, jobs * types, false, false}, {"weight", in.Weight, jobs, true, true},
		{"steps", in.Steps, jobs, true, true},
		{"elapsed", in.ElapsedS, jobs, true, false}, {"isolated time", in.IsolatedS, jobs, true, false},
		{"cost", in.Cost, types, true, true},
	} {
		if err := c.check(); err != nil {
			return err
		}
	}
	return in.validateGroups()
}

// column is a slice of an input with what it may hold.
type column struct {
	name     string
	values   []float64
	length   int
	optional bool
	positive bool // 0 is out of range
}

func (c column) check() error {
	if len(c.values) != c.length && (len(c.values) > 0 || !c.optional) {
		return fmt.Errorf("gavel: %d values of %s, expected %d", len(c.values), c.name, c.length)
	}
	for i, v := range c.values {
		if !(v >= 0) || math.IsInf(v, 1) || c.positive && v == 0 {
			return fmt.Errorf("gavel: %s %d is %v, expected a finite number above or at 0 (weights, steps and "+
				"costs: above)", c.name, i, v)
		}
	}
	return nil
}

// validateGroups looks at limits, groups and pairs.
func (in *Input) validateGroups() error {
	types, jobs := in.Types(), in.Jobs()
	if len(in.SLOS) != jobs && len(in.SLOS) > 0 {
		return fmt.Errorf("gavel: %d SLOs of %d jobs", len(in.SLOS), jobs)
	}
	for m, s := range in.SLOS {
		if !(s > 0) {
			return fmt.Errorf("gavel: job %d has the SLO %v s, expected above 0", m, s)
		}
	}
	if len(in.Job) != jobs && len(in.Job) > 0 {
		return fmt.Errorf("gavel: %d numbers of %d jobs", len(in.Job), jobs)
	}
	if len(in.Entity) != jobs && len(in.Entity) > 0 {
		return fmt.Errorf("gavel: %d entities of %d jobs", len(in.Entity), jobs)
	}
	for m, e := range in.Entity {
		if e < 0 || e >= len(in.EntityWeight) {
			return fmt.Errorf("gavel: job %d is of entity %d of %d", m, e, len(in.EntityWeight))
		}
	}
	if err := (column{"entity weight", in.EntityWeight, len(in.EntityWeight), true, true}).check(); err != nil {
		return err
	}
	for i, p := range in.Pairs {
		if p.A < 0 || p.A >= p.B || p.B >= jobs || in.Scale[p.A] != in.Scale[p.B] {
			return fmt.Errorf("gavel: pair %d of jobs %d and %d, expected two jobs of equal scale, the lower first", i,
				p.A, p.B)
		}
		if err := (column{"pair throughput", p.Throughput, 2 * types, false, false}).check(); err != nil {
			return err
		}
	}
	return nil
}

// Matrix has the fraction of time of each row (jobs, then pairs) on each type. The zero value is
// ready for use.
type Matrix struct {
	rows, types int
	x           []float64
}

// Reset makes it a matrix of zeros.
func (x *Matrix) Reset(rows, types int) {
	x.rows, x.types = rows, types
	if n := rows * types; cap(x.x) < n {
		x.x = make([]float64, n, n+n/4)
	} else {
		x.x = x.x[:n]
		clear(x.x)
	}
}

// Rows is the number of its rows.
func (x *Matrix) Rows() int { return x.rows }

// Types is the number of its columns.
func (x *Matrix) Types() int { return x.types }

// Row is the part of one row. The caller may change it.
func (x *Matrix) Row(m int) []float64 { return x.x[m*x.types : (m+1)*x.types : (m+1)*x.types] }
