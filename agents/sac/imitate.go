package sac

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
)

// Imitate is a warm start from demonstrations (Nair et al., arXiv:1709.10089): the demonstrator
// acts in the training environments, what it did is kept for good, and in Epochs passes, drawn
// uniformly, the actor is drawn to its actions and the critics learn from its steps. It comes
// before the first update and is not part of TotalSteps, but its steps are counted on: they are
// among the LearningStarts, and no action is uniform after it. In training part of each minibatch
// is demonstrated, and the actor is drawn to the demonstrated actions that the critics take to be
// better than its own. Actions at the bounds are taken a thousandth of half the range inside. Rows
// of the passes give the mean squared distance as PolicyLoss.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(Row) error) error {
	take := func(i int) {
		n := len(l.policy.raw)
		l.policy.fromEnv(l.raw[i*n:(i+1)*n], l.envs.ActionOf(i))
	}
	pass := func(row *Row, rounds int) error { return l.pretrain(row, rounds, cfg.LearningRate) }
	return l.memory.Imitate(replay.WarmStart{Run: &l.run, Steps: l.cfg.Steps, Take: take, Taken: l.raw, Pass: pass},
		cfg, demo, watch)
}

// pretrain learns from demonstrations alone: the critics as ever, the actor by the distance only.
// Temperature and deviation stay as they are.
func (l *Learner) pretrain(row *Row, rounds int, rate float64) error {
	for range rounds {
		l.fill(l.cfg.Batch)
		if err := l.learnCritics(row, l.cfg.LearningRate); err != nil {
			return err
		}
		l.fillClone(l.cfg.Batch, 1, false)
		loss, _, err := l.descend(l.clone.machine, l.actors, l.adamActor, rate, "the distance from demonstrations", 0,
			false)
		if err != nil {
			return err
		}
		row.PolicyLoss += loss
		nn.Blend(l.targets, l.judges, l.cfg.Tau)
	}
	row.PolicyLoss /= float64(rounds)
	return nil
}

// fillClone sets the inputs of the distance to the first demos rows of the minibatch, each of
// weight in their mean. With the filter, only those count whose action the target critics take to
// be better than the actor's without noise (Nair et al., equation 7).
func (l *Learner) fillClone(demos int, weight float64, filter bool) {
	p, c := l.policy, l.clone
	n := len(p.raw)
	copy(c.obs, l.actor.obs)
	clear(c.weight)
	for k := range demos {
		in := l.critics.row(k)
		copy(c.action[k*n:], in[p.obs:])
		if filter {
			copy(l.next, in[:p.obs])
			p.sample(l.next[p.obs:], in[:p.obs], nil)
			if l.critics.least(in) <= l.critics.least(l.next) {
				continue
			}
		}
		c.weight[k] = weight / float64(demos)
	}
}

// cloned computes the distance from the minibatch's demonstrated actions, and leaves its slope in
// l.slope; false if there are none.
func (l *Learner) cloned(demos int) (distance float64, some bool, err error) {
	if demos == 0 || l.cfg.Weight == 0 {
		return 0, false, nil
	}
	l.fillClone(demos, l.cfg.Weight, true)
	if distance, err = l.clone.machine.Run(); err != nil {
		return 0, false, err
	}
	l.slope = l.slope[:0]
	for _, p := range l.actors {
		l.slope = append(l.slope, p.Grad...)
	}
	return distance, true, nil
}

// add adds the slope of cloned to the gradients of the actor.
func (l *Learner) add() {
	at := 0
	for _, p := range l.actors {
		for i := range p.Grad {
			p.Grad[i] += l.slope[at]
			at++
		}
	}
}

// cloneLoss is how far the actor without noise is from demonstrated actions.
type cloneLoss struct {
	machine *nn.Machine
	obs     []float64 // row by row
	action  []float64 // in [-1,1]
	weight  []float64 // 0 for rows that are not counted
}

// newCloneLoss builds the graph: the sum over the minibatch of weight |tanh(mean) - action|^2 (Nair
// et al., arXiv:1709.10089, equation 5). The deviation has no part in it: a demonstrator's
// deviation would leave nothing to explore.
func newCloneLoss(cfg *Config, p *Policy) (*cloneLoss, error) {
	l := &cloneLoss{}
	t := nn.NewTape(cfg.Batch)
	var obs, action, weight nn.Node
	obs, l.obs = t.Matrix("obs", cfg.Batch, p.obs)
	action, l.action = t.Matrix("demonstrated", cfg.Batch, len(p.raw))
	weight, l.weight = t.Vector("weight")
	mean, _, _ := p.actor.Graph(t, obs) // its noise stays 0
	m, err := t.Compile(t.Sum(t.Mul(weight, t.SumRows(t.Square(t.Sub(mean, action))))))
	l.machine = m
	return l, err
}
