package objective

import (
	"fmt"
	"slices"
	"strings"
)

// Allocator solves one of Gavel's allocation problems again and again. It may keep what makes the
// next solve faster, so that it serves one run only; two allocators with equal histories give equal
// bits.
type Allocator interface {
	// Allocate writes the fractions of every row into x and returns the value of the objective at
	// them. Jobs that can run nowhere get nothing, and the value states what the problem states
	// then (0 for the least throughput, +Inf for the makespan); the others are served as if those
	// were not there. The error is of the input or of the arithmetic, never of a problem without a
	// solution.
	Allocate(in *Input, x *Matrix) (objective float64, err error)
	// Clone returns an allocator that continues on its own as this one would.
	Clone() Allocator
}

// Entry is one allocator of the list.
type Entry struct {
	// Name is Gavel's own name of the policy, where it has one.
	Name string
	// Doc states in a line what is optimised.
	Doc string
	// New makes it.
	New func() Allocator
	// Typed reports that throughputs by type are read ("_perf" in Gavel); others take all types as
	// equal.
	Typed bool
	// Steps reports that the steps that are left are read: the policy is clairvoyant.
	Steps bool
	// Lines: jobs of fraction 0 do not fill idle GPUs (Gavel's FIFO policies).
	Lines bool
}

// All lists the allocators.
func All() []Entry {
	return []Entry{
		{Name: "isolated", Doc: "an equal share of every type for each job",
			New: func() Allocator { return Isolated{} }},
		{Name: "fifo_perf", Doc: "in order of arrival, each on its fastest type that has room",
			New: func() Allocator { return &FIFO{} }, Typed: true, Lines: true},
		{Name: "allox", Doc: "the sum of completion times is least, jobs keep what they have",
			New: func() Allocator { return &AlloX{Alpha: 1} }, Typed: true, Steps: true},
		{Name: "max_min_fairness", Doc: "the least share of all GPUs, by weight, is largest",
			New: func() Allocator { return &MaxMin{} }},
		{Name: "max_min_fairness_perf", Doc: "the least rate, as a part of that on an equal share, is largest",
			New: func() Allocator { return &MaxMin{Typed: true} }, Typed: true},
		{Name: "finish_time_fairness", Doc: "the largest finish time, as a part of that on an equal share, is smallest",
			New: func() Allocator { return &FinishTime{} }, Steps: true},
		{Name: "finish_time_fairness_perf", Doc: "the same, with throughputs by type",
			New: func() Allocator { return &FinishTime{Typed: true} }, Typed: true, Steps: true},
		{Name: "min_total_duration", Doc: "the makespan is smallest, by Gavel's bisection",
			New: func() Allocator { return &Makespan{Bisect: true} }, Steps: true},
		{Name: "min_total_duration_perf", Doc: "the same, with throughputs by type",
			New: func() Allocator { return &Makespan{Bisect: true, Typed: true} }, Typed: true, Steps: true},
		{Name: "min_makespan_perf", Doc: "the makespan is smallest, exactly, with throughputs by type",
			New: func() Allocator { return &Makespan{Typed: true} }, Typed: true, Steps: true},
		{Name: "max_sum_throughput_perf", Doc: "the sum of rates is largest",
			New: func() Allocator { return &Throughput{} }, Typed: true},
		{Name: "max_sum_throughput_normalized_by_cost_perf", Doc: "the sum of rates for the money is largest",
			New: func() Allocator { return &Throughput{Priced: true} }, Typed: true},
		{Name: "max_throughput_per_cost_perf", Doc: "the same, while every job can end within its SLO (Gavel: " +
			"..._by_cost_perf_SLOs)",
			New: func() Allocator { return &Throughput{Priced: true, Limits: true} }, Typed: true, Steps: true},
		{Name: "hierarchical", Doc: "max-min fairness of entities and of the jobs in each, by water filling",
			New: func() Allocator { return &Hierarchical{} }},
		{Name: "hierarchical_perf", Doc: "the same, with throughputs by type",
			New: func() Allocator { return &Hierarchical{Typed: true} }, Typed: true},
		{Name: "hierarchical_fifo_perf", Doc: "the same, and each entity's oldest job goes first",
			New: func() Allocator { return &Hierarchical{Typed: true, FIFO: true} }, Typed: true},
		{Name: "max_min_fairness_packed", Doc: "max_min_fairness_perf with pairs of jobs on the same GPUs",
			New: func() Allocator { return &Packed{Goal: PackMaxMin} }, Typed: true},
		{Name: "finish_time_fairness_packed", Doc: "finish_time_fairness_perf with pairs",
			New: func() Allocator { return &Packed{Goal: PackFinishTime} }, Typed: true, Steps: true},
		{Name: "min_makespan_packed", Doc: "min_makespan_perf with pairs",
			New: func() Allocator { return &Packed{Goal: PackMakespan} }, Typed: true, Steps: true},
		{Name: "max_sum_throughput_packed", Doc: "max_sum_throughput_perf with pairs",
			New: func() Allocator { return &Packed{Goal: PackThroughput} }, Typed: true},
	}
}

// Named finds an allocator by its name.
func Named(name string) (Entry, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return Entry{}, fmt.Errorf("gavel: no objective %q, expected one of %s", name, strings.Join(names, ", "))
}
