package shockwavesim

import (
	"math"

	"tarry/baselines/shockwave"
	"tarry/sim"
	"tarry/sim/plan"
)

// account is the simulator's own of a job: whole steps at the present batch size, in rounds that
// end with the last job. The kernel follows it: it has the same time to the end of the job, through
// the clock.
type account struct {
	gpus       int
	total, run float64 // steps of the job, and done ones
	n          float64 // of the present round
	lengthS    float64 // of it
	clock      float64
	adapt
}

// perS is how many steps a job does in a second at its present batch size.
func (p *program) perS(a *account) float64 {
	v, _ := p.profile.PerS(a.model, a.batch, a.gpus)
	return v
}

// epochsDone are the epochs of the account.
func (a *account) epochsDone() float64 { return a.run / a.schedule.Steps(a.batch) }

// Enter plans what a job does in the round that begins.
func (p *program) Enter(v *sim.View, t shockwave.Turn, c plan.Count) (plan.Count, float64) {
	a := p.jobs[c.Job]
	perS := p.perS(a)
	if perS == 0 {
		return c, 0
	}
	a.n = min(math.Trunc(perS*t.RoundS), a.total-a.run)
	a.lengthS = a.n / perS
	lengthS := a.lengthS
	c.Batch = float64(a.batch) / float64(a.initial)
	leftS := (a.total - a.run) / perS
	if !t.Ran && t.Round > 0 && a.lengthS > t.RoundS-5 && p.restartS > 0 {
		a.n = math.Trunc(a.n * (a.lengthS - p.restartS) / a.lengthS)
		a.lengthS -= p.restartS
		c.Delay = sim.Seconds(p.restartS)
	}
	p.follow(v, c.Job, t.UnitUS, leftS)
	c.FreqFrac = a.clock
	return c, lengthS
}

// follow sets the clock that gives the kernel as much time to the end of a job as the account has.
func (p *program) follow(v *sim.View, j sim.JobID, unitUS, leftS float64) {
	a := p.jobs[j]
	perS := p.perS(a)
	kernelS := v.Run(j).Left() / unitUS * a.schedule.Steps(a.batch) / perS
	ratio := kernelS / leftS
	frac := 1.0
	if one, _ := p.profile.PerS(a.model, a.batch, 1); one > 0 {
		frac = min(1, perS/(one*float64(a.gpus)))
	}
	exposed := 1/frac - 1
	if c := 1 / ((1+exposed)/ratio - exposed); c > 0 && c < 1e3 && math.Abs(c/a.clock-1) > 1e-9 {
		a.clock = c
	}
}

// Exit books a round of a job, which may then ask for another batch size.
func (p *program) Exit(j sim.JobID, ran bool) (b shockwave.Booked) {
	a := p.jobs[j]
	if ran {
		b.PerS, b.LengthS, b.Samples = p.perS(a)*float64(a.batch), a.lengthS, a.schedule.Samples
		b.Changed = p.exit(a)
	}
	b.Done = a.epochsDone()
	a.ask(b.Done)
	return b
}

// exit books a round of a job: its steps, then a change of its batch size, which counts an epoch
// that has begun as done.
func (p *program) exit(a *account) bool {
	a.run += a.n
	a.n = 0
	old := a.batch
	if !a.settle(p.profile, a.gpus) {
		return false
	}
	was, is, scale := a.schedule.Steps(old), a.schedule.Steps(a.batch), float64(old)/float64(a.batch)
	epochs := math.Ceil(a.total / was)
	if a.total = math.Ceil(a.total * scale); math.Ceil(a.total/is) != epochs {
		a.total = is * epochs
	}
	a.run = math.Ceil(a.run/was) * is
	return true
}
