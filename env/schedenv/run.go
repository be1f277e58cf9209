package schedenv

import (
	"context"
	"fmt"

	"tarry/env"
	"tarry/sim"
)

// Engine is a simulator over a window of a part, before its first instant.
func (c *Config) Engine(p Part, window int) (*sim.Engine, *sim.Workload, error) {
	if n := c.Source.Windows(p); window < 0 || window >= n {
		return nil, nil, fmt.Errorf("window %d of part %s, expected 0..%d", window, p, n-1)
	}
	load, err := c.Source.Window(p, window)
	if err != nil {
		return nil, nil, err
	}
	of, _ := c.Of(window)
	speed, err := of.Speed()
	if err != nil {
		return nil, nil, err
	}
	part := *c
	part.Part = p
	cfg, err := part.run(window, load, speed)
	if err != nil {
		return nil, nil, err
	}
	e, err := sim.New(cfg)
	return e, load, err
}

// Run measures a policy over one window of the configured part, from its first job to its last.
func (c *Config) Run(ctx context.Context, window int, p sim.Policy, obs ...sim.Observer) (*sim.Engine, *sim.Workload,
	error) {
	if n := c.Source.Windows(c.Part); window < 0 || window >= n {
		return nil, nil, fmt.Errorf("window %d of part %s, expected 0..%d", window, c.Part, n-1)
	}
	load, err := c.Source.Window(c.Part, window)
	if err != nil {
		return nil, nil, err
	}
	of, _ := c.Of(window)
	speed, err := of.Speed()
	if err != nil {
		return nil, nil, err
	}
	cfg, err := c.run(window, load, speed)
	if err != nil {
		return nil, nil, err
	}
	e, err := sim.Run(ctx, cfg, p, obs...)
	return e, load, err
}

// Play lets an actor step through one episode and sums it up.
func Play(e env.Env, seed uint64, options string, act Actor) (env.Episode, error) {
	var sum env.Episode
	obs, info, err := e.Reset(&seed, options)
	action := make([]float64, e.Spec().Action.Len())
	for done := false; err == nil && !done; {
		act(obs, info.Mask, action)
		var s env.Step
		s, err = e.Step(action)
		obs, info, done = s.Obs, s.Info, s.Done()
		sum.Return += s.Reward
		sum.Elapsed += info.Elapsed
		sum.Steps++
	}
	return sum, err
}
