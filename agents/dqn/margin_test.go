package dqn

import (
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/learn"
	"tarry/agents/replay"
	"tarry/env/vec"
)

// The margin on three actions, by hand: the largest value with the margin of 0.8 on all but the
// demonstrated action, less the value of that; forbidden actions are no rivals.
func TestMarginByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		q     [3]float64
		mask  []bool
		own   int
		rival int
		loss  float64
	}{
		{"far ahead", [3]float64{2, 1, 0.5}, nil, 0, 0, 0},
		{"ahead by less than the margin", [3]float64{2, 1.5, 0.5}, nil, 0, 1, 0.3},
		{"behind", [3]float64{1, 3, 2}, nil, 2, 1, 1.8},
		{"the best other is forbidden", [3]float64{1, 3, 2}, []bool{true, false, true}, 2, 2, 0},
		{"the second other counts then", [3]float64{1.7, 3, 2}, []bool{true, false, true}, 2, 0, 0.5},
		{"no other is legal", [3]float64{1, 3, 2}, []bool{false, false, true}, 2, 2, 0},
	} {
		q := c.q
		k := rival(q[:], c.mask, c.own, 0.8)
		loss := c.q[k] - c.q[c.own]
		if k != c.own {
			loss += 0.8
		}
		if k != c.rival || math.Abs(loss-c.loss) > 1e-12 {
			t.Errorf("%s: the rival is %d with loss %g, want %d with %g", c.name, k, loss, c.rival, c.loss)
		}
	}
}

// Both losses together are the formula, by the hand-written pass, and their gradients are
// differences of that, for every sort of network; transitions that are not demonstrated have no
// margin.
func TestMarginByDifferences(t *testing.T) {
	for name, k := range kinds() {
		demo := Demo{Share: 0.5, Margin: 0.8, Weight: 1.7}
		k.cfg.Demo = &demo
		r := agenttest.Draws(name + "/margin")
		p, err := newPolicy(&k.cfg, "q", &k.spec, r)
		if err != nil {
			t.Fatal(name, err)
		}
		s, err := newStep(p, &k.cfg)
		if err != nil {
			t.Fatal(name, err)
		}
		missed := 0
		for range 3 {
			var trs []replay.Transition
			var ys []float64
			for i := range k.cfg.Batch {
				tr, y := noise(p, r), 2*r.NormFloat64()
				s.fill(i, &tr, y)
				s.demonstrate(i, &tr, p, i%2 == 0)
				trs, ys = append(trs, tr), append(ys, y)
			}
			plain := func() float64 {
				loss := 0.0
				for i, tr := range trs {
					p.net.Forward(p.q, tr.Obs, tr.Mask)
					own := int(tr.Action[0])
					one := (p.q[own] - ys[i]) * (p.q[own] - ys[i])
					if a := math.Abs(p.q[own] - ys[i]); k.cfg.Huber && a > 1 {
						one = a - 0.5
					} else if k.cfg.Huber {
						one /= 2
					}
					if i%2 == 0 {
						worst := p.q[own]
						for a, q := range p.q {
							if a != own && (tr.Mask == nil || tr.Mask[a]) {
								worst = max(worst, q+0.8)
							}
						}
						one += 1.7 * (worst - p.q[own])
					}
					loss += one / float64(len(trs))
				}
				return loss
			}
			got, err := s.machine.Run()
			if err != nil {
				t.Fatal(name, err)
			}
			if want := plain(); !(math.Abs(got-want) <= 1e-9*max(1, want)) {
				t.Fatalf("%s: loss is %.12g, by hand %.12g", name, got, want)
			}
			for i, miss := range s.machine.Series(watchMargin) {
				if miss > 0 {
					missed++
				}
				if i%2 == 1 && miss != 0 {
					t.Fatalf("%s: row %d is not demonstrated and has margin %g", name, i, miss)
				}
			}
			agenttest.Machine(t, s.machine, watchMargin+1)
			agenttest.Gradients(t, name, p.net.Params(), plain)
		}
		if missed == 0 {
			t.Errorf("%s: no margin was missed", name)
		}
		if err := s.machine.Close(); err != nil {
			t.Error(err)
		}
	}
}

// After a demonstrator random actions are as rare as at the end of a run without one.
func TestRandomAfterDemonstrations(t *testing.T) {
	cfg := Default()
	cfg.TotalSteps = 1000
	l := &Learner{cfg: cfg, run: learn.Run{Steps: 100}, memory: &replay.Memory{}}
	if got := l.random(); math.Abs(got-0.81) > 1e-12 {
		t.Errorf("without a demonstrator %g of the actions are random, want 0.81", got)
	}
	l.memory.Demos = replay.NewDemos(replay.Shape{Obs: 1, Action: 1}, 1)
	if got := l.random(); math.Abs(got-0.81) > 1e-12 {
		t.Errorf("before it has acted %g of the actions are random, want 0.81", got)
	}
	l.memory.Demos.Add([]float64{0}, &vec.Batch{Obs: []float64{0}, Reward: []float64{0}, Terminated: []bool{false},
		Truncated: []bool{false}}, []float64{1})
	if got := l.random(); got != 0.05 {
		t.Errorf("after a demonstrator %g of the actions are random, want 0.05", got)
	}
}
