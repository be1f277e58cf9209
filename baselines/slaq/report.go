package slaq

import (
	"math"

	"tarry/sim"
	"tarry/sim/loss"
)

// life is what is known of a job in the system.
type life struct {
	job          sim.JobID
	lo, hi, unit int       // counts that it can use: from lo to hi by unit
	typ          int       // index of its GPU type, -1 = any
	speed        []float64 // at each count, placed at best
	iterS        float64   // work of an iteration in seconds of one reference GPU
	wide         bool      // no type alone has GPUs enough
	truth        loss.Curve
	measured     bool    // losses are the job's own telemetry
	first        float64 // the loss at the start, or the first that is measured
	// reports are the last ones, in seconds of work; steepest is the largest fall per second of
	// work between two of all.
	reports  []loss.Point
	steepest float64
	fit      loss.Curve
	fitted   bool
	done     float64 // work done at this decision, s
	has      int     // GPUs that it is to have by this decision
	had      int     // index of the type of its GPUs, -1 = it holds none
}

// report takes down the loss of a job that has got on since its last report, and fits anew.
func (p *Policy) report(v *sim.View, l *life) {
	l.done = v.Run(l.job).Done() / 1e6
	last := loss.Point{Loss: l.first}
	if n := len(l.reports); n > 0 {
		last = l.reports[n-1]
	}
	if !(l.done > last.K) {
		return
	}
	now := loss.Point{K: l.done, Loss: l.truth.At(l.done)}
	if !p.drawn {
		t, ok := v.Run(l.job).Telemetry()
		known := ok && !math.IsNaN(t.Loss)
		switch {
		case known && !l.measured:
			l.begin(p, loss.Point{K: l.done, Loss: t.Loss})
			return
		case known:
			now.Loss = t.Loss
		case l.measured: // it does not run any more
			return
		}
	}
	if l.reports == nil {
		l.reports = append(p.room(), last)
	}
	l.steepest = math.Max(l.steepest, (last.Loss-now.Loss)/(now.K-last.K))
	if len(l.reports) == p.points {
		copy(l.reports, l.reports[1:])
		l.reports = l.reports[:p.points-1]
	}
	l.reports = append(l.reports, now)
	if l.fitted && math.Abs(l.fit.At(now.K)-now.Loss) <= 1e-6*(l.first-now.Loss) {
		return // as it was foreseen: the fit stays
	}
	if c, ok := loss.Fit(l.reports, p.fade); ok {
		l.fit, l.fitted = c, true
	}
}

// begin takes the first loss that a job measures: what was drawn for it is forgotten.
func (l *life) begin(p *Policy, now loss.Point) {
	if l.reports == nil {
		l.reports = p.room()
	}
	l.reports = append(l.reports[:0], now)
	l.measured, l.first, l.steepest, l.fitted = true, now.Loss, 0, false
}

// room gives an empty list for reports.
func (p *Policy) room() []loss.Point {
	n := len(p.spare)
	if n == 0 {
		return make([]loss.Point, 0, p.points)
	}
	r := p.spare[n-1]
	p.spare = p.spare[:n-1]
	return r
}

// fall is how much the fit states that the loss will fall in an epoch on n GPUs, normalised; 0
// without a fit.
func (p *Policy) fall(l *life, n int) float64 {
	if !l.fitted || n == 0 {
		return 0
	}
	d := l.fit.At(l.done) - l.fit.At(l.done+float64(l.speed[n]*p.every.Seconds()))
	by := float64(l.steepest * l.iterS)
	if p.ranged {
		by = l.first - l.fit.D
	}
	if !(d > 0) || !(by > 0) {
		return 0
	}
	return d / by
}

// next is the least count above what a job is to have that it can use.
func (l *life) next() int {
	if l.has == 0 {
		return l.lo
	}
	return l.has + l.unit
}

// gain is the gain of the next unit of GPUs for a job, per GPU; false when it can use no more, or
// is no faster with more.
func (p *Policy) gain(l *life) (float64, bool) {
	n := l.next()
	switch {
	case n > l.hi || l.has > 0 && !(l.speed[n] > l.speed[l.has]):
		return 0, false
	case p.fair:
		return 1 / float64(1+l.has), true
	case l.has == 0 && !l.fitted:
		return math.MaxFloat64, true
	}
	return (p.fall(l, n) - p.fall(l, l.has)) / float64(n-l.has), true
}
