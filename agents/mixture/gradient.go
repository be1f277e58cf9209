package mixture

import (
	"math"

	"tarry/sim/rng"
)

// space are the parameters that are learned: the members' constants, and with features one weight for
// each number of the observation and member. Parameter f*members + m belongs to input f, of which the
// last is the constant 1.
type space struct {
	members, inputs int // inputs counts the constant
}

func (c *Config) space(p *Policy) space {
	s := space{members: p.Sizes[0], inputs: 1}
	if c.Features {
		s.inputs += p.Obs
	}
	return s
}

func (s space) len() int { return s.members * s.inputs }

// input is a number of a decision's observation, or the constant.
func (s space) input(k *track, row, f int) float64 {
	if f == s.inputs-1 {
		return 1
	}
	return k.obs[row*(len(k.obs)/k.rows())+f]
}

// score writes the gradient of the log-probability of what was drawn.
func (s space) score(dst []float64, k *track, row int) {
	p := k.p[row*s.members : (row+1)*s.members]
	for f := range s.inputs {
		x := s.input(k, row, f)
		for m := range p {
			of := -p[m]
			if m == k.member[row] {
				of++
			}
			dst[f*s.members+m] = float64(of * x)
		}
	}
}

// move adds a step to the weights.
func (s space) move(p *Policy, step []float64, size float64) {
	w, b := p.weights()
	for i, x := range step[:s.len()-s.members] {
		w[i] += float64(size * x)
	}
	for m, x := range step[s.len()-s.members:] {
		b[m] += float64(size * x)
	}
}

// critic fits values that are linear in the inputs to the returns, by least squares.
func (s space) critic(tracks []*track, ridge float64) {
	n := s.inputs
	a, b := make([]float64, n*n), make([]float64, n)
	for _, k := range tracks {
		for row := range k.rows() {
			for f := range n {
				x := s.input(k, row, f)
				b[f] += float64(x * k.togo[row])
				for g := range n {
					a[f*n+g] += float64(x * s.input(k, row, g))
				}
			}
		}
	}
	solve(a, b, ridge)
	for _, k := range tracks {
		for row := range k.rows() {
			v := 0.0
			for f := range n {
				v += float64(b[f] * s.input(k, row, f))
			}
			k.value[row] = v
		}
	}
}

// normalise divides the advantages by their root mean square.
func normalise(tracks []*track) {
	squares, n := 0.0, 0
	for _, k := range tracks {
		for _, x := range k.adv {
			squares += float64(x * x)
			n++
		}
	}
	scale := 1 / (math.Sqrt(squares/float64(n)) + 1e-8)
	for _, k := range tracks {
		for i := range k.adv {
			k.adv[i] *= scale
		}
	}
}

// vanilla is the mean over decisions of advantage x score.
func (s space) vanilla(tracks []*track) []float64 {
	g, score, n := make([]float64, s.len()), make([]float64, s.len()), 0
	for _, k := range tracks {
		for row := range k.rows() {
			s.score(score, k, row)
			for i, x := range score {
				g[i] += float64(k.adv[row] * x)
			}
			n++
		}
	}
	for i := range g {
		g[i] /= float64(n)
	}
	return g
}

// natural is the inverse of the mean of score x score, times the vanilla gradient.
func (s space) natural(tracks []*track, ridge float64) []float64 {
	g, score, n := s.vanilla(tracks), make([]float64, s.len()), 0
	fisher := make([]float64, len(g)*len(g))
	for _, k := range tracks {
		for row := range k.rows() {
			s.score(score, k, row)
			for i, x := range score {
				for j, y := range score {
					fisher[i*len(g)+j] += float64(x * y)
				}
			}
			n++
		}
	}
	for i := range fisher {
		fisher[i] /= float64(n)
	}
	// A softmax has one direction that moves nothing, in which the mean of scores is singular.
	solve(fisher, g, max(ridge, 1e-9))
	return g
}

// signs draws a vector of 1 and -1.
func signs(n int, r *rng.Stream) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(2*r.IntN(2) - 1)
	}
	return out
}

// perturbed is the gradient of one perturbation: the difference of the mean returns of both sides over
// 2 c delta, in parts of their mean size if relative.
func perturbed(dst, delta []float64, c, plus, minus float64, relative bool) {
	slope := (plus - minus) / (2 * c)
	if relative {
		slope /= (math.Abs(plus)+math.Abs(minus))/2 + 1e-8
	}
	for i, d := range delta {
		dst[i] += slope / d
	}
}

// solve solves a x = b for a symmetric matrix of non-negative eigenvalues, in place; ridge times the
// mean of the diagonal is added to the diagonal. A pivot that is 0 gives 0.
func solve(a, b []float64, ridge float64) {
	n, trace := len(b), 0.0
	for i := range n {
		trace += a[i*n+i]
	}
	for i := range n {
		a[i*n+i] += ridge * trace / float64(n)
	}
	for i := range n {
		if a[i*n+i] <= 0 {
			continue
		}
		for r := i + 1; r < n; r++ {
			f := a[r*n+i] / a[i*n+i]
			for c := i; c < n; c++ {
				a[r*n+c] -= float64(f * a[i*n+c])
			}
			b[r] -= float64(f * b[i])
		}
	}
	for i := n - 1; i >= 0; i-- {
		for c := i + 1; c < n; c++ {
			b[i] -= float64(a[i*n+c] * b[c])
		}
		if a[i*n+i] <= 0 {
			b[i] = 0
			continue
		}
		b[i] /= a[i*n+i]
	}
}
