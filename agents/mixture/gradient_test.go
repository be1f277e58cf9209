package mixture

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/env"
	"tarry/internal/mixing"
	"tarry/sim/rng"
)

// drawn is a mixture with random weights, and rollouts of random observations.
func drawn(t *testing.T, name string, features, masked bool) (*Policy, space, []*track) {
	t.Helper()
	spec := &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 3), Action: env.Discrete{N: 4}, Masked: masked}
	r := agenttest.Draws(name)
	linear, err := policy.New(policy.Config{}, spec, r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPolicy(linear, spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Features: features}
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] = r.NormFloat64()
		}
	}
	var tracks []*track
	for range 3 {
		k := &track{}
		for range 40 {
			obs, mask, chances := make([]float64, 3), make([]bool, 4), make([]float64, 4)
			for i := range obs {
				obs[i] = r.NormFloat64()
			}
			if !masked {
				mask = nil
			}
			agenttest.Mask(mask, p.Sizes, r)
			p.Probabilities(chances, obs, mask)
			k.obs, k.p = append(k.obs, obs...), append(k.p, chances...)
			k.member, k.reward = append(k.member, mixing.Draw(chances, r.Float64())), append(k.reward, 0)
			k.adv, k.togo = append(k.adv, r.NormFloat64()), append(k.togo, r.NormFloat64())
			k.value = append(k.value, 0)
		}
		tracks = append(tracks, k)
	}
	return p, c.space(p), tracks
}

// The gradient is the gradient of the mean of advantage x log-probability, by differences.
func TestGradientByDifferences(t *testing.T) {
	for _, features := range []bool{false, true} {
		p, s, tracks := drawn(t, "differences", features, false)
		g := s.vanilla(tracks)
		chances := make([]float64, 4)
		objective := func() (sum float64) {
			n := 0
			for _, k := range tracks {
				for row := range k.rows() {
					p.Probabilities(chances, k.obs[row*3:(row+1)*3], nil)
					sum += k.adv[row] * math.Log(chances[k.member[row]])
					n++
				}
			}
			return sum / float64(n)
		}
		for i := range g {
			const h = 1e-6
			one := make([]float64, len(g))
			one[i] = 1
			s.move(p, one, h)
			up := objective()
			s.move(p, one, -2*h)
			want := (up - objective()) / (2 * h)
			s.move(p, one, h)
			if math.Abs(g[i]-want) > 1e-7 {
				t.Errorf("features %v: gradient %d is %v, by differences %v", features, i, g[i], want)
			}
		}
	}
}

// The natural gradient times the mean of score x score is the gradient.
func TestNaturalGradient(t *testing.T) {
	_, s, tracks := drawn(t, "natural", true, true)
	g, natural, score, back, n := s.vanilla(tracks), s.natural(tracks, 1e-9), make([]float64, s.len()),
		make([]float64, s.len()), 0
	for _, k := range tracks {
		for row := range k.rows() {
			s.score(score, k, row)
			dot := mixing.Mean(score, natural)
			for i, x := range score {
				back[i] += x * dot
			}
			n++
		}
	}
	for i := range g {
		if got := back[i] / float64(n); math.Abs(got-g[i]) > 1e-6 {
			t.Errorf("parameter %d: %v comes back from the natural gradient, expected %v", i, got, g[i])
		}
	}
}

// With one state the natural gradient is the mean advantage of each member over the mean of all, but
// for a constant: the closed form of a softmax.
func TestNaturalGradientByHand(t *testing.T) {
	k := &track{p: []float64{0.25, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.75}, member: []int{0, 1, 1, 1},
		reward: make([]float64, 4), adv: []float64{2, 1, -1, 0}}
	g := space{2, 1}.natural([]*track{k}, 1e-9)
	if d := g[0] - g[1]; math.Abs(d-2) > 1e-6 {
		t.Errorf("%v: the first member is %v ahead, expected its mean advantage, 2, less the other's, 0", g, d)
	}
}

// The mean of perturbations is the gradient of a linear function, exactly over all signs.
func TestPerturbed(t *testing.T) {
	slope, g := []float64{3, -1, 0.5}, make([]float64, 3)
	for k := range 8 {
		delta, plus := make([]float64, 3), 0.0
		for i := range delta {
			delta[i] = float64(2*(k>>i&1) - 1)
			plus += slope[i] * 0.1 * delta[i]
		}
		perturbed(g, delta, 0.1, 7+plus, 7-plus, false)
	}
	for i := range g {
		if math.Abs(g[i]/8-slope[i]) > 1e-12 {
			t.Errorf("gradient %d is %v, expected %v", i, g[i]/8, slope[i])
		}
	}
	ones := map[float64]bool{}
	for _, d := range signs(50, rng.Source{}.Stream("signs")) {
		ones[d] = true
	}
	if len(ones) != 2 || !ones[1] || !ones[-1] {
		t.Errorf("signs are %v", ones)
	}
}

// The critic is the least-squares fit: its residuals are orthogonal to every input.
func TestCritic(t *testing.T) {
	_, s, tracks := drawn(t, "critic", true, false)
	s.critic(tracks, 0)
	for f := range s.inputs {
		sum := 0.0
		for _, k := range tracks {
			for row := range k.rows() {
				sum += s.input(k, row, f) * (k.togo[row] - k.value[row])
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("residuals times input %d sum to %v", f, sum)
		}
	}
}

// Advantages by hand: rewards 1, 2 over times 1, 2, discount 1/2, values 3, 4.
func TestReturnsByHand(t *testing.T) {
	k := &track{reward: []float64{1, 2}, gone: []float64{1, 2}}
	k.finish(0.5)
	copy(k.value, []float64{3, 4})
	k.judge(0.5, 0.5)
	if k.togo[0] != 2 || k.togo[1] != 2 || k.adv[1] != -2 || k.adv[0] != 1+0.5*4-3+0.25*-2 {
		t.Errorf("returns %v, advantages %v", k.togo, k.adv)
	}
}
