package pick

import (
	"tarry/baselines/picking"
	"tarry/env/schedenv"
	"tarry/sim/setting"
)

// options are settings in the words in which they are given.
type options struct {
	backfill, start, weights, reference string
	hidden                              int
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(new(options)), schedenv.RowsOver(Defaults(), Reward)...)
}

func (c *Config) rows(o *options) []setting.Row {
	rules := picking.Rules()
	*o = options{backfill: "none", start: rules[0], weights: "none", reference: rules[0]}
	c.Jobs = 128
	return []setting.Row{
		{Key: "jobs", To: &c.Jobs, Low: 2, High: 4096, Doc: "jobs in the list"},
		{Key: "backfill", To: &o.backfill, Names: []string{"none", "fcfs"}, Doc: "none | fcfs: while the picked job " +
			"waits, jobs that end before its earliest start, in order of arrival"},
		{Key: "start", To: &o.start, Names: rules, Doc: "where a search starts: sjf | fcfs | f1, as the orders of picked"},
		{Key: "hidden", To: &o.hidden, High: picking.MostHidden, Doc: "tanh units of the score in a search"},
		{Key: "weights", To: &o.weights, Doc: "a file from which a search starts, in place of start and hidden; none"},
		{Key: "reference", To: &o.reference, Names: rules,
			Doc: "what costs of a search are relative to, on the same window: sjf | fcfs | f1"},
	}
}
