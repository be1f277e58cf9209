package dqn

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/agents/replay"
)

// Imitate is a warm start from demonstrations (Hester et al., arXiv:1704.03732): the demonstrator
// acts in the training environments, what it did is kept for good, and the network learns from that
// alone in Epochs passes, drawn uniformly. It comes before the first update and is not part of
// TotalSteps, but its steps are counted on: they are among the LearningStarts. After it part of
// each minibatch is demonstrated, and the share of random actions is EpsEnd throughout. Rows of the
// passes give the loss of the margins as PolicyLoss.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(Row) error) error {
	take := func(i int) { l.indices[i] = l.envs.Actions[i] - l.policy.start }
	every, made := max(1, l.cfg.TargetEvery/l.cfg.TrainEvery*l.cfg.GradientSteps), 0
	pass := func(row *Row, rounds int) error { // the target network follows as often, in minibatches, as in training
		for range rounds {
			if err := l.learn(row, l.cfg.Batch, cfg.LearningRate); err != nil {
				return err
			}
			for _, miss := range l.step.machine.Series(watchMargin) {
				row.PolicyLoss += miss / float64(rounds*l.cfg.Batch)
			}
			if made++; made%every == 0 {
				nn.Blend(l.target.net.Params(), l.policy.net.Params(), l.cfg.Tau)
			}
		}
		return nil
	}
	err := l.memory.Imitate(replay.WarmStart{Run: &l.run, Steps: l.cfg.Steps, Take: take, Taken: l.indices,
		Pass: pass}, cfg, demo, watch)
	if err == nil {
		nn.Blend(l.target.net.Params(), l.policy.net.Params(), 1)
	}
	return err
}
