package predict

import (
	"math"
	"math/bits"
	"slices"

	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/law"
)

// Predictor is a sim.Predictor that learns from the past before a run.
type Predictor = entry.LearnedPredictor

// estimator predicts the logarithm of a run time.
type estimator interface {
	// point is the prediction, in log seconds; ok is false while there is nothing to predict from.
	point(j *sim.Job) (y float64, ok bool)
	// add learns from a job that has ended.
	add(j *sim.Job, y float64)
	// empty gives an estimator without data, clone one with the same data.
	empty() estimator
	clone() estimator
}

// weighted is an estimator that weights others by how well each foretold the jobs that ended.
type weighted interface {
	// look appends what the others predict of a job, to be handed to weigh once it has ended.
	look(j *sim.Job, to []float64) []float64
	weigh(looked []float64, y float64)
}

// The prior is what is predicted while nothing is known: an hour, and a spread that covers seconds
// to weeks.
const (
	priorMedianS = 3600
	priorSigma   = 2
)

const (
	classes     = 18   // of jobs by size: each power of two has its own law of errors
	enough      = 50   // errors, before a class has one
	keptErrors  = 2000 // of a class, the latest
	firstErrors = 20   // errors, before there is a law at all
)

// errs are the latest errors of a class, and their law. The law is made of the errors that there
// were when it was due, but only once it is asked for.
type errs struct {
	list   []float64
	next   int
	due    []float64 // errors that the next law is made of; empty = none is due
	shape  *law.Shape
	centre float64
	ok     bool // there is a law, or one is due
	fresh  bool // no error came since the law was due
}

func (e *errs) add(x float64) {
	e.fresh = false
	if len(e.list) < keptErrors {
		e.list = append(e.list, x)
		return
	}
	e.list[e.next] = x
	e.next = (e.next + 1) % keptErrors
}

// options are what all predictors share.
type options struct {
	lognormal bool
	refit     int
	history   int
	bySize    bool // classes have laws of their own
	alike     bool // classes are by expected error, not by size
	raw       bool // the median is the prediction: errors move only the spread
	exact     bool // there is no error
	sigma     float64
}

// online is a Predictor over an estimator.
type online struct {
	options
	est   estimator
	blank *law.Shape // where there is no prediction
	prior *law.Shape // where there is no law of errors yet
	all   errs
	size  [classes]errs
	since int     // jobs learned since the laws were made
	scale *scales // nil = classes are by size
	ended []ended // jobs that are learned from before the next prediction
	buf   []float64
}

// ended is a job that has ended.
type ended struct {
	id  sim.JobID
	job sim.Job
	run sim.Time
}

func newOnline(est estimator, o options) *online {
	p := &online{options: o, est: est, blank: law.LogNormal(priorSigma)}
	p.prior = p.blank
	if o.alike {
		p.bySize, p.scale = true, newScales()
	}
	if o.sigma > 0 {
		p.prior = law.LogNormal(o.sigma)
	}
	if o.exact {
		p.prior = nil
	}
	return p
}

// class is a job's size as a power of two.
func class(j *sim.Job) int { return min(bits.Len32(uint32(j.GPUs)), classes-1) }

// logRun is what is learned of a job.
func logRun(run sim.Time) float64 { return math.Log(run.Seconds()) }

// Predict gives the law of a job's run time.
func (p *online) Predict(id sim.JobID, j *sim.Job) law.Law {
	for i := range p.ended {
		p.learn(&p.ended[i])
	}
	p.ended = p.ended[:0]
	y, ok := p.est.point(j)
	if !ok {
		return law.Law{LogMedian: math.Log(priorMedianS), Shape: p.blank}
	}
	l := law.Law{LogMedian: y, Shape: p.prior}
	if p.exact {
		return l
	}
	e := &p.all
	if c := p.say(id, j, y); p.bySize && p.size[c].ok {
		e = &p.size[c]
	}
	if e.ok {
		p.make(e)
		l.Shape = e.shape
		if !p.raw {
			l.LogMedian += e.centre
		}
	}
	return l
}

// Ended notes a job that has ended. What is learned from it shows at the next prediction; after the
// last there is no need to learn.
func (p *online) Ended(id sim.JobID, j *sim.Job, run sim.Time) {
	p.ended = append(p.ended, ended{id, *j, run})
}

// learn learns from a job that has ended.
func (p *online) learn(of *ended) {
	j, y := &of.job, logRun(of.run)
	if p.scale != nil {
		if c, e, ok := p.scale.hear(of.id, j, y); ok {
			p.note(c, e)
		}
	} else if was, ok := p.est.point(j); ok {
		p.note(class(j), y-was)
	}
	if s, ok := p.est.(weighted); ok {
		p.buf = s.look(j, p.buf[:0])
		s.weigh(p.buf, y)
	}
	p.est.add(j, y)
	if p.since++; p.refit > 0 && p.since >= p.refit {
		p.shape()
	}
}

// note keeps an error.
func (p *online) note(class int, e float64) {
	p.all.add(e)
	if p.bySize {
		p.size[class].add(e)
	}
}

// say gives the class of a job whose prediction is y.
func (p *online) say(id sim.JobID, j *sim.Job, y float64) int {
	if p.scale != nil {
		return p.scale.say(id, j, y)
	}
	return class(j)
}

// own gives e memory of its own.
func (e *errs) own() { e.list, e.due = slices.Clone(e.list), slices.Clone(e.due) }

// shape has the laws of errors made anew.
func (p *online) shape() {
	p.since = 0
	p.all.renew(firstErrors, p.exact)
	for i := range p.size {
		p.size[i].renew(enough, p.exact)
	}
}

// renew has a law made of the present errors, if there are as many as it needs; the same errors
// have the same law.
func (e *errs) renew(need int, exact bool) {
	if len(e.list) < need || exact || e.fresh {
		return
	}
	e.due, e.ok, e.fresh = append(e.due[:0], e.list...), true, true
}

// make makes the law that is due.
func (p *online) make(e *errs) {
	if len(e.due) == 0 {
		return
	}
	p.buf = append(p.buf[:0], e.due...)
	e.shape, e.centre = law.Empirical(p.buf)
	if p.lognormal && e.shape != nil {
		mean, n := 0.0, float64(len(e.due))
		for _, x := range e.due {
			mean += x / n
		}
		e.shape, e.centre = law.LogNormal(e.shape.Sigma()), mean
	}
	e.due = e.due[:0]
}

// Clone copies what may change.
func (p *online) Clone() sim.Predictor {
	c := *p
	c.est, c.ended, c.buf = p.est.clone(), slices.Clone(p.ended), nil
	if p.scale != nil {
		c.scale = p.scale.clone()
	}
	c.all.own()
	for i := range c.size {
		c.size[i].own()
	}
	return &c
}
