package offer

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
	"tarry/sim/setting"
)

// The ids of the environment. Version 1 has the defaults of a run, version 0 keeps older ones
// (schedenv.DefaultsV0); all else is the same.
const (
	ID   = "tarry/Offer-v0"
	IDV1 = "tarry/Offer-v1"
)

// Config is what the environment is made from.
type Config struct {
	schedenv.Config
	// Recheck is the time after which a declined offer is made again if nothing else happens; > 0.
	Recheck sim.Time
}

// Rows are the settings of Make beside env/schedenv's.
func Rows() []setting.Row {
	var c Config
	return c.rows(new(float64))
}

// rows has the time of Recheck in leases.
func (c *Config) rows(recheck *float64) []setting.Row {
	*recheck = 0.25
	return []setting.Row{
		{Key: "recheck", To: recheck, Low: 1e-3, High: 1e4, Unit: "leases",
			Doc: "time until a declined offer is made again"},
		hide.Row(groups(), &c.Hide),
	}
}

// Make makes tarry/Offer-v0 with "key=value,..." of Rows and env/schedenv.RowsV0, whose names
// are looked up in from.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, ID, options, Read, New)
}

// MakeV1 makes tarry/Offer-v1 with "key=value,..." of Rows and env/schedenv.Rows.
func MakeV1(from scenario.Catalogues, options string) (env.Env, error) {
	return schedenv.Make(from, IDV1, options, Read, New)
}

// Read makes a Config of the settings in Rows and env/schedenv.Rows, with the defaults of an id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadAs(s, from, id, id == ID)}
	var recheck float64
	setting.Read(s, c.rows(&recheck))
	c.Recheck = sim.Time(float64(recheck * float64(c.Lease())))
	return c
}

// New makes the environment; options is what its Spec states it was made from.
func New(c Config, options string) (*schedenv.Env, error) {
	return c.protocol().Env(options)
}

// AsPolicy is Dally with a frozen agent in place of its timers, as a policy for sim.Run. The agent
// is asked from Config.Begins on; the Source, Horizon and Reward do not matter.
func AsPolicy(c Config, act schedenv.Actor) (sim.Policy, error) {
	return c.protocol().Policy(act, c.Begins())
}

func (c *Config) protocol() protocol.Protocol {
	return protocol.Protocol{Config: &c.Config, Own: c.own, Spec: c.spec,
		Fresh: func() schedenv.Scheduler { return newScheduler(c) }}
}

func (c *Config) own() error {
	if c.Recheck <= 0 {
		return fmt.Errorf("%s: the time until an offer is repeated is %v, expected > 0", c.id(), c.Recheck)
	}
	if err := hide.Check(groups(), c.Hide); err != nil {
		return fmt.Errorf("%s: %w", c.id(), err)
	}
	return nil
}

// id is Config's, or else version 0's.
func (c *Config) id() string { return cmp.Or(c.ID, ID) }

func (c *Config) spec(options string) env.Spec {
	return env.Spec{ID: c.id(), Options: options, Action: env.Discrete{N: 2},
		Layout: layout.Observation{Segments: hide.Mark(segments(), groups(), c.Hide)}, Guide: layout.Guide{Action: actions()},
		Observation: env.Dict{
			{Name: "cluster", Space: env.NewBox(0, 1, len(schedenv.ClusterFeatures()))},
			{Name: "job", Space: env.NewBox(0, 1, features)},
		}}
}
