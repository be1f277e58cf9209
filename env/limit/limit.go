package limit

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/env/schedenv/shares"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Limit-v0"

// The protocols.
const (
	fair   = "fair"
	decima = "decima"
)

// Config is what the environment over the simulator is made from.
type Config struct {
	schedenv.Config
	// Jobs is how many places the list has, > 0.
	Jobs int
	// Rule is the base policy, one of RuleNames.
	Rule string

	limits int          // how many limits an agent chooses from
	place  cluster.Rule // the zero value = best fit
}

// Make makes tarry/Limit-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	if param.Parse(ID, options).Text("protocol", fair) == decima {
		e, err := model.Make(ID, options, readPublished)
		if err != nil {
			return nil, err
		}
		return e, nil
	}
	return schedenv.Make(from, ID, options, Read, New)
}

// Read makes a Config of the settings of protocol=fair, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, shares.Defaults(), "")}
	c.ID = id
	var name string
	setting.Read(s, c.rows(&name))
	c.BaseName = "decima-like:rule=" + c.Rule
	var p publishedOptions
	protocol.Foreign(s, p.rows(), decima)
	return c
}

// New makes the environment over the simulator; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	if c.Topology != nil { // else a fault
		c.limits = len(levelsOf(c.Topology.GPUs()))
	}
	return c.protocol().Env(options)
}

// AsPolicy is the protocol with a frozen agent that chooses from a number of limits, as a policy for
// sim.Run. Source, Horizon and Reward do not matter.
func AsPolicy(c Config, limits int, act schedenv.Actor) (sim.Policy, error) {
	c.limits = limits
	return c.protocol().Policy(act, 0)
}

// ByRule is the protocol with the rule in the agent's place, as a policy.
func ByRule(c Config) (sim.Policy, error) {
	c.limits = 1
	return c.protocol().Policy(nil, sim.Never)
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

// own checks what is the environment's own.
func (c *Config) own() error {
	_, err := rules().Named(c.Rule)
	if err == nil {
		err = shares.Check(&c.Config, c.Jobs)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", ID, err)
	}
	return nil
}

// levelsOf are the limits on so many GPUs: 1, 2, 3, 4, 6, 8, 12, 16, 24, ... and all of them.
func levelsOf(gpus int) []int {
	out := []int{1}
	for n := 2; n < gpus; n *= 2 {
		if out = append(out, n); n+n/2 < gpus {
			out = append(out, n+n/2)
		}
	}
	if gpus > 1 {
		out = append(out, gpus)
	}
	return out
}

// levels are the limits on so many GPUs, as many as an agent chooses from; the base policy has all.
// On a cluster of another size than the agent's, the last is all GPUs.
func (c *Config) levels(gpus int) []int {
	out := levelsOf(gpus)
	if c.limits <= 1 || len(out) == c.limits {
		return out
	}
	for len(out) < c.limits {
		out = append(out, gpus)
	}
	out = out[:c.limits]
	out[c.limits-1] = gpus
	return out
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	var p publishedOptions
	return append(append(c.rows(new(string)), p.rows()...), schedenv.RowsOver(shares.Defaults(), "")...)
}

func (c *Config) rows(protocol *string) []setting.Row {
	*protocol, c.Jobs, c.Rule = fair, 16, RuleNames()[0]
	return []setting.Row{
		{Key: "protocol", To: protocol, Names: []string{fair, decima}, Doc: "fair: over the simulator | decima: the " +
			"published simulator of executors"},
		{Key: "jobs", To: &c.Jobs, Low: 1, High: 4096, Doc: "places of the list"},
		{Key: "rule", To: &c.Rule, Names: RuleNames(), Doc: "the base policy: a worker more goes to the job with " +
			rules().Doc()},
	}
}

func (c *Config) spec(options string) env.Spec {
	segments, n := c.segments(), c.limits
	return env.Spec{ID: ID, Options: options, Masked: true, Action: env.Discrete{N: c.Jobs * n},
		Layout: layout.Observation{Segments: segments, Acts: layout.OnOne, Choices: n, Present: true},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0..%d  %d place + limit: the job in that place has the "+
			"most GPUs that it can use, up to that one of the %d limits", c.Jobs*n-1, n, n))},
		Advice: advice(),
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, 1, len(segments[0].Features))},
			{Name: "jobs", Space: env.NewBox(0, 1, c.Jobs, len(segments[1].Features))},
		}}
}
