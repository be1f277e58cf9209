package config

import (
	"fmt"
	"strings"

	"tarry/env/scenario"
	"tarry/sim/param"
)

// Presets lists the named settings, each with one line about it.
func Presets() [][2]string {
	return [][2]string{
		{"paper", "the setting of the Dally paper's simulator: its 8x8x8 cluster and network, first-found placement, " +
			"leases of 3600 s, a window of 12 leases, progress in chunks of 1000 iterations per GPU, GPUs contested " +
			"1 s per GPU after they came free"},
		{"rlscheduler", "the protocol of RLScheduler's tables: 256 processors, no communication, ten windows of " +
			"1024 jobs at the published places, each from an " +
			"empty cluster; with --trace swf-rlscheduler:FILE and --policy picked:order=...; see " +
			"docs/schedulers/picked.md"},
		{"gavel", "Gavel's simulator: 36 V100, 36 P100 and 36 K80 of one GPU per machine, no costs; --policy gavel is " +
			"then gavel-sim, with the digits of DIR; with --trace gavel:FILE and --speed gavel:DIR; see " +
			"docs/schedulers/gavel.md"},
		{"elasticflow", "ElasticFlow's simulator: 16 machines of 8 GPUs, no costs; --policy elasticflow is " +
			"then elasticflow-sim, with the throughputs of DIR; with --trace elasticflow:FILE and " +
			"--speed elasticflow:DIR[,gpu=TYPE]; see docs/schedulers/elasticflow.md"},
		{"pollux", "Pollux' simulator: 16 machines of 4 GPUs, decisions at full minutes in --policy tiresias, " +
			"optimus and pollux, 30 s without progress after each change " +
			"of GPUs, epochs that end at full seconds; with --trace pollux:FILE and --speed pollux:DIR; see " +
			"docs/schedulers/pollux.md"},
	}
}

// ApplyPreset sets what the named preset states; "" changes nothing. Apply files and flags after
// it.
func (c *Config) ApplyPreset(name string) error {
	switch name {
	case "":
		return nil
	case "paper":
		c.Preset = name
		c.Cluster, c.Inline = "paper", nil
		c.Placement = "first-found"
		c.ChunkIterations = 1000
		return nil
	case "rlscheduler":
		c.Preset = name
		c.Cluster, c.Inline, c.Speed = "1x32x8", nil, "counting"
		c.WindowStarts, c.WindowJobs = scenario.RLSchedulerStarts(), 1024
		c.Replicates = len(c.WindowStarts)
		return nil
	case "gavel":
		c.Preset = name
		c.Cluster, c.Inline = "v100:36x1x1+p100:36x1x1+k80:36x1x1", nil
		return nil
	case "elasticflow":
		c.Preset = name
		c.Cluster, c.Inline = "1x16x8", nil
		return nil
	case "pollux":
		c.Preset = name
		c.Cluster, c.Inline, c.MarkEveryS = "1x16x4", nil, 1
		c.Costs, c.CostTable, c.CostResize = polluxCosts(), "", ""
		return nil
	}
	var names []string
	for _, p := range Presets() {
		names = append(names, p[0])
	}
	return fmt.Errorf("preset %q: unknown, expected one of %s%s", name, strings.Join(names, ", "),
		param.Hint(name, names))
}

// clusterName is the cluster's name under the preset: the paper's machines have two
// slots and its network, whatever the dimensions.
func (c *Config) clusterName() string {
	if c.Preset == "paper" && strings.Count(c.Cluster, "x") == 2 && !strings.Contains(c.Cluster, ":") {
		return "paper:" + c.Cluster
	}
	return c.Cluster
}

// policySpec is a policy under the preset: Dally's variants and Tiresias then behave as in the
// paper's simulator, and Gavel as in its own, unless the parameters state otherwise.
func (c *Config) policySpec(spec string) string {
	name, params, _ := strings.Cut(spec, ":")
	switch {
	case c.Preset == "gavel" && (name == "gavel" || name == "gavel-sim"):
		if dir := measuredFolder(c.Speed, "gavel", "dir"); dir != "" && !hasKey(params, "table") {
			params = strings.TrimPrefix(params+",table="+param.Quote(dir), ",")
		}
		return strings.TrimSuffix("gavel-sim:"+params, ":")
	case c.Preset == "elasticflow" && (name == "elasticflow" || name == "elasticflow-sim"):
		for _, k := range [...][2]string{{"table", "dir"}, {"gpu", "gpu"}} {
			if value := measuredFolder(c.Speed, "elasticflow", k[1]); value != "" && !hasKey(params, k[0]) {
				params = strings.TrimPrefix(params+","+k[0]+"="+param.Quote(value), ",")
			}
		}
		return strings.TrimSuffix("elasticflow-sim:"+params, ":")
	case c.Preset == "pollux":
		return polluxHabits(name, params)
	case c.Preset != "paper":
		return spec
	}
	return paperPolicy(spec)
}

// paperPolicy gives the policy of the authors' simulator for one of its paper.
func paperPolicy(spec string) string {
	name, params, _ := strings.Cut(spec, ":")
	to := "artist-dally"
	var set [][2]string
	switch name {
	case "dally":
	case "dally-manual":
		set = [][2]string{{"timers", "manual"}}
	case "dally-nowait":
		set = [][2]string{{"t_rack", "0"}, {"t_net", "0"}}
	case "dally-consolidated":
		set = [][2]string{{"t_rack", "inf"}, {"t_net", "inf"}}
	case "tiresias":
		to = "artist-tiresias"
	default:
		return spec
	}
	for _, s := range set {
		if !hasKey(params, s[0]) {
			params = strings.TrimPrefix(params+","+s[0]+"="+s[1], ",")
		}
	}
	return strings.TrimSuffix(to+":"+params, ":")
}

// measuredFolder is an option of the speed model MODEL:DIR,..., "" of any other. The simulators of
// Gavel and ElasticFlow decide ties by the last digit of their throughputs, so that the policy must
// read the throughputs of the files, too.
func measuredFolder(speed, model, option string) string {
	name, options, _ := strings.Cut(speed, ":")
	if name != model || options == "" {
		return ""
	}
	return param.Parse("speed "+name, "dir="+options).Text(option, "")
}

// hasKey reports whether "key=value,..." names a key.
func hasKey(params, key string) bool {
	for p := range strings.SplitSeq(params, ",") {
		if k, _, _ := strings.Cut(p, "="); strings.TrimSpace(k) == key {
			return true
		}
	}
	return false
}
