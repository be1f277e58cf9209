package mix

import (
	"cmp"
	"fmt"
	"strings"

	"tarry/baselines/mixture"
	"tarry/baselines/over"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// ID is the environment's.
const ID = "tarry/Mix-v0"

// Config is what the environment is made from, with protocol=fair.
type Config struct {
	schedenv.Config
	// Every is the length of a turn; > 0.
	Every sim.Time
	// Members are the policies that take turns, NAME or NAME:key=value,...; at least one.
	Members []string
	// Observe shows features of the cluster; false = a constant.
	Observe bool

	takers []over.Taker // the members, none of which has begun
}

// Make makes tarry/Mix-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, text string) (env.Env, error) {
	if s := param.Parse(ID, text); s.Text("protocol", fair) == improper {
		return model.Make(ID, text, improperConfig)
	}
	return schedenv.Make(from, ID, text, Read, New)
}

// Read makes a Config of the settings in Rows.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	var o options
	o.read(s)
	if o.protocol == improper {
		s.FaultAt("protocol", "protocol is %s, expected %s where an environment over the simulator is read", improper, fair)
	}
	c := Config{Config: schedenv.ReadMixture(s, from, schedenv.ReadAs(s, from, id, false)), Members: o.members,
		Observe: o.observe == ofCluster}
	c.Every = sim.Time(float64(o.every * float64(c.Lease())))
	c.BaseName = c.Members[0]
	return c
}

// Env is the environment; it is trait.Turned, too.
type Env struct {
	protocol.Inner
	cfg *Config
}

// New makes the environment; text is what its Spec states it was made from.
func New(c Config, text string) (*Env, error) {
	inner, err := c.protocol().Env(text)
	if err != nil {
		return nil, err
	}
	return &Env{protocol.Inner{Env: inner}, &c}, nil
}

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	inner, err := e.On(p)
	if err != nil {
		return nil, err
	}
	return &Env{inner, e.cfg}, nil
}

// Turns are the members and the length of their turns.
func (e *Env) Turns() (members []string, everyS float64) { return e.cfg.Members, e.cfg.Every.Seconds() }

// AsPolicy is the members with a frozen agent that names who decides, as a policy for sim.Run. Source,
// Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// own checks what is the environment's own, and makes the members.
func (c *Config) own() (err error) {
	if c.Every <= 0 || len(c.Members) < 2 {
		return fmt.Errorf("%s: turns of %v among %d members, expected more than 0 and 2 or more", c.id(), c.Every,
			len(c.Members))
	}
	parse := func(spec string, rule cluster.Rule) (sim.Policy, error) { return c.Policies.Build(spec, rule) }
	if c.takers, err = mixture.Read(parse, c.Members, cluster.BestFit); err != nil {
		return fmt.Errorf("%s: members: %w", c.id(), err)
	}
	return nil
}

// id is Config's, or else the only one.
func (c *Config) id() string { return cmp.Or(c.ID, ID) }

// actions states the actions in words.
func actions(members []string, what string) []layout.Feature {
	var b strings.Builder
	for i, name := range members {
		fmt.Fprintf(&b, "%d  %s decides %s\n", i, name, what)
	}
	return layout.Features(strings.TrimSpace(b.String()))
}

// constant is what an agent sees that finds a mixture.
func constant() layout.Segment {
	return layout.Segment{Name: "constant", Doc: "what is always the same", Items: 1,
		Features: layout.Features("one  1  number  always 1")}
}

func (c *Config) spec(text string) env.Spec {
	seen := constant()
	if c.Observe {
		seen = layout.Segment{Name: "cluster", Doc: "the cluster", Items: 1, Features: schedenv.ClusterFeatures()}
	}
	return env.Spec{ID: c.id(), Options: text, Action: env.Discrete{N: len(c.Members)},
		Observation: env.NewBox(0, 1, len(seen.Features)),
		Layout:      layout.Observation{Segments: []layout.Segment{seen}},
		Guide:       layout.Guide{Action: actions(c.Members, "the turn")},
		// Members differ by less than instances do: both sides of spsa play the same ones.
		Advice: env.Advice{"mixture": {"total_steps": 100_000, "gradient": "spsa", "sequences": 4, "rollouts": 2,
			"learning_rate": 5, "perturb": 0.5},
			"dqn": {"hidden": []int{32}, "buffer": 20_000}}}
}
