package sac

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
)

// Imitate is a warm start from demonstrations (Nair et al., arXiv:1709.10089): the demonstrator acts in the
// training environments, what it did is kept for good, and in Epochs passes, drawn uniformly, the actor is
// drawn to its actions and the critics learn from its steps. It comes before the first update and is not part of
// TotalSteps, but its steps are counted on: they are among the LearningStarts, and no action is uniform
// after it. In training part of each minibatch is demonstrated, and the actor is drawn to those of its actions
// that the critics take to be better than its own. Actions at the bounds are taken a thousandth of half the range
// inside. Rows of the passes tell the mean squared distance as PolicyLoss.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(Row) error) error {
	if err := cfg.Check("sac", l.updates, l.failed); err != nil {
		return err
	}
	if l.demos == nil {
		return errors.New("sac: imitation without settings for demonstrations, expected Config.Demo, such as DefaultDemo")
	}
	var stop error // of whoever watches: no fault of the learner
	tell := func(row Row) error {
		stop = watch(row)
		return stop
	}
	err := l.reset()
	if err == nil {
		l.demos.Begin(l.batch)
		err = l.demonstrate(&cfg, demo, tell)
	}
	if err == nil {
		l.buffer.Begin(l.batch)
		err = l.pretrain(&cfg, tell)
	}
	if err != nil && stop == nil {
		err = fmt.Errorf("sac: imitation: %w", err)
		l.failed = err.Error()
	}
	return err
}

// share is how many transitions of a minibatch are demonstrated.
func (l *Learner) share() int {
	if l.demos.Held() == 0 {
		return 0
	}
	return replay.Share(l.cfg.Share, l.cfg.Batch)
}

// demonstrate fills rollouts until there were enough.
func (l *Learner) demonstrate(cfg *learn.Imitation, demo learn.Demonstrator, watch func(Row) error) error {
	spec, n := l.vec.Spec(), len(l.policy.raw)
	act := func(i int) error {
		action := l.actions[i*n : (i+1)*n]
		if err := demo.Ask(spec, i, l.batch.ObsOf(i), l.batch.MaskOf(i), action); err != nil {
			return err
		}
		l.policy.fromEnv(l.raw[i*n:(i+1)*n], action)
		return nil
	}
	return cfg.Demonstrate(l.cfg.Steps, l.cfg.Envs, act, func() error { return l.advance(l.demos) }, func(rollout int) (int, error) {
		err := watch(l.warmRow(rollout, cfg.LearningRate))
		return l.tally.Count, err
	})
}

// warmRow is a row of a warm start.
func (l *Learner) warmRow(number int, rate float64) Row {
	none := math.NaN()
	row := Row{Update: number, Steps: l.steps, LearningRate: rate, Imitation: true, PolicyLoss: none, ValueLoss: none, GradNorm: none,
		Entropy: none, OldKL: none, KL: none, ClipFraction: none, ExplainedVariance: none}
	l.tally.Tell(&row)
	return row
}

// pretrain learns from demonstrations alone: the critics as ever, the actor by the distance only. Temperature
// and deviation stay as they are.
func (l *Learner) pretrain(cfg *learn.Imitation, watch func(Row) error) error {
	rounds := (l.demos.Len() + l.cfg.Batch - 1) / l.cfg.Batch
	for e := range cfg.Epochs {
		row := l.warmRow(e+1, cfg.LearningRate)
		row.PolicyLoss, row.ValueLoss, row.GradNorm = 0, 0, 0
		for range rounds {
			l.fill(l.cfg.Batch)
			if err := l.learnCritics(&row, l.cfg.LearningRate); err != nil {
				return err
			}
			l.fillClone(l.cfg.Batch, 1, false)
			loss, _, err := l.descend(l.clone.machine, l.policy.actor.Params(), l.adamActor, cfg.LearningRate, "the distance from demonstrations", nil)
			if err != nil {
				return err
			}
			row.PolicyLoss += loss
			nn.Blend(l.critics.targets(), l.critics.params(), l.cfg.Tau)
		}
		row.PolicyLoss /= float64(rounds)
		row.ValueLoss /= float64(rounds)
		row.GradNorm /= float64(rounds)
		if err := watch(row); err != nil {
			return err
		}
	}
	return nil
}

// fillClone sets the inputs of the distance to the first demos rows of the minibatch, each of weight in their mean.
// With the filter, only those count whose action the target critics take to be better than the actor's without
// noise (Nair et al., equation 7).
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

// cloned computes the slope of the distance from the minibatch's demonstrated actions. What it gives adds that to
// the gradients of the actor, and tells the distance; nil if there are none.
func (l *Learner) cloned(demos int) (func() float64, error) {
	if demos == 0 || l.cfg.Weight == 0 {
		return nil, nil
	}
	l.fillClone(demos, l.cfg.Weight, true)
	loss, err := l.clone.machine.Run()
	if err != nil {
		return nil, err
	}
	params := l.policy.actor.Params()
	var slope []float64
	for _, p := range params {
		slope = append(slope, p.Grad...)
	}
	return func() float64 {
		at := 0
		for _, p := range params {
			for i := range p.Grad {
				p.Grad[i] += slope[at]
				at++
			}
		}
		return loss
	}, nil
}
