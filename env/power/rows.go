package power

import (
	"tarry/env/hide"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Defaults is the default scenario of the environment: as for a run, of machines whose watts are
// stated, with a price for each hour of a day.
func Defaults() scenario.Scenario {
	c := schedenv.Defaults()
	c.Power, c.KWhPrice = "v100", "day"
	return c
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(new(float64)), schedenv.RowsOver(Defaults(), Reward)...)
}

// rows has the time of Every in leases.
func (c *Config) rows(every *float64) []setting.Row {
	*every, c.LowestClock = 0.25, 0.5
	return []setting.Row{
		schedenv.BaseRow("the policy that decides who runs where, NAME or \"NAME:key=value,...\"", c.readBase),
		{Key: "every", To: every, Low: 1e-3, High: 1e4, Unit: "leases", Doc: "time between decision epochs"},
		{Key: "clock_min", To: &c.LowestClock, Low: 0.05, High: 1, Doc: "clock of the lowest action, relative to nominal"},
		hide.Row(groups(), &c.Hide),
	}
}

func (c *Config) readBase(s *param.Set) { c.ReadBase(s, copies, fits) }
