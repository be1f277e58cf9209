package ppo

import (
	"fmt"
	"math"

	"tarry/agents/learn"
	"tarry/agents/nn"
	"tarry/internal/fixmath"
)

// Update makes one update: the complete algorithm. After an error the learner can still be saved,
// to look into it, but no longer be trained or resumed.
func (l *Learner) Update() (Row, error) { return l.run.Do(l.once) }

func (l *Learner) once() (Row, error) {
	learningRate, clipCoef := l.anneal()
	if err := l.collect(l.act); err != nil {
		return Row{}, err
	}
	l.estimate()
	row, err := l.optimize(l.update, l.adam, l.cfg.Epochs, learningRate, clipCoef)
	if l.cfg.AverageReward {
		row.RewardRate = l.rate.perTime()
	}
	return row, err
}

// anneal returns the learning rate and the clip range of this update.
func (l *Learner) anneal() (learningRate, clipCoef float64) {
	frac := 1 - float64(l.run.Updates)/float64(l.cfg.Updates()) // of the run that is left, from 1 down
	learningRate, clipCoef = l.cfg.LearningRate, l.cfg.Clip
	if l.cfg.Anneal { // detail 4: the learning rate falls to 0
		learningRate *= frac
	}
	if l.cfg.AnnealClip { // detail additional 1: the clip range falls to 0
		clipCoef *= frac
	}
	return learningRate, clipCoef
}

// collect fills the rollout: Steps steps of Envs environments side by side. The function act sets
// the raw actions of step t, and their log-probabilities.
func (l *Learner) collect(act func(t int) error) error {
	begun, err := l.begin()
	if err != nil {
		return err
	}
	l.renew(begun)
	r, p, e := l.r, l.policy, l.envs
	for t := range l.cfg.Steps { // detail 1: a vectorised architecture, rollouts of fixed length
		for i := range l.cfg.Envs {
			row := t*l.cfg.Envs + i
			copy(r.ObsOf(row), p.Scaled(e.Batch.ObsOf(i)))
			copy(r.MaskOf(row), e.Batch.MaskOf(i))
			if err := p.CheckMask(r.MaskOf(row)); err != nil {
				return fmt.Errorf("environment %d: %w", i, err)
			}
		}
		if err := act(t); err != nil {
			return err
		}
		for i := range l.cfg.Envs { // detail continuous 5: the bounded action is taken, the raw one is stored
			p.ToEnv(e.ActionOf(i), r.RawOf(t*l.cfg.Envs+i))
		}
		if err := e.Advance(); err != nil {
			return err
		}
		l.renew(false)
		if l.norm != nil && !l.cfg.AverageReward {
			l.norm.Step(e.Batch) // detail continuous 8: rewards are scaled; detail continuous 9: and clipped
		}
		r.Keep(t, e, p) // with V(final observation) where the episode was cut
	}
	r.Judge(e, p) // V(observation) of every row, and of what comes after the last
	return nil
}

// act draws the actions of step t from the policy.
func (l *Learner) act(t int) error {
	if l.noise != nil {
		l.actSteadily(t)
		return nil
	}
	obs, raw, mask := l.r.Step(t)
	first := t * l.cfg.Envs
	l.policy.ChooseRows(raw, obs, mask, l.draws.Rand, l.r.logProbs[first:first+l.cfg.Envs])
	return nil
}

// estimate sets advantages and returns.
func (l *Learner) estimate() {
	l.beforeGAE()
	GAE(l.r.Rollout, l.cfg.Lambda)
	l.afterGAE()
}

// GAE sets the advantages and returns of a rollout: generalised advantage estimation (Schulman et
// al., arXiv:1506.02438, equation 16), from the last row to the first:
//
//	delta(t) = reward(t) + gamma(t) V(t+1) - V(t)
//	advantage(t) = delta(t) + gamma(t) lambda advantage(t+1)
//	return(t) = advantage(t) + V(t)
//
// Nothing flows back over the end of an episode. An episode that was cut bootstraps from the value
// of its true last observation (Pardo et al., arXiv:1712.00378); one that terminated has nothing to
// come.
func GAE(r *learn.Rollout, lambda float64) { // detail 5: generalised advantage estimation
	for row := r.Rows() - 1; row >= 0; row-- {
		nextValue, nextAdvantage := 0.0, 0.0
		switch next := row + r.Envs; {
		case r.Terminated[row]: // nothing to come
		case r.Truncated[row]: // bootstrap, but no advantage from beyond the cut
			nextValue = r.FinalValues[row]
		case next < r.Rows():
			nextValue, nextAdvantage = r.Values[next], r.Advantages[next]
		default: // bootstrap at the end of the rollout
			nextValue = r.NextValues[next-r.Rows()]
		}
		gamma := r.Discounts[row]
		delta := r.Rewards[row] + float64(gamma*nextValue) - r.Values[row]
		r.Advantages[row] = delta + float64(float64(gamma*lambda)*nextAdvantage)
		r.Returns[row] = r.Advantages[row] + r.Values[row]
	}
}

// optimize goes over the rollout several times in minibatches, each with a step of Adam.
func (l *Learner) optimize(m *minibatch, adam *nn.Adam, epochs int, learningRate, clipCoef float64) (Row, error) {
	row := Row{LearningRate: learningRate, ExplainedVariance: learn.Explained(l.r.Returns, l.r.Values)}
	for i := range l.index {
		l.index[i] = i
	}
	steps := 0.0
	for range epochs {
		// detail 6: minibatches are parts of a shuffle of all rows, none left out, none twice
		l.shuffle.Shuffle(len(l.index), func(i, j int) { l.index[i], l.index[j] = l.index[j], l.index[i] })
		row.OldKL, row.KL = 0, 0
		for start := 0; start < len(l.index); start += m.rows {
			part := l.index[start:min(start+m.rows, len(l.index))]
			m.load(l.r, part, clipCoef)
			if l.cfg.NormAdvantage {
				m.normalize(len(part)) // detail 7: advantages are normalised per minibatch
			}
			loss, err := m.machine.Run()
			if err != nil {
				return row, err
			}
			gradNorm := nn.ClipNorm(l.params, l.cfg.MaxGradNorm) // detail 11: the norm of the whole gradient is clipped
			if !learn.Finite(gradNorm + loss) {
				return row, m.diverged(l.params, loss)
			}
			adam.Step(learningRate)
			m.report(&row, len(part), len(l.index), clipCoef, gradNorm)
			steps++
		}
		if l.cfg.TargetKL > 0 && row.KL > l.cfg.TargetKL { // detail additional 3: early stop by the KL divergence
			break
		}
	}
	learn.Means(&row, steps)
	row.ClipFraction /= steps
	return row, nil
}

// normalize gives the first used advantages mean 0 and deviation 1, and scales the padding alike.
// Imitation has none.
func (m *minibatch) normalize(used int) {
	if m.advantages == nil || used < 2 {
		return
	}
	mean, std := learn.MeanStd(m.advantages[:used])
	for i := range m.advantages {
		m.advantages[i] = (m.advantages[i] - mean) / (std + 1e-8)
	}
}

// newLoss builds the graph of the loss for minibatches of a number of rows: the clipped surrogate
// objective, equation 7 of Schulman et al. (arXiv:1707.06347), the loss of values and the entropy
// bonus, equation 9.
func newLoss(p *Policy, cfg *Config, rows int) (*minibatch, error) {
	t := nn.NewTape(rows)
	m := newMinibatch(t, p, rows)
	advantages := m.input(t, "advantage", &m.advantages)

	// detail 8: the clipped surrogate objective
	low, high := m.input(t, "ratio_low", &m.ratioLow), m.input(t, "ratio_high", &m.ratioHigh) // 1 -+ clipCoef
	ratio := t.Exp(m.logRatio)
	surrogate := t.Min(t.Mul(ratio, advantages), t.Mul(t.Clamp(ratio, low, high), advantages))
	policyLoss := t.Neg(m.mean(t, surrogate))

	// detail 9: the larger loss counts, of the value and of the value clipped to within clipCoef of
	// the old one
	values, returns := m.critic(t, p)
	valueLoss := t.Square(t.Sub(values, returns))
	if cfg.ClipValue {
		oldValues := m.input(t, "old_value", &m.oldValues)
		low, high := m.input(t, "value_low", &m.valueLow), m.input(t, "value_high", &m.valueHigh) // -+ clipCoef
		clipped := t.Add(oldValues, t.Clamp(t.Sub(values, oldValues), low, high))
		valueLoss = t.Max(valueLoss, t.Square(t.Sub(clipped, returns)))
	}
	return m.overall(t, policyLoss, m.mean(t, t.Scale(valueLoss, 0.5)), cfg)
}

// overall compiles the loss: policy loss + value_coef value loss - entropy_coef entropy.
func (m *minibatch) overall(t *nn.Tape, policyLoss, valueLoss nn.Node, cfg *Config) (*minibatch, error) {
	entropy := m.mean(t, m.actor.Entropy)
	m.watch(t, policyLoss, valueLoss, entropy)
	loss := t.Add(policyLoss, t.Scale(valueLoss, cfg.valueCoef()))
	if cfg.EntropyCoef > 0 { // detail 10: the overall loss, with an entropy bonus
		loss = t.Add(loss, t.Scale(entropy, -cfg.EntropyCoef))
	}
	var err error
	m.machine, err = t.Compile(loss)
	return m, err
}

// report adds the figures of a minibatch to the row.
func (m *minibatch) report(row *Row, used, total int, clipCoef, gradNorm float64) { // detail 12: debug variables
	row.PolicyLoss += m.machine.Watched(watchPolicy)
	row.ValueLoss += m.machine.Watched(watchValue)
	row.Entropy += m.machine.Watched(watchEntropy)
	row.GradNorm += gradNorm
	clipped := 0.0
	for _, logRatio := range m.machine.Series(watchLogRatio)[:used] {
		ratio := fixmath.Exp(logRatio)
		row.OldKL -= logRatio / float64(total)            // old_approx_kl: the mean of -log ratio
		row.KL += (ratio - 1 - logRatio) / float64(total) // approx_kl: the mean of ratio - 1 - log ratio
		if math.Abs(ratio-1) > clipCoef {
			clipped++
		}
	}
	row.ClipFraction += clipped / float64(used)
}
