package phased

import "math"

// Job is one job of a group: it computes and transfers in turns, without end.
type Job struct {
	// ComputeS and VolumeS are the compute of an iteration in seconds and its transfer in seconds of
	// a whole link of capacity 1; >= 0, together > 0.
	ComputeS, VolumeS float64
	// Release is the part of the compute after which the transfer is released, 0..1.
	Release float64
	// Weight is the weight among transfers of the same level; > 0, 0 = 1.
	Weight float64
	// Level is the strict priority, larger first.
	Level int8
	// OffsetS is the time at which the first iteration begins.
	OffsetS float64
	// PaceS holds iterations to slots: one begins at the first multiple of PaceS after OffsetS that
	// is not before the end of the iteration before it. 0 = as soon as that ends.
	PaceS float64
	// MaxRate bounds the rate of the transfer; > 0, 0 = 1.
	MaxRate float64
	// Links are the links that the transfer crosses, all at one rate; none twice.
	Links []Crossing
}

// Crossing is a link and how much of it a unit of the job's rate takes; > 0, 0 = 1.
type Crossing struct {
	Link int32
	Load float64
}

// Result is the steady state of a job.
type Result struct {
	// IterationS is the mean time of an iteration; +Inf = starved: from some time on nothing of the
	// transfer is served.
	IterationS float64
	// NextS is the time from the end of the simulation to the begin of the job's next iteration, the
	// offset with which a simulation continues; 0 of a starved job.
	NextS float64
}

// Outcome states how the simulation of a group ended.
type Outcome struct {
	// Settled reports that the state recurred. Otherwise the results are the means over the second
	// half of the events; there are none, and no events, where more than MaxJobs jobs share links
	// or a value is out of its range.
	Settled bool
	// Events is the number of events played; 0 of a closed form.
	Events int
	// BeginS is the time from which the state recurs, counted from the first offset, and PeriodS
	// the time after which; 0 of a closed form.
	BeginS, PeriodS float64
}

const (
	// MaxJobs is the largest number of jobs that share links in a group that is played.
	MaxJobs = 8
	// mostEvents is the bound for Group.Events = 0.
	mostEvents = 4096
)

// Group plays groups of jobs; the zero value is ready. It keeps its memory and allocates nothing
// once it has played groups as large.
type Group struct {
	// Exact takes only the same state as a recurrence, to 2^-30 of the longest iteration alone, and
	// leaves offsets of a Cache unrounded.
	Exact bool
	// Events bounds the number of events; 0 = 4096.
	Events int

	form   form
	got    [MaxJobs]Result // of the form's members
	rates  [1 << MaxJobs][MaxJobs]float64
	known  [1 << MaxJobs / 64]uint64 // sets whose rates are in the table
	begins []begin
	seen   visits
}

// begin is an iteration's.
type begin struct {
	member int
	at     float64
}

// Settle gives the steady state of jobs over links of the given capacities (>= 0); out has the
// length of jobs.
func (g *Group) Settle(jobs []Job, links []float64, out []Result) Outcome {
	if !g.form.read(jobs, links, false) {
		return unsettled(out)
	}
	end := g.solve()
	g.report(jobs, out, end)
	return end
}

// unsettled is the outcome without results.
func unsettled(out []Result) Outcome {
	for i := range out {
		out[i] = Result{IterationS: math.NaN()}
	}
	return Outcome{}
}

// solve finds the results of the form's members.
func (g *Group) solve() Outcome {
	switch {
	case g.form.n == 0:
		return Outcome{Settled: true}
	case g.twins():
		return Outcome{Settled: true}
	}
	return g.play()
}

// report gives the members' results to their jobs, and the others' closed form.
func (g *Group) report(jobs []Job, out []Result, end Outcome) {
	for i := range jobs {
		out[i] = g.form.alone(jobs[i].OffsetS, i, end.BeginS+end.PeriodS)
	}
	for i := range g.form.n {
		out[g.form.jobs[i].job] = g.got[i]
	}
}
