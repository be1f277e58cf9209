package synth

import (
	"math"

	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// runLaw is a law of run times in seconds.
type runLaw interface {
	draw(s *rng.Stream) float64
	mean() float64
	// cdf is the probability of a run of at most x seconds.
	cdf(x float64) float64
}

// class is a demand, its share of the jobs and the law of its run times.
type class struct {
	gpus  int32
	share float64
	run   runLaw
}

// fit keeps the classes that a cluster of that many GPUs can hold.
func fit(classes []class, gpus int) []class {
	var kept []class
	for _, c := range classes {
		if int(c.gpus) <= gpus {
			kept = append(kept, c)
		}
	}
	return kept
}

// meanWork is E[GPU-seconds of a job].
func meanWork(classes []class) float64 {
	sum, shares := 0.0, 0.0
	for _, c := range classes {
		sum += float64(c.share * float64(c.gpus) * c.run.mean())
		shares += c.share
	}
	return sum / shares
}

// lognormal is one part of a mixture: exp of a normal with mean mu and deviation sigma.
type lognormal struct{ weight, mu, sigma float64 }

// mixture is a mixture of lognormals cut at max: draws above it are drawn again.
type mixture struct {
	parts []lognormal
	max   float64
}

func (m mixture) draw(s *rng.Stream) float64 {
	total := 0.0
	for _, p := range m.parts {
		total += p.weight
	}
	for {
		u := s.Float64() * total
		i := 0
		for i < len(m.parts)-1 && u >= m.parts[i].weight {
			u -= m.parts[i].weight
			i++
		}
		p := m.parts[i]
		x := fixmath.Exp(p.mu + float64(p.sigma*s.NormFloat64()))
		if x <= m.max {
			return x
		}
	}
}

func (m mixture) mean() float64 {
	sum, kept := 0.0, 0.0
	for _, p := range m.parts {
		z := math.Inf(1)
		if !math.IsInf(m.max, 1) {
			z = (math.Log(m.max) - p.mu) / p.sigma
		}
		sum += float64(p.weight * fixmath.Exp(p.mu+float64(float64(p.sigma*p.sigma)/2)) * fixmath.NormalCDF(z-p.sigma))
		kept += float64(p.weight * fixmath.NormalCDF(z))
	}
	return sum / kept
}

func (m mixture) cdf(x float64) float64 {
	if x >= m.max {
		return 1
	}
	below, kept := 0.0, 0.0
	for _, p := range m.parts {
		below += float64(p.weight * fixmath.NormalCDF((math.Log(x)-p.mu)/p.sigma))
		kept += float64(p.weight * fixmath.NormalCDF((math.Log(m.max)-p.mu)/p.sigma))
	}
	return below / kept
}

// exponential has the given mean.
type exponential struct{ m float64 }

func (e exponential) draw(s *rng.Stream) float64 { return e.m * s.ExpFloat64() }
func (e exponential) mean() float64              { return e.m }
func (e exponential) cdf(x float64) float64      { return -fixmath.Expm1(-x / e.m) }

// constant is always the same.
type constant struct{ m float64 }

func (c constant) draw(*rng.Stream) float64 { return c.m }
func (c constant) mean() float64            { return c.m }
func (c constant) cdf(x float64) float64 {
	if x < c.m {
		return 0
	}
	return 1
}

// hyper is the two-phase hyperexponential with balanced means and the given squared
// coefficient of variation >= 1: a phase holds half of the work.
type hyper struct{ m, scv float64 }

func (h hyper) phase() (p float64) {
	return (1 + math.Sqrt((h.scv-1)/(h.scv+1))) / 2
}

func (h hyper) draw(s *rng.Stream) float64 {
	p := h.phase()
	if s.Float64() >= p {
		p = 1 - p
	}
	return float64(h.m/(2*p)) * s.ExpFloat64()
}

func (h hyper) mean() float64 { return h.m }

func (h hyper) cdf(x float64) float64 {
	p := h.phase()
	tail := func(p float64) float64 { return p * fixmath.Exp(-x*2*p/h.m) }
	return 1 - tail(p) - tail(1-p)
}

// lognormalOf is the lognormal of that mean and squared coefficient of variation.
func lognormalOf(mean, scv, longest float64) mixture {
	s2 := fixmath.Log1p(scv)
	return mixture{[]lognormal{{1, math.Log(mean) - s2/2, math.Sqrt(s2)}}, longest}
}
