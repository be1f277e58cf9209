package racks

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/sets"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Racks-v0"

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Targets is how many racks are shown that a job may go to, > 0; Forwards how often a job is
	// forwarded at most, 0 = never.
	Targets, Forwards int

	rule *rule // that answers in a policy; nil = an agent does, and before it the first rule
}

// Make makes tarry/Racks-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// Defaults is the default scenario: four racks of 16 GPUs, whose jobs share slow links, and a load at
// which the queue of no rule but home grows without end.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Cluster, c.Speed = "4x4x4", "contended:rack=0.9,network=0.9"
	c.Cuts.Load = 0.7
	return c
}

// Read makes a Config of the settings in Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, Defaults(), "")}
	c.ID = id
	setting.Read(s, c.rows())
	c.BaseName = policyName + ":rule=" + rules().Names()[0]
	return c
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*Env, error) {
	inner, err := c.protocol().Env(options)
	if err != nil {
		return nil, err
	}
	return &Env{protocol.Inner{Env: inner}, &c}, nil
}

// AsPolicy is the schedulers with a frozen agent as their policy, for sim.Run. Source, Horizon and
// Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// most bounds Targets and Forwards.
const most = 100

func (c *Config) own() error {
	if c.Targets < 1 || c.Targets > most || c.Forwards < 0 || c.Forwards > most {
		return fmt.Errorf("%s: targets is %d and forwards is %d, expected 1..%d and 0..%d", ID, c.Targets, c.Forwards,
			most, most)
	}
	return nil
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(), schedenv.RowsOver(Defaults(), "")...)
}

// rows sets the defaults of the own settings and lists them.
func (c *Config) rows() []setting.Row {
	c.Targets, c.Forwards = 3, 2
	return []setting.Row{
		{Key: "targets", To: &c.Targets, Low: 1, High: most, Doc: "racks that are shown which a job may go to, the freest " +
			"first"},
		{Key: "forwards", To: &c.Forwards, High: most, Doc: "how often a job is forwarded at most; 0 = never"},
	}
}

// choices is how many choices a question has beside waiting.
func (c *Config) choices() int { return sets.N + c.Targets }

func (c *Config) spec(options string) env.Spec {
	segments := c.segments()
	last := len(segments) - 1
	var boxes env.Dict
	for _, s := range segments[:last] {
		boxes = append(boxes, env.Field{Name: s.Name, Space: env.NewBox(0, 1, len(s.Features))})
	}
	boxes = append(boxes, env.Field{Name: segments[last].Name,
		Space: env.NewBox(0, 1, segments[last].Items, len(segments[last].Features))})
	return env.Spec{ID: ID, Options: options, Masked: true, Action: env.Discrete{N: 1 + c.choices()},
		Layout: layout.Observation{Segments: segments, Acts: layout.OnOne}, Observation: boxes,
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf(`
0  let the job wait, and jobs of its demand behind it at this scheduler; not while no job runs
1..%d  start the job on that set of GPUs of the rack: packed, emptiest, fragments, quiet
%d..%d  forward the job to that rack, the one with most free GPUs first`, sets.N, forward, c.choices()))},
		// Questions of an instant are many and have no length: returns look over them.
		Advice: env.Advice{"ppo": {"envs": 16, "steps": 256, "gamma": 0.99, "lambda": 0.99, "learning_rate": 1e-3}}}
}
