package optimus

import (
	"math"

	"tarry/sim"
	"tarry/sim/loss"
)

// train draws a job's epochs and its loss after each: they follow from the work that the job has,
// as it ends when it converges.
func (p *Policy) train(v *sim.View, l *life) {
	epochs := float64(p.fewest + p.draws.IntN(p.most-p.fewest+1))
	l.truth = loss.Draw(p.draws, float64(p.half*epochs), p.sigma)
	l.epochS = v.Job(l.job).Work() / 1e6 / epochs
	l.threshold = l.truth.At(max(epochs-float64(p.window), 0)) - l.truth.At(epochs)
	l.converges = p.further
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

// noisy is a loss as it is reported.
func (p *Policy) noisy(l *life, x float64) float64 {
	if p.noise == 0 {
		return x
	}
	return x + float64(float64(p.noise*(l.truth.At(0)-l.truth.D))*p.draws.NormFloat64())
}

// report takes down the losses of the epochs that ended since, fits anew, and states what is left:
// at least the rest of the epoch.
func (p *Policy) report(v *sim.View, l *life) {
	done := v.Run(l.job).Done() / 1e6
	if t, ok := v.Run(l.job).Telemetry(); ok && !math.IsNaN(t.Loss) && t.Epoch > 0 {
		p.measuredLoss(l, &t, done)
	} else {
		ended, was := int(done/l.epochS+1e-9), l.epoch
		if l.reports == nil && ended > 0 {
			p.note(l, loss.Point{K: 0, Loss: p.noisy(l, l.truth.At(0))})
		}
		for e := max(was, ended-p.points) + 1; e <= ended; e++ {
			p.note(l, loss.Point{K: float64(e), Loss: p.noisy(l, l.truth.At(float64(e)))})
		}
		l.epoch = max(ended, was)
		if l.epoch > was {
			p.converge(l)
		}
	}
	now := done / l.epochS
	if !(now >= 0) {
		now = 0
	}
	l.left = float64(max(l.converges-now, math.Floor(now)+1-now) * l.epochS)
}

// measuredLoss takes down what a job measures itself: its epochs are the speed model's, and
// the threshold is the part of what it lost so far that the authors' program has.
func (p *Policy) measuredLoss(l *life, t *sim.Telemetry, done float64) {
	if int(t.Epoch) <= l.epoch {
		return
	}
	if l.truth != (loss.Curve{}) { // nothing was measured before
		l.truth, l.reports, l.threshold = loss.Curve{}, l.reports[:0], 0
	}
	l.epoch, l.epochS = int(t.Epoch), done/float64(t.Epoch)
	p.note(l, loss.Point{K: float64(t.Epoch), Loss: t.Loss})
	l.threshold = max(l.threshold, float64(converged*(l.reports[0].Loss-t.Loss)))
	l.converges = float64(l.epoch) + p.further
	p.converge(l)
}

// converged is the part of a loss that it falls by over a window when it has converged.
const converged = 0.05

// note keeps the last reports.
func (p *Policy) note(l *life, r loss.Point) {
	if l.reports == nil {
		l.reports = p.room()
	}
	if len(l.reports) == p.points {
		copy(l.reports, l.reports[1:])
		l.reports = l.reports[:p.points-1]
	}
	l.reports = append(l.reports, r)
}

// converge predicts the epoch after which the loss has fallen by no more than the threshold in a
// window; without a fit the job has further epochs.
func (p *Policy) converge(l *life) {
	l.converges = float64(l.epoch) + p.further
	if l.lo+l.unit > l.hi {
		return // what is left decides on another worker, and the job can have none
	}
	c, ok := loss.Fit(l.reports, p.fade)
	if !ok {
		return
	}
	w, most := float64(p.window), float64(max(p.most, l.epoch+int(p.further)))
	e := max(float64(l.epoch+1), w)
	for ; e < most && c.At(e-w)-c.At(e) > l.threshold; e++ {
	}
	l.converges = e
}
