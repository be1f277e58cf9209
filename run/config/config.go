package config

import (
	"tarry/env/scenario"
	"tarry/output/results"
)

// Config is everything that decides a result, as names. Start from Default.
type Config struct {
	// Scenario is the hardware, speeds, costs, faults and jobs. Its Trace is required, unless it
	// has windows or names a workload.
	scenario.Scenario
	// Policies are NAME or NAME:key=value,...; at least one. Placement is best-fit or first-found.
	Policies  []string
	Placement string
	// Preset names a set of settings; "" = none.
	Preset string
	// Seed and Replicates: replicate r draws from its own streams, or runs window r of the
	// scenario's part.
	Seed       uint64
	Replicates int
	// WindowStarts, unless empty, are the numbers of jobs of the trace, in order of submission from
	// 0: replicate r runs the WindowJobs jobs from the r-th of them on, at the times of the trace.
	// Windows may overlap.
	WindowStarts []int
	WindowJobs   int
	// UntilS stops a run, in seconds; 0 = at its end.
	UntilS float64
	// EstimateError is the standard deviation of log(estimate/work); 0 = exact.
	EstimateError float64
	// History states what policies that know the distribution of work receive: self (the
	// workload's own, without its source), none, or the path of a file that traces/history reads.
	History string
	// Tenants are the tenants among which fairness is measured: user, vc or group of the jobs; "" =
	// it is not measured.
	Tenants string
	// Jobs is the number of trials at once, 0 = one per processor; Out the folder of the tables, ""
	// = none. Neither moves a number, and neither is in the metadata.
	Jobs int
	Out  string
	// Codec compresses the tables' files: one of results.Codecs. It does not change results either.
	Codec string
	// Streamed lets generated jobs come one by one where nothing asks for all of them at once.
	// Results are bit-identical; a Run then has a Stream and no Workload.
	Streamed bool
	// Unchosen leaves out which predictor is chosen, where one is: a check need not simulate. The
	// runs then have none.
	Unchosen bool
}

// Default is the configuration with all defaults: 4 racks of 4 machines of 8 GPUs, the
// collective speed model, best-fit placement, no costs, one replicate of seed 1.
func Default() Config {
	return Config{Scenario: scenario.Default(), Placement: "best-fit", History: "self", Seed: 1, Replicates: 1,
		Codec: results.Codecs()[0]}
}
