package schedenv

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/scenario"
	"tarry/sim"
)

// Simulated is an environment whose agent takes part in the decisions of a scheduler of the
// simulator, such as Env and what is built on it: what was trained in it can be compared with
// schedulers, and schedulers can be tuned on its windows.
type Simulated interface {
	env.Env
	// Config states what the cluster is, where jobs come from, and what speed and costs they have.
	Config() Config
	// AsPolicy is the scheduler with a frozen agent inside, who gets the observations of the Spec,
	// as a policy for sim.Run; each call gives an independent one.
	AsPolicy(act Actor) sim.Policy
}

// Parametric is a Simulated environment of which an agent that is a vector of parameters
// (trait.Searchable) is a policy without observations: the same agent as through AsPolicy with
// Answer, faster, and without what an observation cuts off.
type Parametric interface {
	// AsParametric is the scheduler under a vector within its bounds, as a policy for sim.Run; each
	// call gives an independent one.
	AsParametric(params []float64) (sim.Policy, error)
}

// AsPolicy is the environment's Scheduler with a frozen agent inside, as a policy for sim.Run; each
// call gives an independent one. The agent is asked from Config.Begins on; Source, Horizon and
// Reward do not matter.
func (e *Env) AsPolicy(act Actor) sim.Policy {
	return AsPolicy(e.from.fresh(), act, e.cfg.Begins(), e.spec)
}

// JobSource gives Config.Source and Config.TraceSHA256.
func (e *Env) JobSource() (from Source, traceSHA256 string) { return e.cfg.Source, e.cfg.TraceSHA256 }

// Choices lists which predictors were chosen for the policy that is steered, nil = none.
func (e *Env) Choices(ctx context.Context) ([]*scenario.Choice, error) {
	return e.cfg.Choices(ctx, e.cfg.BaseName)
}

// Another makes a fresh environment on a part: the same configuration and Spec, with what Keep and
// Follow set. The two share what never changes, Source and Topology above all, and no window, run
// or random stream: a goroutine each may use them, if what a program put into Config itself serves
// many.
func (e *Env) Another(p Part) (env.Env, error) {
	cfg := e.cfg
	cfg.Part = p
	return New(cfg, e.spec, e.from.fresh)
}

// Keep sets how many windows stay in memory with their warm state, in place of Config.Keep: a
// caller that visits the same windows again and again has them warmed up once. It does not change
// results. 0 = 4; less than 0 counts as 0.
func (e *Env) Keep(n int) {
	e.cfg.Keep = max(0, n)
	e.from.kept.Keep(n)
}

// Trainable reports a horizon beside the reward gain: an episode that is cut off has no last job, so
// that its return is 0 whatever the agent does.
func (e *Env) Trainable() error {
	if e.cfg.Reward.Kind != "gain" {
		return nil
	}
	var errs []error
	for i := range max(1, len(e.cfg.Regimes)) {
		if of, _ := e.cfg.Of(i); of.Horizon > 0 {
			errs = append(errs, fmt.Errorf("horizon is %v leases with reward gain, expected 0 (window_jobs=N bounds a "+
				"window) or another reward, such as bsld: gain is given when the last job has ended, and a horizon cuts "+
				"the episode off before", float64(of.Horizon)/float64(e.cfg.Lease())))
		}
	}
	return errors.Join(errs...)
}

// Part is Config's.
func (e *Env) Part() Part { return e.cfg.Part }

// Windows is how many windows a part of the Source has.
func (e *Env) Windows(p Part) int { return e.cfg.Source.Windows(p) }

// WindowHash is the hash of a window's jobs.
func (e *Env) WindowHash(p Part, i int) (string, error) {
	w, err := e.cfg.Source.Window(p, i)
	if err != nil {
		return "", err
	}
	return w.Hash(), nil
}

// Base names the policy that is steered.
func (e *Env) Base() string { return cmp.Or(e.cfg.BaseName, "dally") }
