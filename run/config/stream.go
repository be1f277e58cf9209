package config

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/know"
)

// streamRuns makes the replicates of generated jobs that no run has to hold; false when something
// asks for held jobs.
func (s *Setup) streamRuns() (bool, error) {
	c := &s.Config
	f, path, ok := s.from.Traces.Find(c.Trace)
	if !c.Streamed || !ok || f.Stream == nil || path == "" || !s.streamable() {
		return false, nil
	}
	var runs []Run
	for r := range c.Replicates {
		open, report, err := f.Stream(path, entry.TraceOptions{Strict: c.Strict, MaxJobs: c.MaxJobs,
			Columns: c.TraceColumns, Source: s.source(r), GPUs: s.gpus()})
		if err != nil {
			return false, fmt.Errorf("%s%w", c.At("trace"), err)
		}
		var first sim.Job
		if open().Next(&first); first.Model == "" && s.Names() {
			return false, nil
		}
		s.noteReport(r, report)
		runs = append(runs, Run{Stream: func() sim.Stream { return s.Changed(open(), s.source(r)) },
			History: s.history, Outages: s.Outages(s.source(r).Stream("outages"))})
	}
	s.Runs = runs
	return true, nil
}

// streamable reports whether no setting asks for all jobs at once.
func (s *Setup) streamable() bool {
	c := &s.Config
	if c.Cuts.Part != "" || len(c.WindowStarts) > 0 || c.EstimateError > 0 || s.Predicts() || c.ChunkIterations > 0 ||
		s.Owned() || c.Priorities != "" {
		return false
	}
	return c.History != "self" || !slices.ContainsFunc(s.policies,
		func(p parsed) bool { return p.knows&know.History != 0 })
}

// noteReport keeps what a note reports in the account of the first replicate's workload, and where
// models stand in the last one's.
func (s *Setup) noteReport(replicate int, report *entry.Report) {
	if report != nil {
		s.places = report.Models
	}
	if replicate == 0 && report != nil && len(report.Dropped)+len(report.Notes) > 0 {
		s.Notes = append(s.Notes, strings.TrimSpace(report.String()))
		s.StatedGPUs = report.StatedGPUs
	}
}
