// Package gpei models the response as a Gaussian process and asks where the expected improvement is
// largest.
//
// Jones, Schonlau and Welch, Efficient Global Optimization, Journal of Global Optimization 13,
// 1998, equation 15; Matern kernel with nu = 5/2 and one length per parameter, as Snoek, Larochelle
// and Adams, Practical Bayesian Optimization, NIPS 2012, equation 6; lengths, noise and variance by
// the marginal likelihood (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
// equation 5.8).
//
// We differ: with noise there is no best value seen, so improvement is over the best posterior mean
// at a point that was measured; lengths and noise are taken from a fixed grid, coordinate by
// coordinate, with a weak log-normal prior on the lengths; the first points are of a random design;
// a point that was measured is not asked for again, although a response with jumps looks like
// noise. An ask costs n^3 for n points: fit for a few hundred.
package gpei

import (
	"math"
	"slices"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Params describes the settings.
const Params = `startup     random points before there is a model; 0 = 3 + 2 d
candidates  points at which the expected improvement is computed, half of them near the best`

type method struct {
	cfg                 search.Config
	startup, candidates int
}

// New reads the settings; s.Err has the faults.
func New(c search.Config, s *param.Set) (search.Method, error) {
	m := &method{cfg: c, startup: s.Int("startup", 0, 0, 10_000), candidates: s.Int("candidates", 300, 2, 1_000_000)}
	if m.startup == 0 {
		m.startup = 3 + 2*len(c.Space)
	}
	if c.Budget > maxPoints {
		s.Fault("budget is %d, expected at most %d: an ask costs its third power", c.Budget, maxPoints)
	}
	return m, s.Err()
}

// maxPoints bounds the matrices.
const maxPoints = 2000

func (m *method) Propose(known []search.Observation, draws *rng.Stream) []search.Ask {
	if n := len(known); n < m.startup {
		points := make([][]float64, m.startup-n)
		for i := range points {
			points[i] = m.cfg.Uniform(draws)
		}
		return m.cfg.Full(points...)
	}
	xs := make([][]float64, len(known))
	for i, k := range known {
		xs[i] = k.X
	}
	g := fit(m.cfg.Space, xs, standard(search.Costs(known)))
	if g == nil { // no covariance could be factorised: continue without a model
		return m.cfg.Full(m.cfg.Uniform(draws))
	}
	return m.cfg.Full(m.maximise(g, xs, search.Seen(known), draws))
}

// standard shifts and scales to mean 0 and standard deviation 1.
func standard(y []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		square += float64((v-mean)*(v-mean)) / float64(len(y))
	}
	sd := math.Sqrt(square)
	if !(sd > 0) {
		sd = 1
	}
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = (v - mean) / sd
	}
	return out
}

// maximise looks for the largest expected improvement: at random points, then around the best of
// them.
func (m *method) maximise(g *process, xs [][]float64, seen map[string]bool, draws *rng.Stream) []float64 {
	least, where := math.Inf(1), xs[0]
	for _, x := range xs {
		if mean, _ := g.at(x); mean < least {
			least, where = mean, x
		}
	}
	best, most := m.cfg.Uniform(draws), math.Inf(-1)
	try := func(x []float64) {
		x = m.cfg.Space.Snap(x)
		if seen[search.Key(x)] { // on the same windows its value is the same
			return
		}
		if e := improvement(g, x, least); e > most {
			best, most = x, e
		}
	}
	for range m.candidates / 2 {
		try(m.cfg.Uniform(draws))
	}
	centre := where
	for _, spread := range []float64{0.1, 0.03, 0.01, 0.003} {
		for range m.candidates / 8 {
			x := slices.Clone(centre)
			for i := range x {
				x[i] += float64(spread * draws.NormFloat64())
			}
			try(x)
		}
		centre = best
	}
	return best
}

// improvement is the expected improvement below least, by its logarithm: far away the value itself
// is 0.
func improvement(g *process, x []float64, least float64) float64 {
	mean, sd := g.at(x)
	if !(sd > 0) {
		return math.Inf(-1)
	}
	z := (least - mean) / sd
	return math.Log(sd) + logH(z)
}

// logH is log(density(z) + z distribution(z)) of the normal distribution.
func logH(z float64) float64 {
	density := fixmath.Exp(-0.5*z*z) / math.Sqrt(2*math.Pi)
	if h := density + float64(z*fixmath.NormalCDF(z)); z > -5 && h > 0 {
		return math.Log(h)
	}
	return -0.5*z*z - 0.5*math.Log(2*math.Pi) - 2*math.Log(math.Abs(z)) // the leading term of its expansion
}
