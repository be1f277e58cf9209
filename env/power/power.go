package power

import (
	"cmp"
	"fmt"

	"tarry/baselines/over"
	"tarry/env"
	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Power-v0"

// Reward is the default reward of an agent.
const Reward = "energy"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Every is the time between two decision epochs; > 0.
	Every sim.Time
	// LowestClock is the clock of the lowest action, relative to nominal; in (0, 1].
	LowestClock float64
	// host is a policy that has not begun, of which each run gets a copy; nil before New and AsPolicy.
	host over.Cloner
}

// Make makes tarry/Power-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// Read makes a Config of the settings in Rows.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, Defaults(), Reward)}
	c.ID = id
	var every float64
	setting.Read(s, c.rows(&every))
	c.Every = sim.Time(float64(every * float64(c.Lease())))
	return c
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is the base policy with a frozen agent for its machines and clocks, as a policy for
// sim.Run. The agent is asked from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// copies is what the base policies have.
const copies = "copies of its state"

func fits(p sim.Policy) bool {
	_, ok := p.(over.Cloner)
	return ok
}

// own checks what is the environment's own, and makes its base.
func (c *Config) own() error {
	switch {
	case c.Every <= 0:
		return fmt.Errorf("%s: the time between epochs is %v, expected > 0", c.id(), c.Every)
	case !(c.LowestClock > 0 && c.LowestClock <= 1):
		return fmt.Errorf("%s: the lowest clock is %v, expected a number in (0, 1]", c.id(), c.LowestClock)
	case c.Power == nil:
		return fmt.Errorf("%s: the run states no power, expected the setting power", c.id())
	}
	if err := hide.Check(groups(), c.Hide); err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	p, err := c.NewBase(copies, fits)
	if err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	c.host = p.(over.Cloner)
	return nil
}

// id is Config's, or else the only one.
func (c *Config) id() string { return cmp.Or(c.ID, ID) }

func (c *Config) spec(options string) env.Spec {
	seen := segments()
	of := env.Dict{}
	for _, s := range seen {
		box := env.NewBox(0, 1, len(s.Features))
		if s.Items > 1 {
			box = env.NewBox(0, 1, s.Items, len(s.Features))
		}
		of = append(of, env.Field{Name: s.Name, Space: box})
	}
	return env.Spec{ID: c.id(), Options: options, Action: env.NewBox(-1, 1, numActions), Observation: of,
		Layout: layout.Observation{Segments: hide.Mark(seen, groups(), c.Hide)},
		Guide:  layout.Guide{Action: c.actions()}}
}
