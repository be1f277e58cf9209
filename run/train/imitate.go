package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
)

// imitation sets the missing settings of a warm start.
func (s *Schedule) imitation() {
	if s.Imitate == "" {
		return
	}
	if s.ImitateEpisodes == 0 {
		s.ImitateEpisodes = 64
	}
	if s.ImitateEpochs == 0 {
		s.ImitateEpochs = 10
	}
	if s.ImitateRate == 0 {
		s.ImitateRate = 1e-3
	}
}

// checkImitation reports what stands in the way of a warm start.
func (c *Config) checkImitation() error {
	s := &c.Schedule
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if s.Imitate == "" {
		if s.ImitateEpisodes != 0 || s.ImitateEpochs != 0 || s.ImitateRate != 0 {
			bad("imitate_episodes, imitate_epochs and imitate_rate set how long to imitate, but not whom: expected " +
				"imitate=BASELINE")
		}
		return errors.Join(errs...)
	}
	if s.ImitateEpisodes < 0 || s.ImitateEpochs < 0 {
		bad("imitate_episodes is %d and imitate_epochs %d, expected at least 1", s.ImitateEpisodes, s.ImitateEpochs)
	}
	if !(s.ImitateRate > 0 && s.ImitateRate <= 1) {
		bad("imitate_rate is %v, expected a number from 0 to 1", s.ImitateRate)
	}
	if !c.entry.Imitates {
		bad("imitate is %s, but agent %s cannot imitate, expected one of the agents %s", s.Imitate, c.Agent,
			strings.Join(c.from.Agents.Imitators(), ", "))
	}
	e, err := c.make(trait.Train)
	if err != nil {
		return errors.Join(errs...) // Config.Validate reports it
	}
	if on, ok := env.Find[trait.Demonstrator](e); !ok {
		bad("imitate is %s, but environment %s has no demonstrator, expected one over the simulator",
			s.Imitate, e.Spec().ID)
	} else if err := on.Follow(s.Imitate); err != nil {
		bad("imitate is %s: %w", s.Imitate, err)
	}
	return errors.Join(append(errs, e.Close())...)
}

// demonstrations settles what is kept of a warm start, where an agent replays it: all settings with
// one, none without.
func (c *Config) demonstrations() error {
	on, ok := c.agent.(agents.Replayer)
	switch {
	case !ok: // also where the agent's settings are refused
		return nil
	case c.Imitate != "":
		c.agent = on.Demonstrated()
	case on.Demonstrates():
		return errors.New("demo_ settings set how to learn from demonstrations, but not whose: expected " +
			"imitate=BASELINE")
	}
	return nil
}

// followed makes the environments of a run, and notes each as one whose baseline can be asked.
func (r *run) followed(i int) (env.Env, error) {
	e, err := r.cfg.make(trait.Train)
	if err != nil {
		return nil, err
	}
	on, ok := env.Find[trait.Demonstrator](e)
	if !ok {
		return nil, errors.Join(fmt.Errorf("%s has no demonstrator", e.Spec().ID), e.Close())
	}
	if err := on.Follow(r.cfg.Imitate); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	r.teachers[i] = on
	return e, nil
}

// errEarly is ErrInterrupted before the first checkpoint.
type errEarly struct{}

func (errEarly) Error() string {
	return "training was interrupted within its imitation, which starts again"
}

func (errEarly) Unwrap() error { return ErrInterrupted }

// imitate gives a new run its warm start, with the first checkpoint at its end: one that is killed
// before starts it again, from the same seeds.
func (r *run) imitate(ctx context.Context) error {
	l, ok := r.learner.(agents.Imitator)
	if !ok {
		return fmt.Errorf("agent %s cannot imitate", r.cfg.Agent)
	}
	how := agents.Imitation{Episodes: r.cfg.ImitateEpisodes, Epochs: r.cfg.ImitateEpochs,
		LearningRate: r.cfg.ImitateRate}
	demo := func(i int, _ []float64, _ []bool, dst []float64) error { return r.teachers[i].Demonstrate(dst) }
	err := l.Imitate(how, demo, func(row agents.Row) error {
		if ctx.Err() != nil {
			return errEarly{}
		}
		if r.opt.Watch != nil {
			r.opt.Watch(Progress{Row: row, Updates: r.cfg.Updates(), Steps: r.cfg.Steps(), Validation: math.NaN(),
				Best: math.NaN()})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.judgeStart()
}

// judgeStart measures what the run begins with, which is the first that may be best.
func (r *run) judgeStart() error {
	got, err := r.val.mean(r.learner.Policy())
	if err != nil {
		return err
	}
	return r.keep(r.judge(got), true)
}
