package dqn

import (
	"errors"
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
)

// Imitate is a warm start from demonstrations (Hester et al., arXiv:1704.03732): the demonstrator acts in
// the training environments, what it did is kept for good, and the network learns from that alone in
// Epochs passes, drawn uniformly. It comes before the first update and is not part of TotalSteps, but
// its steps are counted on: they are among the LearningStarts. After it part of each minibatch is
// demonstrated, and the share of random actions is EpsEnd throughout. Rows of the passes tell the loss of the
// margins as PolicyLoss.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(Row) error) error {
	if err := cfg.Check("dqn", l.updates, l.failed); err != nil {
		return err
	}
	if l.demos == nil {
		return errors.New("dqn: imitation without settings for demonstrations, expected Config.Demo, such as DefaultDemo")
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
		err = fmt.Errorf("dqn: imitation: %w", err)
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
	spec := l.vec.Spec()
	act := func(i int) error {
		if err := demo.Ask(spec, i, l.batch.ObsOf(i), l.batch.MaskOf(i), l.actions[i:i+1]); err != nil {
			return err
		}
		l.indices[i] = l.actions[i] - l.policy.start
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

// pretrain learns from demonstrations alone; the target network follows as often, in minibatches, as in
// training, and at the end.
func (l *Learner) pretrain(cfg *learn.Imitation, watch func(Row) error) error {
	rounds := (l.demos.Len() + l.cfg.Batch - 1) / l.cfg.Batch
	every, made := max(1, l.cfg.TargetEvery/l.cfg.TrainEvery*l.cfg.GradientSteps), 0
	for e := range cfg.Epochs {
		row := l.warmRow(e+1, cfg.LearningRate)
		row.PolicyLoss, row.ValueLoss, row.GradNorm = 0, 0, 0
		for range rounds {
			if err := l.learn(&row, l.cfg.Batch, cfg.LearningRate); err != nil {
				return err
			}
			for _, miss := range l.step.machine.Series(watchMargin) {
				row.PolicyLoss += miss / float64(rounds*l.cfg.Batch)
			}
			if made++; made%every == 0 {
				nn.Blend(l.target.net.Params(), l.policy.net.Params(), l.cfg.Tau)
			}
		}
		row.ValueLoss /= float64(rounds)
		row.GradNorm /= float64(rounds)
		if err := watch(row); err != nil {
			return err
		}
	}
	nn.Blend(l.target.net.Params(), l.policy.net.Params(), 1)
	return nil
}
