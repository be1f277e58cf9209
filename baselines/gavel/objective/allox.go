package objective

import (
	"fmt"
	"math"

	"tarry/internal/assign"
)

// AlloX is the AlloX of Gavel's simulator: jobs that have GPUs keep them, all of the time, until
// they end. Of the others, the oldest max(Alpha times their number, idle GPUs) are matched to the
// idle GPUs and places in their order such that the sum of completion times is least; the first job
// of each GPU gets it and the rest is forgotten. The objective is the sum over the matched jobs of
// the time since arrival plus that until the end.
//
// It differs from AlloX itself (package allox) in that GPUs which are busy are not waited for, and
// that Alpha picks jobs by age and not users by share. Gavel's takes gangs of one GPU only. Ours: a
// larger one has a place on one GPU, and starts where it is first if its type has as many idle
// GPUs.
type AlloX struct {
	// Alpha is the part of the jobs that take part, 0 to 1.
	Alpha float64

	batch assign.Batch
	on    map[int]int // job -> type that it has
	free  []int
	avail []float64
	class []int
	times []float64
	rows  []int // row of each job of the batch
	first []int
}

// Clone implements Allocator.
func (a *AlloX) Clone() Allocator {
	c := &AlloX{Alpha: a.Alpha, on: make(map[int]int, len(a.on))}
	for job, j := range a.on {
		c.on[job] = j
	}
	return c
}

// Allocate implements Allocator. It reads Job and Steps.
func (a *AlloX) Allocate(in *Input, x *Matrix) (float64, error) {
	if len(in.Steps) != in.Jobs() || len(in.ElapsedS) != in.Jobs() {
		return 0, fmt.Errorf("gavel: %d steps and %d elapsed times of %d jobs", len(in.Steps), len(in.ElapsedS),
			in.Jobs())
	}
	x.Reset(in.Rows(), in.Types())
	waiting := a.keep(in, x)
	idle := a.idle(in)
	most := max(int(math.Floor(float64(a.Alpha*float64(len(waiting))))), idle)
	objective := 0.0
	a.batch.Begin(a.avail, a.class, in.Types())
	a.rows = a.rows[:0]
	for _, m := range waiting[:min(most, len(waiting))] {
		if idle > 0 && a.batch.Add(a.run(in, m)) {
			a.rows = append(a.rows, m)
			objective += in.ElapsedS[m]
		}
	}
	a.first = a.batch.First(a.first)
	for w, b := range a.first {
		if b < 0 {
			continue
		}
		m, j := a.rows[b], a.class[w]
		if a.free[j] >= in.Scale[m] {
			a.free[j] -= in.Scale[m]
			a.on[in.job(m)] = j
			x.Row(m)[j] = 1
		}
	}
	return objective + a.batch.Cost(), nil
}

// keep leaves jobs where they are, forgets the jobs that have gone, and lists the rows of the
// others.
func (a *AlloX) keep(in *Input, x *Matrix) (waiting []int) {
	a.free = append(a.free[:0], in.Workers...)
	on := make(map[int]int, len(a.on)+1)
	for m, s := range in.Scale {
		if j, ok := a.on[in.job(m)]; ok && j < in.Types() && in.Throughput[m*in.Types()+j] > 0 && a.free[j] >= s {
			on[in.job(m)] = j
			x.Row(m)[j] = 1
			a.free[j] -= s
		} else {
			waiting = append(waiting, m)
		}
	}
	a.on = on
	return waiting
}

// idle lists the idle GPUs, type by type, and counts them.
func (a *AlloX) idle(in *Input) int {
	a.avail, a.class = a.avail[:0], a.class[:0]
	for j, n := range a.free {
		for range n {
			a.avail, a.class = append(a.avail, 0), append(a.class, j)
		}
	}
	return len(a.avail)
}

// run is how long a job runs on each type.
func (a *AlloX) run(in *Input, m int) []float64 {
	a.times = a.times[:0]
	for j, n := range in.Workers {
		t := math.Inf(1)
		if rate := in.Throughput[m*in.Types()+j]; rate > 0 && n >= in.Scale[m] {
			t = in.Steps[m] / rate
		}
		a.times = append(a.times, t)
	}
	return a.times
}
