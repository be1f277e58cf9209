package scenario

import (
	"errors"
	"fmt"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/transform"
)

// maxThin bounds the classes of Thin.
const maxThin = 10_000

// Recorded cuts windows of equal length out of a trace, after splitting it by time. No job is in
// two windows. It serves many goroutines, except during Thin.
type Recorded struct {
	parts  map[Part]*sim.Workload
	zero   map[Part]sim.Time // of a part's clock, on the clock of part train
	slices map[Part][]slice
	length sim.Time
}

// slice is a window's place: its first instant, and the jobs out of which it is cut.
type slice struct {
	from sim.Time
	jobs *sim.Workload
}

// NewRecorded splits a trace by time into training, validation and test in the ratio of shares,
// leaving out jobs submitted less than gap after a cut, and cuts each part into windows of a
// length. What is left over at the end of a part is not used, nor are windows without a job.
func NewRecorded(w *sim.Workload, shares [3]float64, gap, length sim.Time) (*Recorded, error) {
	split, err := transform.Split(w, shares, gap)
	if err != nil {
		return nil, err
	}
	r := &Recorded{map[Part]*sim.Workload{Train: split.Train, Validation: split.Validation, Test: split.Test},
		map[Part]sim.Time{Validation: split.ValidationAt, Test: split.TestAt}, map[Part][]slice{}, length}
	for _, p := range [...]Part{Train, Validation, Test} {
		if r.cut(p); r.Windows(p) < 1 {
			_, last := r.parts[p].Span()
			return nil, fmt.Errorf("workload %q: the %s part spans %v, expected at least one window of %v", w.Name, p,
				last, length)
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
		if n := len(r.slices[p]); at+r.length <= last && (n == 0 || r.slices[p][n-1].from != at) {
			r.slices[p] = append(r.slices[p], slice{at, r.parts[p]})
		}
	}
}

// Windows is how many complete windows the part holds.
func (r *Recorded) Windows(p Part) int { return len(r.slices[p]) }

// Jobs is all that the windows of a part are cut from.
func (r *Recorded) Jobs(p Part) *sim.Workload { return r.parts[p] }

// Begins is when a window begins, on the clock of the training part.
func (r *Recorded) Begins(p Part, i int) sim.Time { return r.zero[p] + r.slices[p][i].from }

// Window cuts one window.
func (r *Recorded) Window(p Part, i int) (*sim.Workload, error) {
	at := r.slices[p][i]
	w, err := transform.Window(at.jobs, at.from, at.from+r.length, true)
	if err == nil {
		w.Name = fmt.Sprintf("%s/%d", r.parts[p].Name, i)
	}
	return w, err
}

// Thin puts each job of a part into one of some classes, > 1, at random, and makes a window of each
// slice of time and class: classes times as many windows, each with 1/classes of the load. It is
// called at most once.
//
// Windows are numbered round by round: a round has each slice of time once, in strides of about
// 0.618 of their number, so that any first few windows are spread over time; in round r the k-th
// slice has class (k+r) mod classes. Windows without a job are left out.
func (r *Recorded) Thin(classes int, seed uint64) error {
	if classes < 2 || classes > maxThin {
		return fmt.Errorf("thinned to %d classes, expected 2..%d", classes, maxThin)
	}
	var errs []error
	for _, p := range [...]Part{Train, Validation, Test} {
		lists, err := r.sorts(p, classes, seed)
		errs = append(errs, err)
		whole := r.slices[p]
		r.slices[p] = nil
		n := len(whole)
		step := stride(n)
		for i := range n * classes {
			at := slice{whole[i%n*step%n].from, lists[(i%n+i/n)%classes]}
			if at.jobs == nil {
				continue
			}
			if _, err := transform.Window(at.jobs, at.from, at.from+r.length, true); err == nil {
				r.slices[p] = append(r.slices[p], at)
			}
		}
	}
	return errors.Join(errs...)
}

// sorts deals the jobs of a part out to classes; one without a job is nil.
func (r *Recorded) sorts(p Part, classes int, seed uint64) ([]*sim.Workload, error) {
	draw := rng.Source{Seed: seed}.Stream("thin/" + string(p))
	jobs := make([][]sim.Job, classes)
	for _, j := range r.parts[p].Jobs {
		k := draw.IntN(classes)
		jobs[k] = append(jobs[k], j)
	}
	out := make([]*sim.Workload, classes)
	for k, list := range jobs {
		if len(list) == 0 {
			continue
		}
		var err error
		if out[k], err = sim.NewWorkload(r.parts[p].Name, list, r.parts[p].Origins...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// stride is a number without a divisor in common with n, about 0.618 of it.
func stride(n int) int {
	divisor := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	s := max(1, n*618/1000)
	for divisor(s, n) != 1 {
		s++
	}
	return s
}
