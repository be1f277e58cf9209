package pac

import (
	"fmt"

	"tarry/agents/learn"
	"tarry/agents/nn"
)

// Imitate is the supervised start: the demonstrator acts in the training environments, the actor
// learns the likelihood of its actions and the critic its returns. It comes before the first update
// and is not part of TotalSteps. Steps are counted on; the learner can be saved when it has ended.
// Demonstrations do not enter the store.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	if err := l.run.Startable(&cfg); err != nil {
		return err
	}
	adam := nn.NewAdam(l.params, l.cfg.AdamEps)
	defer l.policy.Widen(l.cfg.LogStd)
	for u, ended := 0, false; !ended; u++ {
		row, err := l.imitateOnce(adam, &cfg, demo)
		if err != nil {
			return l.run.Fail(fmt.Errorf("imitation %d: %w", u+1, err))
		}
		row.Update = u + 1
		if err := watch(row); err != nil {
			return err
		}
		ended = cfg.Enough(row.Update, row.Episodes)
	}
	l.store.Begin(l.envs.Batch)
	return nil
}

// imitateOnce has the demonstrator act for one update's steps and learns from the slots that ended.
func (l *Learner) imitateOnce(adam *nn.Adam, cfg *learn.Imitation, demo learn.Demonstrator) (learn.Row, error) {
	if _, err := l.envs.Begin(); err != nil {
		return learn.Row{}, err
	}
	store := l.newStore(l.cfg.Envs * l.cfg.Steps)
	store.Begin(l.envs.Batch)
	for range l.cfg.Steps {
		if _, err := l.collect(store, func() error { return l.demonstrated(demo) }); err != nil {
			return learn.Row{}, err
		}
	}
	row := l.run.Blank(0, cfg.LearningRate)
	row.Imitation, row.PolicyLoss, row.ValueLoss, row.Entropy, row.GradNorm = true, 0, 0, 0, 0
	order, rounds := store.Fill(nil), 0.0
	for range cfg.Epochs {
		l.draw.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for at := 0; at < len(order); at += l.cfg.Batch {
			part := order[at:min(at+l.cfg.Batch, len(order))]
			for k := range l.cfg.Batch {
				from, share := part[0], 0.0
				if k < len(part) {
					from, share = part[k], 1/float64(len(part))
				}
				tr := store.At(from)
				l.update.fill(k, l.policy, &tr, l.target(&tr), share)
				l.update.adv[k] = share // the likelihood itself
			}
			if err := l.descend(&row, adam, cfg.LearningRate); err != nil {
				return row, err
			}
			rounds++
		}
	}
	for _, mean := range []*float64{&row.PolicyLoss, &row.ValueLoss, &row.Entropy, &row.GradNorm} {
		*mean /= rounds
	}
	row.Steps = l.run.Steps
	l.run.Tally.Tell(&row)
	return row, nil
}

// demonstrated asks the demonstrator for the actions.
func (l *Learner) demonstrated(demo learn.Demonstrator) error {
	p, b := l.policy, l.envs.Batch
	for i := range l.cfg.Envs {
		to := l.envs.ActionOf(i)
		if err := demo.Ask(l.envs.Spec(), i, b.ObsOf(i), b.MaskOf(i), to); err != nil {
			return fmt.Errorf("environment %d: %w", i, err)
		}
		p.FromEnv(l.raw[i*p.Action:(i+1)*p.Action], to)
	}
	return nil
}
