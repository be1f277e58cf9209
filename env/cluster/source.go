package cluster

import (
	"fmt"

	"tarry/env"
	"tarry/internal/rng"
	"tarry/sim"
	"tarry/traces/synth"
	"tarry/traces/transform"
)

// Part is one of the three disjoint sets of windows.
type Part string

// The parts. A learner sees Train, chooses between its checkpoints on Validation, and is measured
// once on Test.
const (
	Train      Part = "train"
	Validation Part = "validation"
	Test       Part = "test"
)

// Source gives the workloads of episodes. No job is in the windows of two parts.
type Source interface {
	// Windows is how many windows a part has, > 0.
	Windows(p Part) int
	// Window makes one of them, the same each time. Its time zero is its first instant.
	Window(p Part, i int) (*sim.Workload, error)
}

// Listed is a Source whose jobs are a list, out of a file as a rule.
type Listed interface {
	Source
	// Jobs is all that the windows of a part are made from.
	Jobs(p Part) *sim.Workload
}

// Synthetic draws each window anew: part and number are in the seed, so that windows share no draw.
type Synthetic struct {
	// Config is the law. Its Jobs is the length of every window.
	Config synth.Config
	// Seed is the root of all windows' seeds.
	Seed uint64
	// Count is how many windows each part has; > 0.
	Count int
}

// Windows is Count.
func (s Synthetic) Windows(Part) int { return s.Count }

// Window draws one window.
func (s Synthetic) Window(p Part, i int) (*sim.Workload, error) {
	w, err := synth.Generate(s.Config, rng.Source{Seed: env.HashSeed(s.Seed, "window/"+string(p), uint64(i))})
	if err == nil {
		w.Name = fmt.Sprintf("%s/%s/%d", w.Name, p, i)
	}
	return w, err
}

// Recorded cuts windows of equal length out of a trace, after splitting it by time.
type Recorded struct {
	parts  map[Part]*sim.Workload
	starts map[Part][]sim.Time
	length sim.Time
}

// NewRecorded splits a trace by time into training, validation and test in the ratio of shares,
// leaving out jobs submitted less than gap after a cut, and cuts each part into windows of a length.
// What is left over at the end of a part is not used, nor are windows without a job.
func NewRecorded(w *sim.Workload, shares [3]float64, gap, length sim.Time) (*Recorded, error) {
	split, err := transform.Split(w, shares, gap)
	if err != nil {
		return nil, err
	}
	r := &Recorded{map[Part]*sim.Workload{Train: split.Train, Validation: split.Validation, Test: split.Test}, map[Part][]sim.Time{}, length}
	for _, p := range [...]Part{Train, Validation, Test} {
		if r.cut(p); r.Windows(p) < 1 {
			_, last := r.parts[p].Span()
			return nil, fmt.Errorf("workload %q: the %s part spans %v, expected at least one window of %v", w.Name, p, last, length)
		}
	}
	return r, nil
}

// cut notes where the part's windows start.
func (r *Recorded) cut(p Part) {
	if r.length <= 0 {
		return
	}
	_, last := r.parts[p].Span()
	for _, j := range r.parts[p].Jobs {
		at := j.Submit - j.Submit%r.length
		if n := len(r.starts[p]); at+r.length <= last && (n == 0 || r.starts[p][n-1] != at) {
			r.starts[p] = append(r.starts[p], at)
		}
	}
}

// Windows is how many whole windows the part holds.
func (r *Recorded) Windows(p Part) int { return len(r.starts[p]) }

// Jobs is all that the windows of a part are cut from.
func (r *Recorded) Jobs(p Part) *sim.Workload { return r.parts[p] }

// Window cuts one window.
func (r *Recorded) Window(p Part, i int) (*sim.Workload, error) {
	from := r.starts[p][i]
	w, err := transform.Window(r.parts[p], from, from+r.length, true)
	if err == nil {
		w.Name = fmt.Sprintf("%s/%d", w.Name, i)
	}
	return w, err
}
