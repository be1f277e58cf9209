package dispatch

import (
	"tarry/env"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Dispatch-v0"

// The protocols.
const (
	fair = "fair"
	kais = "kais"
)

// Config is what the environment is made from.
type Config struct {
	model.Settings
	// Protocol is fair or kais.
	Protocol string
	// Load multiplies the rates of arrival, Turns is how many requests a cluster hands on in a slot; 0 =
	// the protocol's.
	Load  float64
	Turns int
	// Slots is the length of an episode.
	Slots int
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(), model.Rows()...)
}

func (c *Config) rows() []setting.Row {
	c.Protocol, c.Slots = fair, 400
	return []setting.Row{
		{Key: "protocol", To: &c.Protocol, Names: []string{fair, kais}, Doc: "fair: CPU comes back, reward by requests in " +
			"time | kais: the released demo of KaiS, with its observation and reward"},
		{Key: "load", To: &c.Load, High: 100, Doc: "requests over the published rate; 0 = 3, with protocol=kais 1"},
		{Key: "turns", To: &c.Turns, High: 1000, Doc: "requests that a cluster hands on in a slot; 0 = 4, with " +
			"protocol=kais 1"},
		{Key: "slots", To: &c.Slots, Low: 1, High: 1e6, Doc: "slots of 0.5 s in an episode"},
	}
}

// Read makes a Config of the settings in Rows.
func Read(s *param.Set) Config {
	var c Config
	setting.Read(s, c.rows())
	c.Settings = model.ReadSettings(s)
	load, turns := 3.0, 4
	if c.Protocol == kais {
		load, turns = 1, 1
	}
	if c.Load == 0 {
		c.Load = load
	}
	if c.Turns == 0 {
		c.Turns = turns
	}
	return c
}

// Make makes tarry/Dispatch-v0 with "key=value,..." of Rows.
func Make(_ scenario.Catalogues, options string) (env.Env, error) {
	return model.Make(ID, options, func(s *param.Set) model.Config[*Model] {
		c := Read(s)
		return c.model()
	})
}
