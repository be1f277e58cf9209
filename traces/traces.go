// Package traces is the catalogue of workloads: every trace format and the generator
// under one spelling, FORMAT:PATH or synth:NAME.
//
// Reading guide: All (in this file) lists the formats; open.go finds one; info.go describes a
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
	// Generated says that jobs are drawn rather than read: what stands after the colon is no path, and each replicate of a run
	// has jobs of its own.
	Generated bool
	// Open reads what stands after the colon.
	Open func(path string, opt Options) (*sim.Workload, *Report, error)
}

// Catalogue lists formats in the order in which they are shown. All gives those that tarry ships; a program may append its own.
type Catalogue []Format

// All lists the formats that tarry ships.
func All() Catalogue {
	return Catalogue{
		file("philly", "Microsoft Philly: cluster_job_log (JSON) or the job-level CSV", "Jeon et al., USENIX ATC 2019", philly.Read),
		file("helios", "SenseTime Helios: cluster_log.csv", "Hu et al., SC 2021", helios.Read),
		file("pai", "Alibaba PAI 2020: the folder of the tables, or its job table", "Weng et al., NSDI 2022", pai.Read),
		file("openb", "Alibaba GPU 2023: pod list CSV", "Weng et al., USENIX ATC 2023", openb.Read),
		file("tiresias", "Tiresias simulator: job list CSV", "Gu et al., NSDI 2019", tiresias.Read),
		file("artistsim", "simulator of the Dally paper: job list JSON", "Sharma et al., arXiv 2401.16492", artistsim.Read),
		file("swf", "Standard Workload Format 2.2, a processor taken as a GPU", "Chapin et al., JSSPP 1999", swf.Read),
		file("swf-rlscheduler", "the same by the reading rules of RLScheduler, for its windows", "", swf.Published{}.Read),
		file("csv", "tarry's own CSV", "", csvfmt.Read),
		file("parquet", "tarry's own Parquet", "", parquetfmt.Read),
		{Name: "synth", Doc: "generated: NAME or NAME:key=value,...", Generated: true, Open: generate},
	}
}

// file is a format whose path is that of a file or folder.
func file(name, doc, paper string, read func(string, intake.Options) (*sim.Workload, *intake.Report, error)) Format {
	return Format{Name: name, Doc: doc, Paper: paper, Open: func(path string, opt Options) (*sim.Workload, *Report, error) {
		return read(path, intake.Options{Strict: opt.Strict, MaxJobs: opt.MaxJobs})
	}}
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
