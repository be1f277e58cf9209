package abi

import (
	"fmt"

	"tarry/env"
)

// Step takes the actions of the column action, one in each environment. All of them are looked at
// first: where one is refused, no environment has been stepped.
func (g *Group) Step() Status { return g.guarded(Failed, g.step) }

func (g *Group) step() error {
	if err := g.bound(); err != nil {
		return err
	}
	if err := g.check(); err != nil {
		return err
	}
	if err := g.turn(); err != nil {
		return err
	}
	for i := range g.envs {
		if err := g.stepOne(i); err != nil {
			if len(g.envs) > 1 {
				clear(g.state) // some have been stepped and some have not
			}
			return named(len(g.envs), i, err)
		}
	}
	return nil
}

// check refuses what no environment may see. Where there is one environment, it checks its action
// itself.
func (g *Group) check() error {
	for i := range g.envs {
		if g.state[i] == running {
			if len(g.envs) == 1 {
				return nil
			}
			if err := env.CheckAction(g.spec, g.last[i].Info.Mask, g.action(i)); err != nil {
				return named(len(g.envs), i, err)
			}
		} else if g.state[i] == fresh || g.request.Autoreset == Disabled {
			return named(len(g.envs), i, fmt.Errorf("%s: step: %w", g.spec.ID, env.ErrResetNeeded))
		}
	}
	return nil
}

// action returns the action of environment i.
func (g *Group) action(i int) []float64 {
	n := len(g.at.action) / len(g.envs)
	return g.at.action[i*n : (i+1)*n : (i+1)*n]
}

// stepOne steps environment i, or resets it where its episode has ended.
func (g *Group) stepOne(i int) error {
	b := g.at
	if g.state[i] == ended {
		b.reward[i], b.terminated[i], b.truncated[i] = 0, 0, 0
		return g.reset(i, nil, "")
	}
	s, err := g.envs[i].Step(g.action(i))
	if err != nil {
		if statusOf(err, Failed) == Failed {
			g.state[i] = fresh
		}
		return err
	}
	b.reward[i], b.terminated[i], b.truncated[i] = s.Reward, flag(s.Terminated), flag(s.Truncated)
	g.write(i, s)
	if !s.Done() {
		return nil
	}
	g.state[i] = ended
	if g.request.Autoreset != SameStep {
		return nil
	}
	g.keepFinal(i)
	return g.reset(i, nil, "")
}

// keepFinal copies what the last step of an episode led to, before the reset that follows it writes
// over it.
func (g *Group) keepFinal(i int) {
	b, n := g.at, len(g.envs)
	for _, c := range []struct{ to, from []float64 }{{b.obsFinal, b.obs}, {b.elapsedFinal, b.elapsed},
		{b.metricsFinal, b.metrics}} {
		k := len(c.from) / n
		copy(c.to[i*k:(i+1)*k], c.from[i*k:(i+1)*k])
	}
	k := len(b.mask) / n
	copy(b.maskFinal[i*k:(i+1)*k], b.mask[i*k:(i+1)*k])
}
