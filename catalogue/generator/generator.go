// Package generator lists the generator of jobs as a format of traces. It is apart from the formats of
// files, so that a program without files does not have their readers.
//
// Reading guide: Entry is the row; law reads what stands behind synth:.
package generator

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/traces/synth"
)

// Entry is the generator's row in a catalogue of traces.
func Entry() entry.Trace {
	return entry.Trace{Name: "synth", Doc: "generated: NAME or NAME:key=value,...", Generated: true, Open: generate,
		Stream: stream}
}

// law reads what is to be generated.
func law(spec string, opt entry.TraceOptions) (c synth.Config, report *account.Report, err error) {
	if c, err = synth.Parse(spec); err != nil {
		return c, nil, err
	}
	if limit := opt.MaxJobs; limit > 0 && c.Jobs > limit {
		return c, nil, errTooMany(spec, c.Jobs, limit)
	}
	report = &account.Report{Source: "synth:" + spec, Rows: c.Jobs, Kept: c.Jobs}
	if opt.GPUs > 0 {
		note := ""
		if c, note = c.For(opt.GPUs); note != "" {
			report.Notes, report.StatedGPUs = []string{note}, c.GPUs
		}
	}
	return c, report, nil
}

func stream(spec string, opt entry.TraceOptions) (func() sim.Stream, *account.Report, error) {
	c, report, err := law(spec, opt)
	if err != nil {
		return nil, nil, err
	}
	return func() sim.Stream { return synth.Draw(c, opt.Source) }, report, nil
}

func generate(spec string, opt entry.TraceOptions) (*sim.Workload, *account.Report, error) {
	c, report, err := law(spec, opt)
	if err != nil {
		return nil, nil, err
	}
	w, err := synth.Generate(c, opt.Source)
	if err != nil {
		return nil, nil, err
	}
	return w, report, nil
}

func errTooMany(spec string, jobs, limit int) error {
	return fmt.Errorf("synth:%s: %d jobs, more than the limit of %d that keeps memory bounded: generate fewer or "+
		"raise the limit", spec, jobs, limit)
}
