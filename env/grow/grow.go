package grow

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
const ID = "tarry/Grow-v0"

// The protocols.
const (
	fair        = "fair"
	dl2Protocol = "dl2"
)

// Config is what the environment over the simulator is made from.
type Config struct {
	schedenv.Config
	// Jobs is how many places the list has, > 0.
	Jobs int
	// Every is the time after which GPUs are shared anew though nothing happened; 0 = never.
	Every sim.Time
	// Rule is the base policy, one of RuleNames.
	Rule string

	policy bool         // it is a policy's, outside of an environment
	place  cluster.Rule // the zero value = best fit
}

// Make makes tarry/Grow-v0 with "key=value,..." of Rows, whose names are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	if param.Parse(ID, options).Text("protocol", fair) == dl2Protocol {
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
	var o options
	setting.Read(s, c.rows(&o))
	c.Every = sim.Seconds(o.everyS)
	c.BaseName = "dl2:rule=" + c.Rule
	var p publishedOptions
	protocol.Foreign(s, p.rows(), dl2Protocol)
	return c
}

// New makes the environment over the simulator; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is the protocol with a frozen agent, as a policy for sim.Run. Source, Horizon and Reward do
// not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, 0)
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
	if err == nil && c.Every < 0 {
		err = fmt.Errorf("every is %v, expected 0 or more", c.Every)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", ID, err)
	}
	return nil
}

// options are settings in the words in which they are given.
type options struct {
	protocol string
	everyS   float64
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	var p publishedOptions
	rows := append(append(c.rows(new(options)), p.rows()...), schedenv.RowsOver(shares.Defaults(), "")...)
	setting.Find(rows, "reward").Doc += "; with protocol=dl2 slot (the default) | jct"
	return rows
}

func (c *Config) rows(o *options) []setting.Row {
	*o = options{protocol: fair}
	c.Jobs, c.Rule = 16, RuleNames()[0]
	return []setting.Row{
		{Key: "protocol", To: &o.protocol, Names: []string{fair, dl2Protocol}, Doc: "fair: over the simulator | dl2: the " +
			"published cluster of workers and parameter servers"},
		{Key: "jobs", To: &c.Jobs, Low: 1, High: 4096, Doc: "places of the list"},
		{Key: "every", To: &o.everyS, High: 1e9, Unit: "s", Doc: "time after which GPUs are shared anew though nothing " +
			"happened; 0 = never"},
		{Key: "rule", To: &c.Rule, Names: RuleNames(), Doc: "the base policy: a worker goes to the job with " +
			rules().Doc()},
	}
}

// mostInput bounds what is observed.
const mostInput = 1

func (c *Config) spec(options string) env.Spec {
	segments := c.segments()
	return env.Spec{ID: ID, Options: options, Masked: true, Action: env.Discrete{N: 1 + c.Jobs},
		Layout: layout.Observation{Segments: segments, Acts: layout.OnOne, Present: true},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0  the epoch ends: the counts stand\n"+
			"1..%d  one worker more for the job in that place, its least count if it has none", c.Jobs))},
		// Many answers of an epoch share what comes of it.
		Advice: env.Advice{"ppo": {"gamma": 1, "lambda": 0.97, "steps": 256}},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, mostInput, len(segments[0].Features))},
			{Name: "jobs", Space: env.NewBox(0, mostInput, c.Jobs, len(segments[1].Features))},
		}}
}
