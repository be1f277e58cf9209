package config

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/origin"
	"tarry/sim/rng"
	"tarry/sim/tenant"
)

// Run is what one replicate is made of.
type Run struct {
	// Workload is the replicate's jobs and SHA256 their hash.
	Workload *sim.Workload
	SHA256   string
	// Tenants states who owns which part of the cluster; nil = no tenants.
	Tenants *tenant.Set
	// Stream gives the jobs one by one in place of Workload, which is nil then; see
	// Config.Streamed.
	Stream func() sim.Stream
	// Estimate, Predictor, History and Outages are as in sim.Config.
	Estimate  func(sim.JobID) sim.Time
	Predictor sim.Predictor
	// Chosen are the predictors by policy, in place of Predictor, where each has its own.
	Chosen  []sim.Predictor
	History []sim.Time
	Outages sim.Outages
}

// source gives a replicate's streams.
func (s *Setup) source(replicate int) rng.Source {
	return rng.Source{Seed: s.Config.Seed, Replicate: uint64(replicate)}
}

// noteLosses notes where what is lost goes back to the start of a job.
func (s *Setup) noteLosses() {
	c := &s.Config
	if f := &c.Faults; !f.None() && c.Costs.CheckpointEveryS == 0 {
		s.Notes = append(s.Notes, "faults: without the cost checkpoint_every_s a fault sends a job back to its "+
			"start or last preemption; one much longer than the time between its faults never ends: the run stops "+
			"and names it (--until stops the run before)")
	}
	if c.Costs.Kill && c.Costs.CheckpointEveryS == 0 {
		s.Notes = append(s.Notes, "costs: kill without checkpoint_every_s: a preemption sends a job back to its start, "+
			"or last migration or resize")
	}
}

// buildRuns opens the workload and makes its replicates. A generated workload is drawn again
// for each; a trace is cut into windows of equally many jobs, one after another in time. Without
// all, it only looks for faults.
func (s *Setup) buildRuns(ctx context.Context, all bool) error {
	c := &s.Config
	s.noteLosses()
	switch {
	case c.Cuts.Part != "" && all:
		return s.cutRuns(ctx)
	case c.Cuts.Part != "":
		return nil
	case c.Trace == "":
		return fmt.Errorf("%sno trace, expected --trace FORMAT:PATH or synth:NAME", c.At(fileItself))
	case s.Chooses() && !s.generated():
		return s.noValidation()
	}
	open := func(r int) (*sim.Workload, error) {
		w, report, err := s.from.Traces.Open(c.Trace, entry.TraceOptions{Strict: c.Strict, MaxJobs: c.MaxJobs,
			Columns: c.TraceColumns, Source: s.source(r), GPUs: s.gpus()})
		if err != nil {
			return nil, fmt.Errorf("%s%w", c.At("trace"), err)
		}
		s.noteReport(r, report)
		return w, nil
	}
	if all {
		if streamed, err := s.streamRuns(); streamed || err != nil {
			return err
		}
	}
	first, err := open(0)
	if err != nil || !all {
		return err
	}
	generated := s.generated()
	if len(c.WindowStarts) > 0 {
		return s.listedRuns(first)
	}
	if n := len(first.Jobs); !generated && n < c.Replicates {
		return fmt.Errorf("%sreplicates is %d, expected at most the trace's %d jobs: a trace is cut into one window "+
			"of jobs per replicate", c.At("replicates"), c.Replicates, n)
	}
	past := pastJobs{setup: s, open: open, first: first, generated: generated}
	for r := range c.Replicates {
		w, err := past.replicate(r)
		if err != nil {
			return err
		}
		note := ""
		if w, note, err = s.Prepare(w, s.source(r)); err != nil {
			return err
		}
		if note != "" && r == 0 && s.Config.Cuts.Part == "" { // Build has remarked the jobs of windows

			s.Notes = append(s.Notes, note)
		}
		if err = s.addRun(w, r, func(r int, policy string) (sim.Predictor, error) {
			return past.before(ctx, r, policy)
		}); err != nil {
			return err
		}
	}
	if !generated && c.Replicates > 1 {
		s.noteCut(len(first.Jobs))
	}
	return nil
}

func (s *Setup) noteCut(jobs int) {
	s.Notes = append(s.Notes, fmt.Sprintf("replicates: the trace's %d jobs are cut in order of submission into %d "+
		"windows of %d jobs, each with its own time zero",
		jobs, s.Config.Replicates, jobs/s.Config.Replicates))
}

// window is the r-th of n runs of equally many jobs; what does not divide goes to the later ones.
func window(w *sim.Workload, r, n int) (*sim.Workload, error) {
	lo, hi := r*len(w.Jobs)/n, (r+1)*len(w.Jobs)/n
	jobs := slices.Clone(w.Jobs[lo:hi])
	from := jobs[0].Submit
	for i := range jobs {
		jobs[i].Submit -= from
		if jobs[i].Deadline > 0 {
			jobs[i].Deadline = max(1, jobs[i].Deadline-from)
		}
	}
	origins := append(slices.Clone(w.Origins), origin.Origin{Field: "submit",
		Source: fmt.Sprintf("jobs %d to %d of %d, time zero at the first", lo+1, hi, len(w.Jobs))})
	return sim.NewWorkload(w.Name, jobs, origins...)
}

// cutRuns makes a replicate of each of the first windows of a part.
func (s *Setup) cutRuns(ctx context.Context) error {
	c := &s.Config
	p := c.Cuts.Part
	if n := s.Windows.Windows(p); c.Replicates > n {
		return fmt.Errorf("%sreplicates is %d, expected at most the %d windows of part %s: each replicate is "+
			"one of them", c.At("replicates"), c.Replicates, n, p)
	}
	if err := s.chooseFor(ctx); err != nil {
		return err
	}
	for r := range c.Replicates {
		w, err := s.Windows.Window(p, r)
		if err != nil {
			return err
		}
		run, err := s.newRun(w, r)
		if err != nil {
			return err
		}
		run.Outages = s.WindowOutages(p, r)
		err = s.predict(&run, func(policy string) (sim.Predictor, error) { return s.Predictor(p, r, policy) })
		if err != nil {
			return err
		}
		s.Runs = append(s.Runs, run)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("part %s: %d of its %d windows, one per replicate", p, c.Replicates,
		s.Windows.Windows(p)))
	return nil
}

// addRun adds a replicate with the predictors that are fitted on what came before it.
func (s *Setup) addRun(w *sim.Workload, r int, before func(r int, policy string) (sim.Predictor, error)) error {
	run, err := s.newRun(w, r)
	if err != nil {
		return err
	}
	err = s.predict(&run, func(policy string) (sim.Predictor, error) { return before(r, policy) })
	s.Runs = append(s.Runs, run)
	return err
}

func (s *Setup) newRun(w *sim.Workload, r int) (run Run, err error) {
	if err := s.CheckModels(s.places, w); err != nil {
		return run, fmt.Errorf("%strace: %w", s.Config.At("trace"), err)
	}
	if r == 0 && s.Config.Cuts.Part == "" { // Build has remarked the jobs of windows
		if note := s.TooWide(w); note != "" {
			s.Notes = append(s.Notes, note)
		}
		if note := s.TooLarge(w); note != "" {
			s.Notes = append(s.Notes, note)
		}
	}
	run = Run{Workload: w, SHA256: w.Hash(), History: s.history, Outages: s.Outages(s.source(r).Stream("outages"))}
	if s.Config.History == "self" {
		for i := range w.Jobs {
			run.History = append(run.History, w.Jobs[i].Work)
		}
		slices.SortFunc(run.History, cmp.Compare[sim.Time])
	}
	if sigma := s.Config.EstimateError; sigma > 0 {
		draws := s.source(r).Stream("estimates")
		guess := make([]sim.Time, len(w.Jobs))
		for i := range guess {
			factor := fixmath.Exp(float64(sigma * draws.NormFloat64()))
			guess[i] = max(1, sim.Seconds(float64(w.Jobs[i].Work.Seconds()*factor)))
		}
		run.Estimate = func(id sim.JobID) sim.Time { return guess[id] }
	}
	run.Tenants, err = s.Tenants(w)
	return run, err
}

// gpus is the size of the cluster, 0 when it could not be built.
func (s *Setup) gpus() int {
	if s.Topology == nil {
		return 0
	}
	return s.Topology.GPUs()
}

// generated reports whether the jobs are drawn rather than read.
func (s *Setup) generated() bool {
	f, _, _ := s.from.Traces.Find(s.Config.Trace)
	return f.Generated
}
