package scenario

import (
	"math"
	"strings"

	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// Settings is the table of the scenario's settings, in the order of the resolved configuration.
// Everything that names a setting is made from it: readers of files and options, flags, completion,
// lists, the reference, Python's keyword arguments, and the resolved configuration. The rows point
// into c, whose values are their defaults.
func (c *Scenario) Settings() []setting.Row {
	rows := make([]setting.Row, 0, mostRows)
	rows = append(append(rows, c.jobRows()...), c.clusterRows()...)
	for _, l := range laws() {
		rows = append(rows, l.row(c))
	}
	rows = append(rows, c.costRows()...)
	rows = append(rows, c.runRows()...)
	return append(rows, c.more...)
}

// mostRows is about how many settings a run has.
const mostRows = 48

// Extend adds settings to the scenario's: a program that builds on tarry can have some of
// its own.
func (c *Scenario) Extend(rows ...setting.Row) {
	c.more = append(c.more[:len(c.more):len(c.more)], rows...)
}

// jobRows are the settings of the jobs.
func (c *Scenario) jobRows() []setting.Row {
	return []setting.Row{
		{Key: "scenario", Page: "howto/configuration.md", Flag: "scenario", Read: asked, Never: true, Paths: true,
			Meta: "FILE", Forms: "a YAML file",
			Doc: "hardware, speeds, costs, faults and jobs, which environments take too; the settings beside it " +
				"override it"},
		{Key: "trace", Page: "howto/traces.md", Flag: "trace", To: &c.Trace, Always: true, Paths: true, Meta: "JOBS",
			See: "traces", Doc: "the jobs; windows are cut from them",
			Forms: `FORMAT:PATH, FILE, whose format is recognised by its name and first lines, or synth:NAME; with commas: "FORMAT:PATH"`},
		c.columnsRow(),
		{Key: "strict", Group: setting.Jobs, Flag: "strict", To: &c.Strict, Always: true,
			Doc: "wrong rows of the trace are errors, not dropped and counted"},
		{Key: "max_jobs", Group: setting.Jobs,
			Flag: "max-jobs", To: &c.MaxJobs, High: 1<<31 - 2, Always: true, Meta: "N",
			Doc: "most jobs of a trace, which is refused with more; 0 = 10 million"},
		{Key: "models", Group: setting.Jobs,
			Flag: "models", To: &c.Models, Always: true, Words: modelRules(), Meta: "RULE",
			Doc: "jobs without a model",
			Forms: "auto (paper where the speed model needs one), paper (its six, equally likely), none, or a " +
				"NAME that stands in for unknown models too"},
	}
}

// clusterRows are the settings of the hardware and its speeds.
func (c *Scenario) clusterRows() []setting.Row {
	return []setting.Row{
		{Key: "cluster", Flag: "cluster", To: &c.Cluster, Read: c.readCluster, Set: c.setCluster, Always: true,
			Paths: true, Meta: "CLUSTER",
			See: "clusters", Doc: "the machines", Forms: "RxMxG (racks x machines x GPUs), TYPE:RxMxG joined by " +
				"+, a name, a YAML file, a file of nodes as FORMAT:PATH, or log: " +
				"the processors of the trace's own machine, without a network"},
		{Key: "speed", Flag: "speed", To: &c.Speed, Always: true, Meta: "MODEL", See: "speeds", Doc: "the speed model",
			Forms: "NAME or NAME:options", Files: c.speedFiles, FilesFirst: true},
		{Key: "gpu_mem_mib", Group: setting.Machines,
			Page: "reference/sharing.md", Flag: "gpu-mem-mib", To: &c.GPUMiB, High: maxGPUMiB, Unit: "MiB",
			Meta: "MIB",
			Doc:  "memory of each GPU of machines of which the cluster does not state it; 0 = not constrained"},
		{Key: "profiles", Group: setting.Machines,
			Flag: "profile", Aliases: []string{"profiles"}, To: &c.Profiles, Never: true, Paths: true,
			Meta: "FILE",
			Doc:  "model profiles, joined by +", Forms: "a file (.yaml, .txt of ASTRA-sim) or folder"},
	}
}

// runRows are the settings of what is predicted, fails and is cut.
func (c *Scenario) runRows() []setting.Row {
	return []setting.Row{
		{Key: "predict", Page: "results/predictors.md", Flag: "predict", To: &c.Predict, Empty: "none", Meta: "PREDICTOR",
			See: "predictors",
			Doc: "the predictor of run times that policies read", Forms: "NAME or NAME:key=value,...",
			Save: func(put func(string, any)) {
				if c.Predict != "" {
					put("predict", c.Predict)
				}
			}},
		{Key: "faults", Group: setting.Failures,
			Page: "howto/resume.md", Flag: "faults", Inside: c.faultRows(), Meta: "KEYS", Doc: "failures",
			Forms: "machine_mtbf_s=T,machine_mttr_s=T,gpu_mtbf_s=T,gpu_mttr_s=T, or each as faults.KEY",
			Save:  func(put func(string, any)) { put("faults", c.Faults) }},
		{Key: "cuts", Group: setting.Jobs, Page: "howto/configuration.md", Flag: "cuts", Inside: c.Cuts.Settings(),
			Read: func(s *param.Set) { c.ReadCuts(s.Child("cuts")) }, Meta: "KEYS",
			Doc:   "run windows of the jobs, as environments have them; replicate r is window r of the part",
			Forms: "part=test,horizon=72,..., or each as cuts.KEY", See: "settings", Save: c.saveCuts},
	}
}

// faultRows are the settings of the failures.
func (c *Scenario) faultRows() []setting.Row {
	f := &c.Faults
	docs := map[string]string{"machine_mtbf_s": "mean time between failures of one machine; 0 = never",
		"machine_mttr_s": "mean time to repair a machine",
		"gpu_mtbf_s":     "mean time between failures of one GPU; 0 = never", "gpu_mttr_s": "mean time to repair a GPU"}
	var out []setting.Row
	for _, r := range f.Rates() {
		flag := strings.ReplaceAll(strings.TrimSuffix(r.Key, "_s"), "_", "-")
		out = append(out, setting.Row{Key: r.Key, Group: setting.Failures,
			Flag: flag, Doc: docs[r.Key], Unit: "s", Meta: "SECONDS", To: r.Value,
			Low: r.Low, High: outage.MaxS, Zero: r.Never})
	}
	return out
}

// costRows are the settings of what changes cost, and of the grain of work and time.
func (c *Scenario) costRows() []setting.Row {
	return []setting.Row{
		{Key: "costs", Flag: "cost", Aliases: []string{"costs"}, Inside: c.eachCost(), Read: c.readCosts,
			Set: c.SetCosts, Empty: "none", Meta: "KEYS",
			Doc: "costs of starts, preemptions and moves", Forms: "none, start_s=1,restore_s=5,..., or each as " +
				"costs.KEY; what is not named is free",
			See: "costs", Choices: c.costChoices, List: "costs", ListDoc: "the keys of --cost", Files: c.costFiles,
			Save: func(put func(string, any)) {
				put("costs", CostMap(c.Costs))
				if c.CostTable != "" {
					put("cost_table", c.CostTable)
				}
				if c.CostResize != "" {
					put("cost_resize", c.CostResize)
				}
			}},
		{Key: "chunk_iterations", Group: setting.Times,
			Flag: "chunk-iterations", To: &c.ChunkIterations, High: 1 << 40, Always: true,
			Meta: "N",
			Doc:  "round every job's work up to whole chunks of so many iterations per GPU; 0 = not"},
		{Key: "mark_every_s", Group: setting.Times,
			Page: "schedulers/pollux.md", Flag: "mark-every", To: &c.MarkEveryS, High: maxMarkS, Unit: "s",
			Meta: "SECONDS",
			Doc: "marks and ends of jobs whose speed depends on their progress fall on multiples of it; 0 = " +
				"exactly when the work is done"},
	}
}

// maxSeed bounds seeds, which are columns of signed integers.
const maxSeed = math.MaxInt64
