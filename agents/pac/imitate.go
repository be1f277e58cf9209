package pac

import (
	"tarry/agents/learn"
	"tarry/agents/nn"
)

// Imitate is the supervised start: the demonstrator acts in the training environments, the actor
// learns the likelihood of its actions and the critic its returns. It comes before the first update
// and is not part of TotalSteps. Steps are counted on; the learner can be saved when it has ended.
// Demonstrations do not enter the store.
func (l *Learner) Imitate(cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	adam := nn.NewAdam(l.params, l.cfg.AdamEps)
	return l.run.Imitate(&cfg, watch, func(int) (learn.Row, error) { return l.imitateOnce(adam, &cfg, demo) },
		func() { l.policy.Widen(l.cfg.LogStd) })
}

// imitateOnce has the demonstrator act for one update's steps and learns from the slots that ended.
func (l *Learner) imitateOnce(adam *nn.Adam, cfg *learn.Imitation, demo learn.Demonstrator) (learn.Row, error) {
	if _, err := l.envs.Begin(); err != nil {
		return learn.Row{}, err
	}
	p, store := l.policy, l.newStore(l.cfg.Envs*l.cfg.Steps)
	store.Begin(l.envs.Batch)
	take := func(i int) { p.FromEnv(l.raw[i*p.Action:(i+1)*p.Action], l.envs.ActionOf(i)) }
	for range l.cfg.Steps {
		if _, err := l.collect(store, func() error { return l.envs.Demonstrate(demo, take) }); err != nil {
			return learn.Row{}, err
		}
	}
	l.store.Begin(l.envs.Batch) // what is acted on next, which is the learner's own
	row := l.run.Blank(0, cfg.LearningRate)
	row.PolicyLoss, row.ValueLoss, row.Entropy, row.GradNorm = 0, 0, 0, 0
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
				l.update.fill(k, p, &tr, l.target(&tr), share)
				l.update.adv[k] = share // the likelihood itself
			}
			if err := l.descend(&row, adam, cfg.LearningRate); err != nil {
				return row, err
			}
			rounds++
		}
	}
	learn.Means(&row, rounds)
	row.Steps = l.run.Steps
	return row, nil
}
