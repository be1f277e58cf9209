package optimus

import (
	"slices"

	"tarry/baselines/fit"
	"tarry/internal/fixmath"
)

// measure measures a job's speed on a few counts that it can use, the least and the most among them, and fits the others.
func (p *Policy) measure(l *life) {
	l.measured, l.estimate = make([]float64, l.hi+1), make([]float64, l.hi+1)
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

// fit gives every count its speed: the measured one, or what the fit says.
func (p *Policy) fit(l *life) {
	var design [][]float64
	var y []float64
	for n, x := range l.measured {
		if x > 0 {
			design = append(design, fit.AllReduce.Terms(nil, n, n, 1))
			y = append(y, 1/x)
		}
	}
	coef, _ := fit.NonNegative(design, y)
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
			if len(y) > 0 {
				t = slices.Min(y)
			}
		}
		l.estimate[n] = 1 / t
	}
}
