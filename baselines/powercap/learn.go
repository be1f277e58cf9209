package powercap

import (
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// LearnedParams describes the settings of NewLearned for the catalogue.
const LearnedParams = `host      the policy that decides who runs where, NAME or "NAME:key=value,..."
cost      what a slower job costs, by time lost x: jobs: 1 | gpus: its GPUs | left: its seconds left at full speed
fill      what the cap leaves raises clocks again
clocks    from lowest to 1, in equal steps
lowest    clock, relative to nominal
pass      a start that the cap has no room for holds no others back
late      what a clock costs more at which a job is expected to miss its deadline, in the same units
period_s  time after a change at which jobs are measured and clocks chosen again, s
forget    weight of past measurements at each new one`

// NewLearned gives the maker of a policy that measures watts and speeds of running jobs. Parameters:
// LearnedParams.
//
//  1. Measured are watts, speed and the computing part of the time, at the present clock of each job that
//     works, a period after each change.
//  2. Recursive least squares fit watts per GPU to p0 + p3 c^3 for each job, and for each GPU type over
//     all its jobs, from which a new job begins. The first of a type: half of the rated watts each.
//  3. Time at other clocks is the computing part, as long as the clock is low, and the rest.
//  4. Clocks are New's at one price of power, with a cost of deadlines that are expected to be missed.
func NewLearned(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		p := &Policy{host: parse.Read(s, rule, "host", "fifo", over.ClockKey),
			wake: plan.Alarm{Key: over.ClockKey}}
		p.rule = "price"
		p.read(s, 16, 10)
		p.learn = &learner{period: max(1, sim.Seconds(s.Float("period_s", 10, 0, 1e6))),
			forget: s.Float("forget", 0.98, 0.01, 1)}
		return p, s.Err()
	}
}

// learner is what is learned over all jobs.
type learner struct {
	period sim.Time
	forget float64
	types  []fit // by GPU type
	// error adds up how far watts were expected from what was then measured, in parts of it, of jobs
	// that had been measured before; count counts them.
	error float64
	count int
}

func (l *learner) clone() *learner {
	c := *l
	c.types = slices.Clone(l.types)
	return &c
}

// meter is what a job was measured at.
type meter struct {
	fit
	measured     bool
	clock, watts float64
	compute      float64 // the part of the time, at that clock
}

// fit is a recursive least squares of parts of the rated watts over (1, c^3).
type fit struct {
	at      [2]float64
	spread  [2][2]float64
	samples int
}

// begin is a fit before any measurement.
func begin() fit { return fit{at: [2]float64{0.5, 0.5}, spread: [2][2]float64{{1e3, 0}, {0, 1e3}}} }

// value is what a fit expects at a clock.
func (f *fit) value(c float64) float64 { return f.at[0] + float64(f.at[1]*cube(c)) }

// add takes a measurement in.
func (f *fit) add(c, y, forget float64) {
	x := [2]float64{1, cube(c)}
	var gain [2]float64
	for i := range gain {
		gain[i] = float64(f.spread[i][0]*x[0]) + float64(f.spread[i][1]*x[1])
	}
	by := forget + float64(gain[0]*x[0]) + float64(gain[1]*x[1])
	miss := y - f.value(c)
	for i := range gain {
		f.at[i] += gain[i] / by * miss
	}
	was := gain
	for i := range gain {
		for k := range gain {
			f.spread[i][k] = min(1e6, max(-1e6, (f.spread[i][k]-gain[i]*was[k]/by)/forget))
		}
	}
	f.samples++
}

func cube(c float64) float64 { return float64(c*c) * c }

// rated is what the GPUs of a job draw in full use, on top of idle, as their type states.
func rated(v *sim.View, r *run) float64 { return busy(v, r, 1) }

// observe measures the jobs that work.
func (p *Policy) observe(v *sim.View) {
	if p.learn == nil {
		return
	}
	if p.learn.types == nil {
		p.learn.types = make([]fit, max(1, len(v.Topology().Types())))
		for i := range p.learn.types {
			p.learn.types[i] = begin()
		}
	}
	for i := range p.runs {
		if j := p.runs[i].job; v.Run(j).State() == sim.Running && v.Links().Resumes(j) <= v.Now() {
			p.meter(v, &p.jobs[p.slot[j]-1])
		}
	}
}

// meter measures a job.
func (p *Policy) meter(v *sim.View, x *job) {
	r := run{job: x.id, gpus: v.Run(x.id).Held(), knobs: v.Run(x.id).Knobs()}
	clock, watts, speed := r.knobs.FreqFrac, v.Power().Draw(x.id), v.Run(x.id).Speed()
	full := rated(v, &r)
	if full <= 0 || speed.Rate <= 0 || x.measured && clock == x.clock && watts == x.watts {
		return
	}
	if x.samples > 0 && watts > 0 {
		p.learn.error += max(x.value(clock)*full-watts, watts-x.value(clock)*full) / watts
		p.learn.count++
	}
	x.add(clock, watts/full, p.learn.forget)
	p.learn.types[p.kind(v, &r)].add(clock, watts/full, p.learn.forget)
	x.measured, x.clock, x.watts, x.compute = true, clock, watts, speed.ComputeFrac
}

// kind is the type of a job's GPUs.
func (p *Policy) kind(v *sim.View, r *run) int {
	t := v.Topology()
	return max(0, t.TypeIndex(t.Type(t.Machine(r.gpus[0]))))
}

// unmeasured reports whether a job runs that was not measured.
func (p *Policy) unmeasured() bool {
	return slices.ContainsFunc(p.runs, func(r run) bool { return !p.jobs[p.slot[r.job]-1].measured })
}

// expect sets what a job is expected to draw and how long to take at each clock.
func (p *Policy) expect(v *sim.View, x *job, r *run) {
	if x.samples == 0 {
		x.fit = p.learn.types[p.kind(v, r)]
		x.spread, x.samples = begin().spread, 0
		x.clock, x.compute = 1, 1
	}
	full, least := rated(v, r), 0.0
	rest := 1 - x.compute
	at := func(c float64) float64 { return float64(x.compute*x.clock)/c + rest }
	own := at(x.own)
	for k := range p.clocks {
		c := p.clock(x, int32(k))
		least = max(least, x.value(c)*full)
		x.Watts[k], x.slow[k] = least, at(c)/own
	}
}
