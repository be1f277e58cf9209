package delaytimer

import (
	"cmp"
	"fmt"

	"tarry/env"
	"tarry/env/hide"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/setting"
)

// The ids of the two environments. Version 1 has the defaults of a run, version 0 keeps older ones
// (schedenv.DefaultsV0); all else is the same.
const (
	ID           = "tarry/DelayTimer-v0"
	IDDiscrete   = "tarry/DelayTimerDiscrete-v0"
	IDV1         = "tarry/DelayTimer-v1"
	IDDiscreteV1 = "tarry/DelayTimerDiscrete-v1"
)

// Config is what an environment is made from.
type Config struct {
	schedenv.Config
	// Every is the time between two decision epochs; > 0.
	Every sim.Time
	// base is a policy that has not begun, of which each run gets a copy; nil before New and
	// AsPolicy.
	base plan.Timed
	// Discrete is the twin that is asked for one class at a time.
	Discrete bool
	// SeeRegime adds features that distinguish networks and loads; the largest action is an endless
	// wait then.
	SeeRegime bool
}

// Make makes tarry/DelayTimer-v0 with "key=value,..." of Rows and env/schedenv.RowsV0, whose
// names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return parse(from, ID, options)
}

// MakeDiscrete makes tarry/DelayTimerDiscrete-v0 with the same settings.
func MakeDiscrete(from scenario.Catalogues, options string) (env.Env, error) {
	return parse(from, IDDiscrete, options)
}

// MakeV1 makes tarry/DelayTimer-v1 with "key=value,..." of Rows and env/schedenv.Rows.
func MakeV1(from scenario.Catalogues, options string) (env.Env, error) {
	return parse(from, IDV1, options)
}

// MakeDiscreteV1 makes tarry/DelayTimerDiscrete-v1 with the same settings.
func MakeDiscreteV1(from scenario.Catalogues, options string) (env.Env, error) {
	return parse(from, IDDiscreteV1, options)
}

func parse(from scenario.Catalogues, id, options string) (env.Env, error) {
	return schedenv.Make(from, id, options, Read, func(c Config, options string) (env.Env, error) {
		e, err := New(c, options)
		if err != nil || !c.SeeRegime || c.Discrete {
			return e, err
		}
		return &Env{Searched: schedenv.Searched[*played]{Env: e}, cfg: &c}, c.own() // New had a copy
	})
}

// Read makes a Config of the settings in Rows and env/schedenv.Rows, with the defaults of an id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	own := schedenv.ReadAs(s, from, id, id == ID || id == IDDiscrete)
	c := Config{Config: schedenv.ReadMixture(s, from, own), Discrete: id == IDDiscrete || id == IDDiscreteV1}
	var o options
	setting.Read(s, c.rows(&o))
	c.Every = sim.Time(float64(o.every * float64(c.Lease())))
	if len(c.Regimes) > 0 && c.Base != nil {
		s.FaultAt("mixture", "mixture with base %s, expected base dally: other timers may depend on the cluster",
			c.BaseName)
	}
	return c
}

// New makes an environment; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is the base policy with a frozen agent for its timers, as a policy for sim.Run. The
// agent sets the timers from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// timers is what the base policies have that an agent can steer.
const timers = "delay timers"

// steers reports whether a policy has timers that an agent can set.
func (c *Config) steers(p sim.Policy) bool {
	t, ok := p.(plan.Timed)
	return ok && c.Topology != nil && t.OwnTimers(c.Topology) != nil
}

// own checks what is the environment's own, and makes its base.
func (c *Config) own() error {
	if c.Every <= 0 {
		return fmt.Errorf("%s: the time between epochs is %v, expected > 0", c.id(), c.Every)
	}
	if err := hide.Check(c.groups(), c.Hide); err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	p, err := c.NewBase(timers, c.steers)
	if err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	c.base = p.(plan.Timed)
	return nil
}

// id is Config's, or else version 0's.
func (c *Config) id() string {
	if c.Discrete {
		return cmp.Or(c.ID, IDDiscrete)
	}
	return cmp.Or(c.ID, ID)
}

func (c *Config) spec(options string) env.Spec {
	cluster := env.Field{Name: "cluster", Space: env.NewBox(0, 1, len(schedenv.ClusterFeatures()))}
	seen := layout.Observation{Segments: hide.Mark(c.segments(), c.groups(), c.Hide), Acts: layout.OnEach}
	if c.Discrete {
		return env.Spec{ID: c.id(), Options: options, Action: env.Discrete{N: len(Pairs())}, Layout: seen,
			Guide:       c.guide(),
			Observation: env.Dict{cluster, {Name: "class", Space: env.NewBox(0, 1, c.width())}}}
	}
	return env.Spec{ID: c.id(), Options: options, Action: env.NewBox(-1, 1, Classes, 2), Layout: seen,
		Guide:       c.guide(),
		Observation: env.Dict{cluster, {Name: "classes", Space: env.NewBox(0, 1, Classes, c.width())}}}
}
