package config

import (
	"tarry/sim"
	"tarry/sim/outage"
	"tarry/sim/preset"
)

// Config is everything that decides a result, as names. Start from Default.
type Config struct {
	// Trace is FORMAT:PATH or synth:NAME; required.
	Trace string
	// Strict makes wrong rows of a trace an error; otherwise they are dropped and counted.
	Strict bool
	// MaxJobs bounds the jobs kept in memory; 0 = 10 million.
	MaxJobs int
	// Models says how jobs without a model get one: auto (the paper's six, when the speed
	// model asks for models), paper, or none.
	Models string
	// Cluster is RxMxG, the name of a preset, or a YAML file; Inline, when set, goes before it.
	Cluster string
	Inline  *ClusterSpec
	// Speed is the speed model, as speed.Usage says; Profiles are files or folders of model profiles.
	Speed    string
	Profiles []string
	// Policies are NAME or NAME:key=value,...; at least one. Placement is best-fit or first-found.
	Policies  []string
	Placement string
	// ChunkIterations rounds every job's work up to whole chunks of that many iterations per GPU; 0 = not.
	ChunkIterations int64
	// Costs are the times that changes take.
	Costs sim.Costs
	// Preset names a set of settings; "" = none.
	Preset string
	// Seed and Replicates: replicate r draws from its own streams.
	Seed       uint64
	Replicates int
	// UntilS stops a run, in seconds; 0 = at its end.
	UntilS float64
	// EstimateError is the standard deviation of log(estimate/work); 0 = exact.
	EstimateError float64
	// History says what policies that know the distribution of work are told: self (the
	// workload's own, without saying whose), none, or the path of a file that traces/history reads.
	History string
	// Faults are the failures.
	Faults outage.Faults
	// Jobs is the number of trials at once, 0 = one per processor; Out the folder of the tables, "" = none.
	// Neither moves a number, and neither is in the metadata.
	Jobs int
	Out  string

	where map[string]string // field -> file:line or flag, for errors
}

// Default is the configuration before anything is said: 4 racks of 4 machines of 8 GPUs, the
// collective speed model, best-fit placement, no costs, one replicate of seed 1.
func Default() Config {
	return Config{Cluster: "4x4x8", Speed: "collective", Placement: "best-fit", Models: "auto", History: "self",
		Seed: 1, Replicates: 1, Faults: outage.Default(), where: map[string]string{}}
}

// ClusterSpec is a cluster with its network and the relative speeds of its GPU types.
type ClusterSpec struct {
	preset.Cluster
	// Speeds are relative to the reference type; a type that is not listed has 1.
	Speeds map[string]float64
}

// Mark notes where a field's value comes from ("--seed", "run.yaml:3"), for errors.
func (c *Config) Mark(field, place string) {
	if c.where == nil {
		c.where = map[string]string{}
	}
	c.where[field] = place
}

// at gives a field's place as a prefix of an error.
func (c *Config) at(field string) string {
	if p := c.where[field]; p != "" {
		return p + ": "
	}
	return ""
}
