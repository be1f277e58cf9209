package place

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/protocol"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Place-v0"

// The protocols.
const (
	fair      = "fair"
	published = "deepshare"
)

// Config is what the environment over the simulator is made from.
type Config struct {
	schedenv.Config
	// Candidates is how many waiting jobs are shown, > 0.
	Candidates int

	rule *rule // that answers in a policy; nil = an agent does, and before it the first rule
}

// Make makes tarry/Place-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	if param.Parse(ID, options).Text("protocol", fair) == published {
		return makePublished(options)
	}
	return schedenv.Make(from, ID, options, Read, New)
}

// Defaults is the default scenario with protocol=fair: 64 GPUs, whose jobs share links.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Cluster, c.Speed = "2x4x8", "contended"
	return c
}

// Read makes a Config of the settings in Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadOver(s, from, Defaults(), "")}
	c.ID = id
	var o options
	setting.Read(s, o.rows(&c))
	protocol.Foreign(s, o.publishedRows(), published)
	c.BaseName = policyName + ":rule=" + rules().Names()[0]
	return c
}

// New makes the environment over the simulator; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is the protocol with a frozen agent that places, as a policy for sim.Run. Source, Horizon
// and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

func (c *Config) own() error {
	if c.Candidates < 1 {
		return fmt.Errorf("%s: %d candidates, expected 1 or more", ID, c.Candidates)
	}
	return nil
}

// options are the settings of both protocols.
type options struct {
	Protocol string
	settings
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var o options
	var c Config
	return append(o.rows(&c), schedenv.RowsOver(Defaults(), "")...)
}

func (o *options) rows(c *Config) []setting.Row {
	o.Protocol, c.Candidates = fair, 3
	return append([]setting.Row{
		{Key: "protocol", To: &o.Protocol, Names: []string{fair, published}, Doc: "fair: over the simulator, with its " +
			"jobs, network and parts | deepshare: the rounds of DeepShare's simulator, which takes part, windows and " +
			"data_seed of the settings below, and none of the others"},
		{Key: "candidates", To: &c.Candidates, Low: 1, High: 1000, Doc: "waiting jobs that are shown (protocol=fair)"},
	}, o.publishedRows()...)
}

func (c *Config) spec(options string) env.Spec {
	segments := c.segments()
	return env.Spec{ID: ID, Options: options, Masked: true, Action: env.Discrete{N: segments[1].Items + 1},
		Layout: layout.Observation{Segments: segments, Acts: layout.OnOne},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf(`
0  start no more jobs at this instant; not while no job runs
1..%d  start the job of that candidate on its GPUs`, segments[1].Items))},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, 1, len(segments[0].Features))},
			{Name: "candidates", Space: env.NewBox(0, 1, segments[1].Items, len(segments[1].Features))},
		}}
}
