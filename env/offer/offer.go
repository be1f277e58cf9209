package offer

import (
	"errors"
	"fmt"

	"tarry/env"
	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/param"
)

// ID is the environment's.
const ID = "tarry/Offer-v0"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Recheck is the time after which a declined offer is made again if nothing else happens; > 0.
	Recheck sim.Time
}

// Options describes the settings of Make beside those of env/schedenv.
const Options = `recheck       time until a declined offer is made again, leases (0.25)
hide          groups of features held at 0, joined by +: cluster, places, queue, demand, history, work, network,
              offer, patience (none)`

// Make makes tarry/Offer-v0 with "key=value,..." of Options and env/schedenv.Options, whose names are those of from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	s := param.Parse(ID, options)
	c := Read(s, from)
	if err := s.Err(); err != nil {
		return nil, err
	}
	return New(c, options)
}

// Read makes a Config of the settings in Options and env/schedenv.Options.
func Read(s *param.Set, from scenario.Catalogues) Config {
	c := Config{Config: schedenv.Read(s, from)}
	c.Recheck = sim.Time(float64(s.Float("recheck", 0.25, 1e-3, 1e4) * float64(c.Lease())))
	c.Hide = hide.Read(s, groups())
	return c
}

// New makes the environment; options is what its Spec says it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	if err := errors.Join(c.Validate(), c.own()); err != nil {
		return nil, err
	}
	return schedenv.New(c.Config, spec(options), func() schedenv.Scheduler { return newScheduler(&c) })
}

// AsPolicy is Dally with a frozen agent in place of its timers, as a policy for sim.Run. The agent is asked
// from Config.Warm on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	if err := c.own(); err != nil {
		return nil, err
	}
	s := spec("")
	return schedenv.AsPolicy(newScheduler(&c), act, c.Warm, schedenv.SizesOf(&s)), nil
}

func (c *Config) own() error {
	if c.Recheck <= 0 {
		return fmt.Errorf("%s: the time until an offer is repeated is %v, expected > 0", ID, c.Recheck)
	}
	if err := hide.Check(groups(), c.Hide); err != nil {
		return fmt.Errorf("%s: %w", ID, err)
	}
	return nil
}

func spec(options string) env.Spec {
	return env.Spec{ID: ID, Options: options, Action: env.Discrete{N: 2}, Layout: layout.Observation{Segments: segments()},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, 1, len(schedenv.ClusterFeatures()))},
			{Name: "job", Space: env.NewBox(0, 1, features)},
		}}
}
