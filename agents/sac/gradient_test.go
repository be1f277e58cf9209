package sac

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/nn"
	"tarry/env"
)

// small is a policy with its critics, small enough for differences.
func small(t *testing.T, r *rand.Rand) (*Config, *Policy, [2]*nn.MLP) {
	t.Helper()
	cfg := Default()
	cfg.Hidden, cfg.Batch = []int{5}, 4
	p, err := newPolicy(&cfg, &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 3), Action: env.NewBox(-2, 4, 2)},
		r)
	if err != nil {
		t.Fatal(err)
	}
	return &cfg, p, [2]*nn.MLP{newCritic(&cfg, "critic1", p, r), newCritic(&cfg, "critic2", p, r)}
}

// TestCriticLossByDifferences holds the loss of both critics to the formula, by the hand-written
// pass, and its gradients to differences of that.
func TestCriticLossByDifferences(t *testing.T) {
	r := agenttest.Draws("critics")
	cfg, _, net := small(t, r)
	c, err := newCritics(cfg, net, net)
	if err != nil {
		t.Fatal(err)
	}
	plain := func() float64 {
		loss, q := 0.0, []float64{0}
		for k := range cfg.Batch {
			for _, n := range net {
				n.Forward(q, c.row(k), nil)
				loss += (q[0] - c.y[k]) * (q[0] - c.y[k]) / float64(cfg.Batch)
			}
		}
		return loss
	}
	for range 3 {
		draw(c.in, r)
		draw(c.y, r)
		got, err := c.machine.Run()
		if want := plain(); err != nil || !(math.Abs(got-want) <= 1e-9*want) {
			t.Fatalf("loss is %.12g, by hand %.12g, error %v", got, want, err)
		}
		agenttest.Machine(t, c.machine, watchQ+1)
		agenttest.Gradients(t, "critics", c.params(), plain)
	}
	if err := c.machine.Close(); err != nil {
		t.Error(err)
	}
}

// TestActorLossByDifferences does so for the actor, whose gradients come through the critics. The
// critics get none.
func TestActorLossByDifferences(t *testing.T) {
	r := agenttest.Draws("actor")
	cfg, p, net := small(t, r)
	l, err := newActorLoss(cfg, p, net)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range append(net[0].Params(), net[1].Params()...) {
		clear(w.Grad)
	}
	plain := func() float64 {
		loss, a, b, in := 0.0, []float64{0}, []float64{0}, make([]float64, 5)
		for k := range cfg.Batch {
			copy(in, l.obs[3*k:3*k+3])
			logp := p.actor.Draw(in[3:], in[:3], l.noise[2*k:2*k+2])
			net[0].Forward(a, in, nil)
			net[1].Forward(b, in, nil)
			loss += (l.alpha[k]*logp - min(a[0], b[0])) / float64(cfg.Batch)
		}
		return loss
	}
	for range 3 {
		draw(l.obs, r)
		draw(l.noise, r)
		for k := range l.alpha {
			l.alpha[k] = 0.3 + r.Float64()
		}
		for _, w := range p.actor.Params() { // away from the first weights, which are small
			for i := range w.W {
				w.W[i] += 0.3 * r.NormFloat64()
			}
		}
		got, err := l.machine.Run()
		if want := plain(); err != nil || !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
			t.Fatalf("loss is %.12g, by hand %.12g, error %v", got, want, err)
		}
		agenttest.Machine(t, l.machine, watchLogp+1)
		agenttest.Gradients(t, "actor", p.actor.Params(), plain)
	}
	for _, w := range append(net[0].Params(), net[1].Params()...) {
		for i, g := range w.Grad {
			if g != 0 {
				t.Fatalf("the actor's loss moves %s[%d] by %g", w.Name, i, g)
			}
		}
	}
	if err := l.machine.Close(); err != nil {
		t.Error(err)
	}
}

// The slope of the temperature's loss is its difference, and points towards more worth of entropy
// while there is too little.
func TestTemperatureLoss(t *testing.T) {
	const h = 1e-6
	for _, logp := range []float64{-3, 0, 2} {
		for _, logAlpha := range []float64{-4, 0, 1} {
			up, _ := temperatureLoss(logAlpha+h, logp, -1)
			down, _ := temperatureLoss(logAlpha-h, logp, -1)
			_, slope := temperatureLoss(logAlpha, logp, -1)
			if numeric := (up - down) / (2 * h); math.Abs(numeric-slope) > 1e-6 {
				t.Errorf("slope at %g, %g is %g, by differences %g", logAlpha, logp, slope, numeric)
			}
			if tooSharp := -logp < -1; tooSharp != (slope < 0) {
				t.Errorf("entropy %g against a target of -1 has slope %g", -logp, slope)
			}
		}
	}
}

// Actions are stretched over the Box, whatever its bounds, and stay in it.
func TestActionsAreBounded(t *testing.T) {
	cfg := Default()
	box := env.Box{Low: []float64{-0.1, 3}, High: []float64{0.7, 3.3}}
	p, err := newPolicy(&cfg, &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 1), Action: box},
		agenttest.Draws("box"))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 2)
	for _, raw := range []float64{-1, -0.5, 0, 0.5, 1} {
		if p.toEnv(got, []float64{raw, raw}); !box.Contains(got) || math.Abs(got[0]-(0.3+0.4*raw)) > 1e-12 ||
			math.Abs(got[1]-(3.15+0.15*raw)) > 1e-12 {
			t.Errorf("%g became %v", raw, got)
		}
	}
}
