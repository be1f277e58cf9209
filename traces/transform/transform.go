// Package transform makes workloads out of workloads: windows, splits, other arrival
// rates, samples, selections, and names for jobs that have none.
//
// No function changes what it is given. Each states in the Origins what it did.
package transform

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// derive builds the new workload; an empty one is an error that states why.
func derive(w *sim.Workload, jobs []sim.Job, field, what string) (*sim.Workload, error) {
	if len(jobs) == 0 {
		return nil, fmt.Errorf("workload %q: no job of %d is left after: %s", w.Name, len(w.Jobs), what)
	}
	origins := append(slices.Clone(w.Origins), origin.Origin{Field: field, Source: what})
	return sim.NewWorkload(w.Name, jobs, origins...)
}

// shift moves a job by -from. A deadline that had passed before the new time zero
// becomes the earliest there is, because 0 means none.
func shift(j *sim.Job, from sim.Time) {
	j.Submit -= from
	if j.Deadline > 0 {
		j.Deadline = max(1, j.Deadline-from)
	}
}

// Window keeps the jobs submitted in [from, to). With rezero the workload's time zero
// becomes from, otherwise the submits stay.
func Window(w *sim.Workload, from, to sim.Time, rezero bool) (*sim.Workload, error) {
	if from < 0 || to <= from {
		return nil, fmt.Errorf("window %v to %v, expected 0 <= from < to", from, to)
	}
	what := fmt.Sprintf("jobs submitted in [%v, %v)", from, to)
	if rezero {
		what += ", time zero at its start"
	}
	jobs := slices.Clone(between(w, from, to))
	if rezero {
		for i := range jobs {
			shift(&jobs[i], from)
		}
	}
	return derive(w, jobs, "submit", what)
}

// between finds the jobs of [from, to) in the sorted list.
func between(w *sim.Workload, from, to sim.Time) []sim.Job {
	before := func(t sim.Time) int {
		n, _ := slices.BinarySearchFunc(w.Jobs, t, func(j sim.Job, t sim.Time) int {
			if j.Submit < t {
				return -1
			}
			return 1
		})
		return n
	}
	return w.Jobs[before(from):before(to)]
}

// Parts are the three workloads of a split.
type Parts struct {
	Train, Validation, Test *sim.Workload
	// ValidationAt and TestAt are the time zeros of these on the clock of Train.
	ValidationAt, TestAt sim.Time
}

// Split cuts the span from the first to the last submit into three windows, in the
// order of time, whose lengths are in the ratio of the three shares. Jobs submitted
// less than gap after a cut are in no part, so that what is still running from one part
// shows little about the next. No job is in two parts. Time zero is each window's start.
func Split(w *sim.Workload, shares [3]float64, gap sim.Time) (Parts, error) {
	sum := 0.0
	for _, s := range shares {
		if !(s > 0) || math.IsInf(s, 0) {
			return Parts{}, fmt.Errorf("split shares %v, expected three numbers > 0", shares)
		}
		sum += s
	}
	if gap < 0 {
		return Parts{}, fmt.Errorf("split gap %v, expected >= 0", gap)
	}
	first, last := w.Span()
	length := float64(last-first) / sum
	a := first + sim.Time(math.Round(float64(length*shares[0])))
	b := first + sim.Time(math.Round(float64(length*(shares[0]+shares[1]))))
	if a+gap >= b || b+gap > last {
		return Parts{}, fmt.Errorf("split of %v into shares %v leaves no room for gaps of %v", last-first, shares, gap)
	}
	p := Parts{ValidationAt: a + gap - first, TestAt: b + gap - first}
	for _, part := range []struct {
		name     string
		to       **sim.Workload
		from, by sim.Time
	}{{"train", &p.Train, first, a}, {"validation", &p.Validation, a + gap, b}, {"test", &p.Test, b + gap, last + 1}} {
		made, err := Window(w, part.from, part.by, true)
		if err != nil {
			return Parts{}, fmt.Errorf("%s part: %w", part.name, err)
		}
		made.Name = w.Name + "/" + part.name
		*part.to = made
	}
	return p, nil
}

// Rescale multiplies the arrival rate by factor > 0: submits are divided by it. Run
// times stay, and so does the time that a deadline leaves after the submit.
func Rescale(w *sim.Workload, factor float64) (*sim.Workload, error) {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("rescale by %g, expected a number > 0", factor)
	}
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		j := &jobs[i]
		old := j.Submit
		j.Submit = sim.Seconds(float64(old) / factor / 1e6)
		if j.Deadline > 0 {
			j.Deadline = max(1, j.Submit+(j.Deadline-old))
		}
	}
	return derive(w, jobs, "submit", fmt.Sprintf("submits divided by %g", factor))
}

// Sample keeps n jobs drawn without replacement, every set of n equally likely; all
// jobs when there are no more than n. It takes one number per job from the stream.
func Sample(w *sim.Workload, n int, s *rng.Stream) (*sim.Workload, error) {
	if n < 1 {
		return nil, fmt.Errorf("sample of %d jobs, expected at least 1", n)
	}
	need := min(n, len(w.Jobs))
	jobs := make([]sim.Job, 0, need)
	for i := range w.Jobs {
		// Selection sampling (Knuth, volume 2, algorithm 3.4.2 S).
		if s.Float64()*float64(len(w.Jobs)-i) < float64(need-len(jobs)) {
			jobs = append(jobs, w.Jobs[i])
		}
	}
	return derive(w, jobs, "id", fmt.Sprintf("%d of %d jobs, drawn without replacement", len(jobs), len(w.Jobs)))
}

// Criteria selects jobs; the zero value selects all.
type Criteria struct {
	// VCs and States keep jobs whose value is listed; empty = any.
	VCs, States []string
	// MinGPUs and MaxGPUs bound the demand; 0 = no bound.
	MinGPUs, MaxGPUs int32
}

func (c *Criteria) match(j *sim.Job) bool {
	return (len(c.VCs) == 0 || slices.Contains(c.VCs, j.VC)) &&
		(len(c.States) == 0 || slices.Contains(c.States, j.State)) &&
		j.GPUs >= c.MinGPUs && (c.MaxGPUs == 0 || j.GPUs <= c.MaxGPUs)
}

// String gives the criteria in words.
func (c *Criteria) String() string {
	var parts []string
	if len(c.VCs) > 0 {
		parts = append(parts, "vc "+strings.Join(c.VCs, " or "))
	}
	if len(c.States) > 0 {
		parts = append(parts, "state "+strings.Join(c.States, " or "))
	}
	if c.MinGPUs > 0 {
		parts = append(parts, fmt.Sprintf("at least %d GPUs", c.MinGPUs))
	}
	if c.MaxGPUs > 0 {
		parts = append(parts, fmt.Sprintf("at most %d GPUs", c.MaxGPUs))
	}
	if len(parts) == 0 {
		return "all jobs"
	}
	return strings.Join(parts, ", ")
}

// Filter keeps the jobs that match all criteria.
func Filter(w *sim.Workload, c Criteria) (*sim.Workload, error) {
	var jobs []sim.Job
	for i := range w.Jobs {
		if c.match(&w.Jobs[i]) {
			jobs = append(jobs, w.Jobs[i])
		}
	}
	return derive(w, jobs, "id", "jobs with "+c.String())
}
