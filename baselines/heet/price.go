package heet

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim"
)

// part is a job in the plan of a round.
type part struct {
	job      sim.JobID
	key      float64
	lo, hi   int
	typ, n   int     // the configuration it gets; typ -1 = none
	had      int     // the type it has; -1 = none
	best     float64 // throughput per GPU at the least number on its best type
	urgency  float64 // scheduling efficiency
	only     int     // the type that it insists on; -1 = any
	selected bool
}

// prices fills in best and urgency.
func (p *Policy) prices(v *sim.View) {
	mean := 0.0
	for i := range p.parts {
		mean += float64(v.Run(p.parts[i].job).Service()) / float64(len(p.parts))
	}
	for i := range p.parts {
		x := &p.parts[i]
		x.best, x.urgency = 0, 1
		for r := range p.speeds.types {
			if x.only < 0 || x.only == r {
				x.best = math.Max(x.best, p.speeds.throughput(v, x.job, r, x.lo)/float64(x.lo))
			}
		}
		if mean > 0 && p.balance > 0 {
			x.urgency = fixmath.Pow(mean/(mean+float64(v.Run(x.job).Service())), p.balance)
		}
	}
}

// value is the value of n GPUs of a type for a job, per GPU: 0 to 1, and -1 where it does not run.
func (p *Policy) value(v *sim.View, x *part, r, n int) float64 {
	t := p.speeds.throughput(v, x.job, r, n)
	if t <= 0 || x.best <= 0 || x.only >= 0 && x.only != r {
		return -1
	}
	return math.Min(1, t/(float64(n)*x.best)) * x.urgency
}

// grow gives what is left of each type to the jobs for which its value is greatest, as long as they
// use it well.
func (p *Policy) grow(v *sim.View) {
	for {
		best, gain, to := -1, 0.0, 0
		for i := range p.parts {
			x := &p.parts[i]
			if x.typ < 0 || x.n >= x.hi {
				continue
			}
			next := min(2*x.n, x.hi)
			if next-x.n > p.left[x.typ] {
				continue
			}
			more := p.speeds.throughput(v, x.job, x.typ, next) - p.speeds.throughput(v, x.job, x.typ, x.n)
			if x.best <= 0 {
				continue
			}
			if g := more / (float64(next-x.n) * x.best); g >= p.least && g > 0 && g*x.urgency > gain {
				best, gain, to = i, g*x.urgency, next
			}
		}
		if best < 0 {
			return
		}
		x := &p.parts[best]
		p.left[x.typ] -= to - x.n
		x.n = to
	}
}

// trade lets pairs of jobs with as many GPUs of different types exchange them where both together
// gain.
func (p *Policy) trade(v *sim.View) {
	for i := range p.parts {
		a := &p.parts[i]
		for k := i + 1; k < len(p.parts) && a.typ >= 0; k++ {
			b := &p.parts[k]
			if b.typ < 0 || b.typ == a.typ || b.n != a.n {
				continue
			}
			ab, ba := p.value(v, a, b.typ, a.n), p.value(v, b, a.typ, b.n)
			if ab >= 0 && ba >= 0 && ab+ba > p.value(v, a, a.typ, a.n)+p.value(v, b, b.typ, b.n)+p.stay {
				a.typ, b.typ = b.typ, a.typ
			}
		}
	}
}
