package optimus

import (
	"slices"

	"tarry/baselines/fit"
	"tarry/internal/fixmath"
)

// measure measures a job's speed on a few counts that it can use, the least and the most among
// them, and fits the others.
func (p *Policy) measure(l *life) {
	l.measured, l.estimate = p.zeros(l.hi+1), p.zeros(l.hi+1)
	counts := (l.hi-l.lo)/l.unit + 1
	p.try(l, l.lo)
	if p.trials > 1 {
		p.try(l, l.hi)
	}
	if counts <= p.trials {
		for n := l.lo + l.unit; n < l.hi; n += l.unit {
			p.try(l, n)
		}
	} else {
		for range p.trials - 2 {
			p.try(l, l.lo+l.unit*p.draws.IntN(counts))
		}
	}
	p.fit(l)
}

// try measures one count.
func (p *Policy) try(l *life, n int) {
	if l.measured[n] != 0 || !(l.speed[n] > 0) {
		return
	}
	l.measured[n] = l.speed[n]
	if p.noise > 0 {
		l.measured[n] *= fixmath.Exp(float64(p.noise * p.draws.NormFloat64()))
	}
}

// correct replaces what was measured on as many GPUs as the job has by the speed that it runs at.
func (p *Policy) correct(l *life, rate float64) {
	if l.had > l.hi || !(rate > 0) || l.measured[l.had] == rate {
		return
	}
	l.measured[l.had] = rate
	p.fit(l)
}

// fit gives every count its speed: the measured one, or what the fit states.
func (p *Policy) fit(l *life) {
	p.design, p.y = p.design[:0], p.y[:0]
	for n, x := range l.measured {
		if x > 0 {
			p.row(n)
			p.y = append(p.y, 1/x)
		}
	}
	coef, _ := p.squares.NonNegative(p.design, p.y)
	for n := l.lo; n <= l.hi; n += l.unit {
		if l.estimate[n] = l.measured[n]; l.estimate[n] > 0 {
			continue
		}
		p.terms = fit.AllReduce.Terms(p.terms[:0], n, n, 1)
		t := 0.0
		for i, c := range coef {
			t += float64(c * p.terms[i])
		}
		if !(t > 0) {
			t = 1 / float64(n) // nothing was measured
			if len(p.y) > 0 {
				t = slices.Min(p.y)
			}
		}
		l.estimate[n] = 1 / t
	}
}

// row appends the terms of a count to the design.
func (p *Policy) row(n int) {
	k := len(p.design)
	if k < cap(p.design) {
		p.design = p.design[:k+1]
	} else {
		p.design = append(p.design, nil)
	}
	p.design[k] = fit.AllReduce.Terms(p.design[k][:0], n, n, 1)
}

// zeros gives n zeros, in the memory of a job that has left if there is any; all have room for the
// widest job so far.
func (p *Policy) zeros(n int) []float64 {
	p.widest = max(p.widest, n)
	if k := len(p.spareSpeeds) - 1; k >= 0 {
		s := p.spareSpeeds[k]
		p.spareSpeeds = p.spareSpeeds[:k]
		if cap(s) >= n {
			s = s[:n]
			clear(s)
			return s
		}
	}
	return make([]float64, n, p.widest)
}
