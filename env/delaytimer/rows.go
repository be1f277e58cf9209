package delaytimer

import (
	"slices"

	"tarry/env/hide"
	"tarry/env/schedenv"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// options are settings in the units in which they are given.
type options struct {
	every   float64
	mixture []string
}

// Rows are the settings of Make beside env/schedenv's.
func Rows() []setting.Row {
	var c Config
	var o options
	return slices.Insert(c.rows(&o), 1, schedenv.MixtureRow(&o.mixture))
}

// rows are the settings but the mixture, which is read before, with their defaults.
func (c *Config) rows(o *options) []setting.Row {
	o.every = 0.25
	return []setting.Row{
		schedenv.BaseRow("the policy whose timers are set, NAME or \"NAME:key=value,...\": one with delay timers, such "+
			"as dally and delay", c.readBase),
		{Key: "every", To: &o.every, Low: 1e-3, High: 1e4, Unit: "leases", Doc: "time between decision epochs"},
		{Key: "regime", To: &c.SeeRegime, Doc: "true: classes show what coarser places cost and the base policy's own " +
			"timers, the largest action waits forever, and policy search has parameters"},
		hide.Row(c.groups(), &c.Hide),
	}
}

func (c *Config) readBase(s *param.Set) {
	if c.Topology != nil {
		c.ReadBase(s, timers, c.steers)
	} else {
		s.Text("base", "") // known, but without a cluster it cannot be checked whether it fits
	}
}
