package lucid

import "tarry/sim"

// load forecasts how many jobs arrive: exponential smoothing of the number per step.
type load struct {
	at    sim.Time // the present step, in steps since 0
	came  float64  // jobs that have come in it
	level float64  // jobs per step
}

// pass closes the steps that are over.
func (l *load) pass(now sim.Time, c *config) {
	for at := now / c.step; l.at < at; l.at++ {
		l.level += float64(c.smooth * (l.came - l.level))
		l.came = 0
		if l.level < 1e-12 { // the steps that are left change nothing
			l.level, l.at = 0, at-1
		}
	}
}

// forecast is how many jobs are expected in the next steps.
func (l *load) forecast(c *config) float64 { return float64(c.steps * l.level) }

// next is what forecast will be at the end of this step if no other job comes.
func (l *load) next(c *config) float64 {
	return float64(c.steps * (l.level + float64(c.smooth*(l.came-l.level))))
}

// shares reports whether jobs may share GPUs now.
func (p *Policy) shares() bool {
	switch p.cfg.sharing {
	case "always":
		return true
	case "never":
		return false
	}
	return p.load.forecast(&p.cfg) > p.cfg.few
}
