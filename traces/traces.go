// Package traces is the catalogue of workloads: every trace format and the generator
// under one spelling, FORMAT:PATH or synth:NAME.
//
// Reading guide: Formats (in this file) lists the formats; open.go finds one; info.go describes a
// workload; write.go keeps one. Each format is a package below this one; what they share
// is in traces/tabular (rows) and traces/intake (the account of rows).
package traces

import (
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/artistsim"
	"tarry/traces/csvfmt"
	"tarry/traces/helios"
	"tarry/traces/intake"
	"tarry/traces/openb"
	"tarry/traces/pai"
	"tarry/traces/parquetfmt"
	"tarry/traces/philly"
	"tarry/traces/swf"
	"tarry/traces/synth"
	"tarry/traces/tiresias"
)

// Options says how to open a workload. The zero value drops and counts wrong rows.
type Options struct {
	// Strict makes wrong rows an error that reports the first 20 of them.
	Strict bool
	// MaxJobs bounds the jobs kept in memory; 0 = 10 million.
	MaxJobs int
	// Source gives the generator its streams; traces do not use it.
	Source rng.Source
	// GPUs of the cluster that the jobs are for, to which the generator's load refers unless gpus= is given;
	// 0 = no cluster, and the generator's own. Traces do not use it.
	GPUs int
}

// Report is the account of what was read, kept and dropped.
type Report = intake.Report

// Format is one entry of the catalogue.
type Format struct {
	// Name is the word before the colon.
	Name string
	// Doc is one line on what the path is.
	Doc string
	// Paper is where the data comes from; "" for our own formats.
	Paper string
	// Open reads what stands after the colon.
	Open func(path string, opt Options) (*sim.Workload, *Report, error)
}

// Formats lists the catalogue in the order in which it is shown.
func Formats() []Format {
	return []Format{
		{"philly", "Microsoft Philly: cluster_job_log (JSON) or the job-level CSV", "Jeon et al., USENIX ATC 2019", file(philly.Read)},
		{"helios", "SenseTime Helios: cluster_log.csv", "Hu et al., SC 2021", file(helios.Read)},
		{"pai", "Alibaba PAI 2020: the folder of the tables, or its job table", "Weng et al., NSDI 2022", file(pai.Read)},
		{"openb", "Alibaba GPU 2023: pod list CSV", "Weng et al., USENIX ATC 2023", file(openb.Read)},
		{"tiresias", "Tiresias simulator: job list CSV", "Gu et al., NSDI 2019", file(tiresias.Read)},
		{"artistsim", "simulator of the Dally paper: job list JSON", "Sharma et al., arXiv 2401.16492", file(artistsim.Read)},
		{"swf", "Standard Workload Format 2.2, a processor taken as a GPU", "Chapin et al., JSSPP 1999", file(swf.Read)},
		{"csv", "tarry's own CSV", "", file(csvfmt.Read)},
		{"parquet", "tarry's own Parquet", "", file(parquetfmt.Read)},
		{"synth", "generated: NAME or NAME:key=value,...", "", generate},
	}
}

func file(read func(string, intake.Options) (*sim.Workload, *intake.Report, error)) func(string, Options) (*sim.Workload, *Report, error) {
	return func(path string, opt Options) (*sim.Workload, *Report, error) {
		return read(path, intake.Options{Strict: opt.Strict, MaxJobs: opt.MaxJobs})
	}
}

func generate(spec string, opt Options) (*sim.Workload, *Report, error) {
	c, err := synth.Parse(spec)
	if err != nil {
		return nil, nil, err
	}
	if limit := opt.MaxJobs; limit > 0 && c.Jobs > limit {
		return nil, nil, errTooMany(spec, c.Jobs, limit)
	}
	report := &Report{Source: "synth:" + spec, Rows: c.Jobs, Kept: c.Jobs}
	if opt.GPUs > 0 {
		note := ""
		if c, note = c.For(opt.GPUs); note != "" {
			report.Notes, report.StatedGPUs = []string{note}, c.GPUs
		}
	}
	w, err := synth.Generate(c, opt.Source)
	if err != nil {
		return nil, nil, err
	}
	return w, report, nil
}
