package schedenv

import (
	"slices"
	"strings"

	"tarry/baselines/dally"
	"tarry/env/scenario"
	"tarry/env/schedenv/charge"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// start is a Config with all defaults and a reward; "" = the first of Rewards.
func start(reward string) Config {
	if reward == "" {
		reward = kinds()[0]
	}
	of := charge.Prices()[0]
	if reward == "energy" { // where it is the default, so are prices
		of = "cost"
	}
	return Config{Dally: dally.Default(), Reward: Reward{Kind: reward, Gamma: 1,
		Energy: charge.Law{Weight: 1, Of: of, Over: 1}}}
}

// settings is the table of the settings that environments have beside a scenario's. The rows
// point into c, whose values are their defaults.
func (c *Config) settings() []setting.Row {
	return append([]setting.Row{
		{Key: "hide_work", To: &c.HideWork, Doc: "true: observations do not show how much work a job has left"},
		{Key: "reward", To: &c.Reward.Kind, Names: kinds(), Doc: strings.Join(kinds(), " | ")},
		{Key: "warmup", Read: c.readWarmup, Show: func() string { return warmups()[0] }, Names: warmups(),
			Doc: "agent | base: who decides in the warm-up where an agent is measured in whole runs (tarry eval, " +
				"sweeps, " +
				"Python): the agent, from the first job as rules do, or the base policy, which then no other " +
				"policy can " +
				"stand beside; episodes of training begin after a warm-up by the base policy in either case"},
		{Key: "gamma", To: &c.Reward.Gamma, Low: 1e-9, High: 1, Doc: "discount of the cost within a step, per lease"},
		{Key: "average", To: &c.Reward.AverageLeases, High: 1e9, Unit: "leases",
			Doc: "window of the average-reward correction; 0 = none"},
	}, c.Reward.Energy.Rows()...)
}

// warmups lists who may decide in the warm-up, the default first.
func warmups() []string { return []string{"agent", "base"} }

func (c *Config) readWarmup(s *param.Set) { c.WarmBase = s.Enum("warmup", warmups()...) == "base" }

// shorts are the settings of a scenario that have a short name in environments.
func shorts(from *scenario.Scenario) []setting.Row {
	return []setting.Row{
		{Key: "checkpoint_s", To: &from.Costs.Checkpoint.FixedS, High: 1e6, Unit: "s",
			Doc: "short for costs.checkpoint_s: time that a preempted job holds its GPUs"},
		{Key: "restore_s", To: &from.Costs.Restore.FixedS, High: 1e6, Unit: "s",
			Doc: "short for costs.restore_s: time before a preempted job makes progress again"},
	}
}

// readShorts reads them; a cost may not be given twice.
func readShorts(s *param.Set, from *scenario.Scenario) {
	rows := shorts(from)
	for _, r := range rows {
		if s.Has(r.Key) && (s.Has("costs."+r.Key) || s.Has("costs") && !s.Dotted("costs")) {
			s.FaultAt(r.Key, "%s is given with costs, expected one of the two", r.Key)
		}
	}
	setting.Read(s, rows)
}

// Rows are the settings that Read reads, for catalogues, with their defaults.
func Rows() []setting.Row { return RowsOver(Defaults(), "") }

// RowsV0 are the settings that readV0 reads.
func RowsV0() []setting.Row {
	from, file := DefaultsV0(), Defaults()
	rows := from.Flat()
	for _, r := range file.Settings() {
		if r.Key == "speed" || r.Key == "models" {
			setting.Find(rows, r.Key).Forms += "; " + r.Text() + " with a scenario file"
		}
	}
	return beside(rows, &from, "")
}

// RowsOver are the settings that ReadOver reads.
func RowsOver(from scenario.Scenario, reward string) []setting.Row {
	return beside(from.Flat(), &from, reward)
}

// beside adds the settings that environments have to the rows of a scenario.
func beside(rows []setting.Row, from *scenario.Scenario, reward string) []setting.Row {
	c := start(reward)
	return slices.Concat(rows, shorts(from), c.settings())
}

// BaseRow declares the option base, the policy over which an agent decides.
func BaseRow(doc string, read func(s *param.Set)) setting.Row {
	return setting.Row{Key: "base", Read: read, Show: func() string { return baseDally },
		Doc: doc}
}
