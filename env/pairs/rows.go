package pairs

import (
	"slices"

	"tarry/baselines/typed"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/schedenv/replay"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// every stands for all features.
const every = "all"

// options are settings in the words in which they are given.
type options struct {
	features, mixture []string
	cost              string
}

// Rows are the settings of Make beside env/schedenv's.
func Rows() []setting.Row {
	var c Config
	var o options
	return slices.Concat(c.rows(&o), typed.Rows(), []setting.Row{schedenv.MixtureRow(&o.mixture)})
}

func (c *Config) rows(o *options) []setting.Row {
	*o = options{features: []string{every}, cost: replay.Costs()[0]}
	c.Jobs = 128
	return []setting.Row{
		{Key: "jobs", To: &c.Jobs, Low: 1, High: 65536, Doc: "jobs in the list, each with a place for each GPU type"},
		{Key: "features", To: &o.features, Doc: "terms whose weights a search chooses, joined by +: terms with a " +
			"setting of their name below, or all; other terms keep their weights"},
		{Key: "cost", To: &o.cost, Names: replay.Costs(), Doc: "what a search makes small: jct, the mean completion " +
			"time | bsld, the mean bounded slowdown (10 s) | both, the root of their product; each over that under typed " +
			"with the settings below"},
	}
}

// Read makes a Config of the settings in Rows and env/schedenv.Rows, for an environment of the id.
func Read(s *param.Set, from scenario.Catalogues, id string) Config {
	c := Config{Config: schedenv.ReadMixture(s, from, schedenv.ReadAs(s, from, id, false))}
	var o options
	setting.Read(s, c.rows(&o))
	c.Cost = replay.Cost(slices.Index(replay.Costs(), o.cost))
	if c.Features = o.features; slices.Equal(o.features, []string{every}) {
		c.Features = typed.TermNames()
	}
	c.Typed = typed.Read(s)
	c.BaseName = c.Typed.String()
	return c
}
