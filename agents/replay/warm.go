package replay

import (
	"fmt"

	"tarry/agents/learn"
)

// WarmStart is a learner's part in learning from demonstrations before its first update.
type WarmStart struct {
	Run *learn.Run
	// Steps is how many steps of each environment a rollout of the demonstrator has.
	Steps int
	// Take puts the demonstrator's action in environment i, which is in Envs.Actions, into Taken:
	// as it is kept.
	Take  func(i int)
	Taken []float64
	// Pass learns from so many minibatches of demonstrations, and adds their figures to the row:
	// PolicyLoss as it is reported, ValueLoss and GradNorm as sums.
	Pass func(row *learn.Row, rounds int) error
}

// Imitate has the demonstrator act in the environments, keeps all that it did, and makes cfg.Epochs
// passes over it. watch receives a row of each rollout and each pass; its error ends the warm
// start, and leaves the run as it is.
func (m *Memory) Imitate(w WarmStart, cfg learn.Imitation, demo learn.Demonstrator, watch func(learn.Row) error) error {
	if err := w.Run.Startable(&cfg); err != nil {
		return err
	}
	if m.Demos == nil {
		return fmt.Errorf("%s: imitation without settings for demonstrations, expected Config.Demo, such as "+
			"DefaultDemo", w.Run.Agent)
	}
	var stop error // of watch: no fault of the learner
	report := func(row learn.Row) error {
		row.Imitation = true
		stop = watch(row)
		return stop
	}
	err := m.Begin()
	if err == nil {
		m.Demos.Begin(m.envs.Batch)
		err = m.demonstrate(&w, &cfg, demo, report)
	}
	if err == nil {
		m.Buffer.Begin(m.envs.Batch)
		err = m.pretrain(&w, &cfg, report)
	}
	if err != nil && stop == nil {
		err = w.Run.Fail(fmt.Errorf("imitation: %w", err))
	}
	return err
}

// demonstrate fills rollouts until the demonstrator has shown enough.
func (m *Memory) demonstrate(w *WarmStart, cfg *learn.Imitation, demo learn.Demonstrator,
	report func(learn.Row) error) error {
	e := m.envs
	for rollout := 1; ; rollout++ {
		for range w.Steps {
			if err := e.Demonstrate(demo, w.Take); err != nil {
				return err
			}
			if err := m.step(); err != nil {
				return err
			}
			m.Demos.Add(w.Taken, e.Batch, e.Discount)
		}
		if err := report(w.Run.Blank(rollout, cfg.LearningRate)); err != nil || cfg.Enough(rollout, w.Run.Tally.Count) {
			return err
		}
	}
}

// pretrain learns from demonstrations alone.
func (m *Memory) pretrain(w *WarmStart, cfg *learn.Imitation, report func(learn.Row) error) error {
	rounds := (m.Demos.Len() + m.cfg.Batch - 1) / m.cfg.Batch
	for pass := range cfg.Epochs {
		row := w.Run.Blank(pass+1, cfg.LearningRate)
		row.PolicyLoss, row.ValueLoss, row.GradNorm = 0, 0, 0
		if err := w.Pass(&row, rounds); err != nil {
			return err
		}
		row.ValueLoss /= float64(rounds)
		row.GradNorm /= float64(rounds)
		if err := report(row); err != nil {
			return err
		}
	}
	return nil
}
