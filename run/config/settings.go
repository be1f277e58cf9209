package config

import (
	"math"
	"strings"

	"tarry/output/results"
	"tarry/run/measure"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Settings is the table of a run's settings, in the order of the resolved configuration: the
// scenario's settings, and the run's own among them. The rows point into c, whose values are their
// defaults.
func (c *Config) Settings() []setting.Row {
	rows := c.Scenario.Settings()
	for _, g := range c.own() {
		rows = setting.After(rows, g.after, g.rows...)
	}
	return rows
}

// group is some of the run's own settings, which stand behind the setting of a scenario.
type group struct {
	after string
	rows  []setting.Row
}

// own are the settings that a scenario has not.
func (c *Config) own() []group {
	return []group{{"deadlines", c.actorRows()}, {"costs", []setting.Row{
		{Key: "preset", To: &c.Preset, Always: true, Doc: "a named set of settings; the file and the flags " +
			"override it", See: "presets", Empty: "none",
			Flag: "preset", Meta: "NAME", Set: func(string) error { return nil }}, // a preset goes before all else
	}}, {"mark_every_s", c.repeatRows()}, {"cuts", c.outputRows()}}
}

// actorRows are the settings of who decides, and for whom.
func (c *Config) actorRows() []setting.Row {
	return []setting.Row{
		{Key: "tenants", Group: setting.Tenants,
			Page: "reference/tenants.md", Flag: "tenants", To: &c.Tenants, Empty: "none", Words: measure.Tenants(),
			Meta: "WHO",
			Doc:  "measure fairness among tenants", Forms: "user, vc or group of the jobs"},
		{Key: "policies", To: &c.Policies, Read: c.readPolicies,
			Doc:   "the schedulers; the flag is --policy, repeatable",
			Forms: "NAME or NAME:key=value,...", See: "policies"},
		{Key: "policy", Read: func(*param.Set) {}, Never: true, Doc: "another name of policies, for one",
			Forms: "NAME or NAME:key=value,..."},
		{Key: "placement", Group: setting.Machines,
			Flag: "placement", To: &c.Placement, Names: []string{"best-fit", "first-found"},
			Always: true, Meta: "RULE",
			Doc: "how GPUs that fit are chosen", Forms: "best-fit or first-found"},
	}
}

// readPolicies reads one policy or several.
func (c *Config) readPolicies(s *param.Set) {
	c.Policies = s.Texts("policies", c.Policies)
	if s.Has("policy") && s.Has("policies") {
		s.FaultAt("policy", "policy and policies are both given, expected one of them")
	}
	c.Policies = s.Texts("policy", c.Policies)
}

// repeatRows are the settings of repetitions, and of what policies receive.
func (c *Config) repeatRows() []setting.Row {
	return []setting.Row{
		{Key: "seed", Flag: "seed", To: &c.Seed, High: math.MaxInt64, Always: true, Meta: "SEED",
			Doc: "root of all random draws"},
		{Key: "replicates", Flag: "replicates", To: &c.Replicates, Low: 1, High: 1_000_000, Meta: "N",
			Doc: "repetitions: each has new random jobs of a generator, or its own window of a trace"},
		{Key: "window_starts", Read: c.readWindows, Show: func() string { return strings.Join(c.startsText(), "+") },
			Doc:   "first jobs of windows of a trace, counted from 0: a replicate each",
			Forms: "a list of whole numbers", Save: func(put func(string, any)) {
				if len(c.WindowStarts) > 0 {
					put("window_starts", c.WindowStarts)
				}
			}},
		{Key: "window_jobs", To: &c.WindowJobs, Low: 1, High: maxStart, Unset: true,
			Doc: "jobs of each of these windows",
			Save: func(put func(string, any)) {
				if len(c.WindowStarts) > 0 && c.WindowJobs != 0 {
					put("window_jobs", c.WindowJobs)
				}
			}},
		{Key: "until_s", Group: setting.Times,
			Flag: "until", To: &c.UntilS, High: 1e12, Always: true, Unit: "s", Meta: "SECONDS",
			Doc: "simulated time after which a run stops; 0 = when all jobs are done"},
		{Key: "estimate_error", Group: setting.Jobs,
			Flag: "estimate-error", To: &c.EstimateError, High: 100, Always: true, Meta: "SIGMA",
			Doc: "standard deviation of log(estimate/work) for policies that use estimates"},
		{Key: "history", Group: setting.Jobs, Page: "reference/predictors.md", Flag: "history", To: &c.History, Always: true,
			Words: []string{"self", "none"}, Paths: true, Meta: "SOURCE",
			Doc: "the distribution of work that policies which use one receive",
			Forms: "self (the jobs' own), none, or a file with a column gpu_s, GPU-seconds of service of earlier " +
				"jobs"},
	}
}

// outputRows are the settings that do not change results.
func (c *Config) outputRows() []setting.Row {
	return []setting.Row{
		{Key: "jobs", Flag: "jobs", Aliases: []string{"j"}, To: &c.Jobs, High: 4096, Never: true, Meta: "N",
			Doc: "trials at once, 0 = one per processor; never changes a result"},
		{Key: "out", Flag: "out", Aliases: []string{"o"}, To: &c.Out, Never: true, Meta: "DIR",
			Doc:   "write Parquet tables; a trial that is complete there is not run again",
			Forms: "the folder for them"},
		{Key: "parquet_codec", Group: setting.Output,
			Flag: "parquet-codec", To: &c.Codec, Names: results.Codecs(), Unset: true, Never: true,
			Meta: "CODEC",
			Doc:  "compression of the tables", Forms: strings.Join(results.Codecs(), ", ")},
	}
}
