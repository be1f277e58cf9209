package shockwave

import (
	"math"

	"tarry/sim"
	"tarry/sim/plan"
)

// account is the simulator's own of a job: whole steps at the present batch size, in rounds that
// end with the last job. The kernel follows it: it has the same time to the end of the job, through
// the clock.
type account struct {
	total, run float64 // steps of the job, and done ones
	n          float64 // of the present round
	lengthS    float64 // of it
	clock      float64
}

// open begins the account of a job.
func (m *member) open(steps int64) { m.account = account{total: float64(steps), clock: 1} }

// perS is how many steps a job does in a second at its present batch size.
func (p *Policy) perS(m *member) float64 {
	v, _ := p.cfg.profile.PerS(m.model, m.adapt.batch, m.gpus)
	return v
}

// epochsDone are the epochs of the account.
func (m *member) epochsDone() float64 { return m.run / m.schedule.Steps(m.adapt.batch) }

// enter plans what a job does in the round that begins.
func (p *Policy) enter(v *sim.View, m *member, c *plan.Count) {
	if m.schedule == nil {
		return
	}
	perS := p.perS(m)
	if perS == 0 {
		return
	}
	m.n = min(math.Trunc(perS*p.cfg.roundS), m.total-m.run)
	m.lengthS = m.n / perS
	p.lastS = max(p.lastS, m.lengthS)
	c.Batch = float64(m.adapt.batch) / float64(m.initial)
	leftS := (m.total - m.run) / perS
	if !m.ran && p.round > 0 && m.lengthS > p.cfg.roundS-5 && p.cfg.restartS > 0 {
		m.n = math.Trunc(m.n * (m.lengthS - p.cfg.restartS) / m.lengthS)
		m.lengthS -= p.cfg.restartS
		c.Delay = sim.Seconds(p.cfg.restartS)
	}
	p.follow(v, m, leftS)
	c.FreqFrac = m.clock
}

// follow sets the clock that gives the kernel as much time to the end of a job as the account has.
func (p *Policy) follow(v *sim.View, m *member, leftS float64) {
	perS := p.perS(m)
	kernelS := v.Run(m.id).Left() / m.unit * m.schedule.Steps(m.adapt.batch) / perS
	ratio := kernelS / leftS
	frac := 1.0
	if one, _ := p.cfg.profile.PerS(m.model, m.adapt.batch, 1); one > 0 {
		frac = min(1, perS/(one*float64(m.gpus)))
	}
	exposed := 1/frac - 1
	if c := 1 / ((1+exposed)/ratio - exposed); c > 0 && c < 1e3 && math.Abs(c/m.clock-1) > 1e-9 {
		m.clock = c
	}
}

// exit books a round of a job: its steps, then a change of its batch size, which counts an epoch
// that has begun as done.
func (p *Policy) exit(m *member) {
	m.run += m.n
	m.n = 0
	old := m.adapt.batch
	if !m.settle(p.cfg.profile, m.gpus) {
		return
	}
	p.shares.need = true
	was, is, scale := m.schedule.Steps(old), m.schedule.Steps(m.adapt.batch), float64(old)/float64(m.adapt.batch)
	epochs := math.Ceil(m.total / was)
	if m.total = math.Ceil(m.total * scale); math.Ceil(m.total/is) != epochs {
		m.total = is * epochs
	}
	m.run = math.Ceil(m.run/was) * is
}
