package stack

import (
	"errors"
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
)

// linked is a Stack over a model whose jobs share links.
type linked struct {
	*Stack
	links sim.Coupled
}

// Place adds a running job, by the question that reaches the bottom.
func (l *linked) Place(q *sim.Query) error { return l.links.Place(l.down(q)) }

// Remove takes it away.
func (l *linked) Remove(id sim.JobID) { l.links.Remove(id) }

// Touched appends the jobs whose speed changed since the last call, ascending, and forgets them.
func (l *linked) Touched(dst []sim.JobID) []sim.JobID { return l.links.Touched(dst) }

// Reset forgets all jobs.
func (l *linked) Reset() { l.links.Reset() }

// LinkUtil is how busy the links are, 0..1; NaN where the bottom does not state it.
func (l *linked) LinkUtil() float64 {
	if of, ok := l.links.(interface{ LinkUtil() float64 }); ok {
		return of.LinkUtil()
	}
	return math.NaN()
}

// phasing is a model in which jobs have phases.
type phasing interface {
	Keep(id sim.JobID)
	Phases(dst []float64) []float64
	SetPhases(from []float64)
}

// Keep lets the next Place of a job continue its phase, where the bottom has phases.
func (l *linked) Keep(id sim.JobID) {
	if of, ok := l.links.(phasing); ok {
		of.Keep(id)
	}
}

// Phases appends the phases of the placed jobs.
func (l *linked) Phases(dst []float64) []float64 {
	if of, ok := l.links.(phasing); ok {
		return of.Phases(dst)
	}
	return dst
}

// SetPhases takes them back.
func (l *linked) SetPhases(from []float64) {
	if of, ok := l.links.(phasing); ok {
		of.SetPhases(from)
	}
}

// Measures are the bottom's.
func (l *linked) Measures(yield func(name, of, unit string, value float64)) {
	if of, ok := l.links.(interface {
		Measures(yield func(name, of, unit string, value float64))
	}); ok {
		of.Measures(yield)
	}
}

// shared is a model that states its links and who crosses them.
type shared interface {
	Links() int
	Paths() int
	LinkJobs(link int32) []sim.JobID
	LinkUse(link int32) float64
	Crosses(dst []int32, id sim.JobID, gpus []cluster.GPU, path uint64) []int32
	Period(q *sim.Query) (network.Period, error)
}

// Links is the number of links, 0 where the bottom states none.
func (l *linked) Links() int {
	if of, ok := l.links.(shared); ok {
		return of.Links()
	}
	return 0
}

// Paths is the number of paths between two racks.
func (l *linked) Paths() int {
	if of, ok := l.links.(shared); ok {
		return of.Paths()
	}
	return 0
}

// LinkJobs are the jobs that cross a link.
func (l *linked) LinkJobs(link int32) []sim.JobID { return l.links.(shared).LinkJobs(link) }

// LinkUse is how busy a link is, 0..1.
func (l *linked) LinkUse(link int32) float64 { return l.links.(shared).LinkUse(link) }

// Crosses appends the links that a job would cross.
func (l *linked) Crosses(dst []int32, id sim.JobID, gpus []cluster.GPU, path uint64) []int32 {
	if of, ok := l.links.(shared); ok {
		return of.Crosses(dst, id, gpus, path)
	}
	return dst
}

// errNoPeriods is the answer of a bottom without links.
var errNoPeriods = errors.New("the speed model has no shared links, expected one that has, such as contended")

// Period is the bottom's, as much longer as the layers make the job slower.
func (l *linked) Period(q *sim.Query) (network.Period, error) {
	of, ok := l.links.(shared)
	if !ok {
		return network.Period{}, errNoPeriods
	}
	below := l.down(q)
	p, err := of.Period(below)
	if err != nil || len(q.GPUs) == 0 {
		return p, err
	}
	if l.got, err = l.Base.Speed(below); err != nil {
		return p, err
	}
	for i := range l.steps {
		at := &l.steps[i]
		keep := at.layer.Answer(at.asked, &l.got)
		p.ComputeS /= keep
		p.TransferS /= keep
	}
	return p, nil
}

// beginning is a model whose jobs may have phases.
type beginning interface {
	Phased() bool
	Began(id sim.JobID, now sim.Time) sim.Time
}

// Phased reports whether the bottom's jobs have phases.
func (l *linked) Phased() bool {
	of, ok := l.links.(beginning)
	return ok && of.Phased()
}

// Began is when the present iteration of a job began.
func (l *linked) Began(id sim.JobID, now sim.Time) sim.Time {
	return l.links.(beginning).Began(id, now)
}

// varied is a Stack in which GPUs of one type differ.
type varied struct {
	*Stack
	sim.Variability
}

// linkedVaried is a Stack with both.
type linkedVaried struct {
	linked
	sim.Variability
}

// meter is a model that has the times of a step.
type meter interface {
	Telemetry(*sim.Query, *sim.Telemetry) bool
}

// progressive is the progressive side of a Stack.
type progressive struct{ *Stack }

// Progressive is the side whose answers depend on progress, nil where there is none;
// sim.AsProgressive asks for it.
func (s *Stack) Progressive() sim.Progressive {
	if s.side == nil {
		return nil
	}
	return s.side
}

// Mark implements sim.Progressive: the earliest mark of all.
func (p *progressive) Mark(q *sim.Query) float64 {
	first := math.Inf(1)
	if p.clocks {
		first = p.later(q)
	}
	below := p.down(q)
	if p.prog != nil {
		first = min(first, p.prog.Mark(below))
	}
	for i := range p.steps {
		if at := &p.steps[i]; at.learns != nil {
			first = min(first, at.learns.Mark(at.asked))
		}
	}
	return first
}

// later is the work done when the first Clock's time comes.
func (p *progressive) later(q *sim.Query) float64 {
	s, err := p.Speed(q)
	if err != nil || !(s.Rate > 0) {
		return math.Inf(1)
	}
	until := sim.Never
	for i := range p.steps {
		if at := &p.steps[i]; at.clock != nil {
			until = min(until, at.clock.Until(at.asked))
		}
	}
	if until == sim.Never {
		return math.Inf(1)
	}
	return q.Done + float64(s.Rate*float64(until-q.Now))
}

// Batches are the last Learner's, else the bottom's.
func (p *progressive) Batches(j *sim.Job) sim.BatchLimits {
	switch {
	case p.learner >= 0:
		return p.steps[p.learner].learns.Batches(j)
	case p.prog != nil:
		return p.prog.Batches(j)
	}
	return sim.BatchLimits{}
}

// Telemetry is what a job measures of itself; false where nothing has it, or the bottom has no
// speed. A Stack has it without a progressive side too.
func (s *Stack) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	if s.meter == nil && s.learner < 0 || len(q.GPUs) == 0 {
		return false
	}
	below := s.down(q)
	if s.learner < 0 && !s.meter.Telemetry(below, t) {
		return false
	}
	var err error
	if s.got, err = s.Base.Speed(below); err != nil {
		return false
	}
	for i := range s.steps {
		at := &s.steps[i]
		if i == s.learner && !at.learns.Telemetry(at.asked, s.got, t) {
			return false
		}
		if keep := at.layer.Answer(at.asked, &s.got); i > s.learner {
			t.StepS /= keep
			t.SyncS /= keep
		}
	}
	return true
}
