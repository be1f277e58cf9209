package shockwave

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// Options set how a profile is read as speeds. The zero value follows each job's schedule.
type Options struct {
	// Fixed leaves each job at its initial batch, so that only a scheduler changes it, by the knob
	// Batch.
	Fixed bool
}

// Model is the sim.Progressive. It belongs to one run.
type Model struct {
	profile *Profile
	opt     Options
	names   map[string]parts
}

// parts is a job's type.
type parts struct {
	model string
	batch int32
}

// New makes a model.
func New(p *Profile, opt Options) *Model {
	return &Model{profile: p, opt: opt, names: map[string]parts{}}
}

// Profile is what the model reads.
func (m *Model) Profile() *Profile { return m.profile }

// Speed implements sim.Progressive.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	w, err := m.of(q)
	if err != nil {
		return sim.Speed{}, err
	}
	knob, batch := 1.0, w.batch
	if q.Batch > 0 {
		knob = q.Batch
	}
	perS, ok := 0.0, false
	if want := float64(float64(batch) * knob); want == float64(int32(want)) {
		if perS, ok = m.profile.PerS(w.model, int32(want), len(q.GPUs)); ok {
			batch, knob = int32(want), 1
		}
	}
	if !ok {
		if perS, ok = m.profile.PerS(w.model, batch, len(q.GPUs)); !ok {
			return sim.Speed{}, m.missing(w, q, batch)
		}
	}
	frac := 1.0
	if one, _ := m.profile.PerS(w.model, batch, 1); one > 0 && perS > 0 {
		frac = min(1, perS/float64(one*float64(len(q.GPUs))))
	}
	k := q.Knobs
	k.Batch = knob
	return k.Scaled(float64(w.unit*perS)/w.steps(batch), frac), nil
}

// work is what the model has of a job at its present epoch.
type work struct {
	parts              // at its present epoch
	schedule *Schedule // nil = the profile has none: the batch never changes
	initial  int32
	// unit is the work of an epoch in seconds of one reference GPU, of a step where the samples of
	// an epoch are not known.
	unit  float64
	epoch int64 // the present one, from 0
}

// steps is how many steps of a batch make the unit.
func (w *work) steps(batch int32) float64 {
	if w.schedule == nil {
		return float64(w.initial) / float64(batch)
	}
	return w.schedule.Steps(batch)
}

// of looks a job up.
func (m *Model) of(q *sim.Query) (work, error) {
	w := work{parts: m.split(q.Job.Model)}
	if w.initial = w.batch; w.batch == 0 {
		return w, m.Lacks(q.Job)
	}
	step, err := m.step(&w, q.Job)
	if err != nil || m.profile.Trace == "" {
		w.unit = step
		return w, err
	}
	if w.schedule = m.profile.Job(q.Job.ID); w.schedule == nil {
		return w, fmt.Errorf("%s: job %q is not in %s%s.csv; option trace=%s leaves each job at its initial batch",
			m.profile.Dir, q.Job.ID, pattern, m.profile.Trace, NoTrace)
	}
	if w.schedule.Batch[0] != w.batch {
		return w, fmt.Errorf("%s: job %q begins with batch size %d, in %s%s.csv with %d: expected the profile of "+
			"its own trace", m.profile.Dir, q.Job.ID, w.batch, pattern, m.profile.Trace, w.schedule.Batch[0])
	}
	w.unit = float64(w.schedule.Steps(w.batch) * step)
	w.epoch = w.schedule.begun(q.Done, float64(w.unit*1e6))
	if !m.opt.Fixed {
		w.batch = w.schedule.At(w.epoch)
	}
	return w, nil
}

// Lacks is the error of a job whose model names no batch size or was not measured.
func (m *Model) Lacks(j *sim.Job) error {
	p := m.split(j.Model)
	if p.batch == 0 {
		return fmt.Errorf("%s: model %q (job %q) names no batch size, expected one such as LM (batch size 10)",
			m.profile.Dir, j.Model, j.ID)
	}
	names := m.profile.models()
	if slices.Contains(names, p.model) {
		return nil
	}
	return fmt.Errorf("%s: no model %q (job %q), expected one of %s%s", m.profile.Dir, p.model, j.ID,
		strings.Join(names, ", "), param.Hint(p.model, names))
}

// split is Split with a memory.
func (m *Model) split(jobType string) parts {
	p, ok := m.names[jobType]
	if !ok {
		p.model, p.batch = Split(jobType)
		m.names[jobType] = p
	}
	return p
}

// step is the seconds of one step of the initial batch on the reference GPU.
func (m *Model) step(w *work, j *sim.Job) (float64, error) {
	switch {
	case j.IterS > 0:
		return j.IterS, nil
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations), nil
	}
	if v, _ := m.profile.PerS(w.model, w.batch, 1); v > 0 {
		return 1 / v, nil
	}
	return 0, fmt.Errorf("%s: job %q states no iterations, and %q has no throughput on one GPU", m.profile.Dir, j.ID,
		j.Model)
}

// missing is the error of what was not measured.
func (m *Model) missing(w work, q *sim.Query, batch int32) error {
	if err := m.Lacks(q.Job); err != nil {
		return err
	}
	var have []string
	for n := range 65 {
		if _, ok := m.profile.PerS(w.model, batch, n); ok {
			have = append(have, fmt.Sprint(n))
		}
	}
	return fmt.Errorf("%s: no throughput of %s with batch size %d (job %q) on %d GPUs, expected one of the numbers %s",
		m.profile.Dir, w.model, batch, q.Job.ID, len(q.GPUs), strings.Join(have, ", "))
}
