package sac

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/nn"
)

// The distance from demonstrations is the formula, by the hand-written pass, and its gradients are
// differences of that; the deviation has none.
func TestCloneLossByDifferences(t *testing.T) {
	r := agenttest.Draws("clone")
	cfg, p, _ := small(t, r)
	l, err := newCloneLoss(cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	n := len(p.raw)
	for range 3 {
		draw(l.obs, r)
		for i := range l.action {
			l.action[i] = 2*r.Float64() - 1
		}
		for k := range l.weight {
			l.weight[k] = float64(k) // the first is not counted
		}
		plain := func() float64 {
			loss := 0.0
			for k := range cfg.Batch {
				p.sample(p.raw, l.obs[k*p.obs:(k+1)*p.obs], nil)
				for i, a := range p.raw {
					d := a - l.action[k*n+i]
					loss += l.weight[k] * d * d
				}
			}
			return loss
		}
		got, err := l.machine.Run()
		if want := plain(); err != nil || !(math.Abs(got-want) <= 1e-9*max(1, want)) {
			t.Fatalf("loss is %.12g, by hand %.12g, error %v", got, want, err)
		}
		agenttest.Machine(t, l.machine, 0)
		agenttest.Gradients(t, "clone", p.actor.Params(), plain)
	}
	params := p.actor.Params()
	last := params[len(params)-1] // the biases of mean and deviation
	for i, g := range last.Grad {
		if deviation := i >= n; deviation != (g == 0) {
			t.Errorf("%s[%d] has gradient %g", last.Name, i, g)
		}
	}
	if err := l.machine.Close(); err != nil {
		t.Error(err)
	}
}

// Actions of the Box and of the actor are the same, but that those at the bounds come inside: tanh
// can reach them.
func TestDemonstratedActionsComeInside(t *testing.T) {
	_, p, _ := small(t, agenttest.Draws("inside"))
	raw, back := make([]float64, 2), make([]float64, 2)
	for _, c := range []struct{ action, want float64 }{{-2, -0.999}, {1, 0}, {2.5, 0.5}, {3.999, 0.999}, {4, 0.999}} {
		p.fromEnv(raw, []float64{c.action, c.action})
		if p.toEnv(back, raw); math.Abs(raw[0]-c.want) > 1e-12 || math.Abs(back[1]-c.action) > 0.0031 {
			t.Errorf("%g became %v and %v again, want %g", c.action, raw, back, c.want)
		}
	}
}

// A demonstrated action counts only where the target critics take it to be better than the actor's
// own.
func TestFilter(t *testing.T) {
	r := agenttest.Draws("filter")
	cfg, p, net := small(t, r)
	c, err := newCritics(cfg, net, net)
	if err != nil {
		t.Fatal(err)
	}
	clone, err := newCloneLoss(cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	l := &Learner{cfg: *cfg, policy: p, critics: c, clone: clone,
		actor: &actorLoss{obs: make([]float64, cfg.Batch*p.obs)}, next: make([]float64, net[0].In())}
	worth := func(obs, action []float64) float64 {
		q, least := []float64{0}, math.Inf(1)
		for _, n := range net {
			n.Forward(q, append(append([]float64(nil), obs...), action...), nil)
			least = min(least, q[0])
		}
		return least
	}
	const demos = 3
	counted := map[bool]int{}
	for range 30 {
		draw(c.in, r)
		l.fillClone(demos, 1.5, true)
		for k := range cfg.Batch {
			in, want := c.row(k), 0.0
			own := make([]float64, len(p.raw))
			p.sample(own, in[:p.obs], nil)
			better := worth(in[:p.obs], in[p.obs:]) > worth(in[:p.obs], own)
			if k < demos && better {
				want = 1.5 / demos
			}
			if k < demos {
				counted[better]++
			}
			if math.Abs(clone.weight[k]-want) > 1e-15 {
				t.Fatalf("row %d has weight %g, want %g", k, clone.weight[k], want)
			}
		}
	}
	if counted[true] == 0 || counted[false] == 0 {
		t.Errorf("the test saw %v, expected both", counted)
	}
	for _, m := range []*nn.Machine{c.machine, clone.machine} {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
