package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/env/scenario"
	"tarry/output/results"
	"tarry/run/compare"
	"tarry/run/config"
	"tarry/run/outdir"
	"tarry/run/trial"
)

// howMany states how many policies a command takes.
type howMany bool

const (
	onePolicy    howMany = false
	manyPolicies howMany = true
)

// execute reads the settings, runs the trials and keeps their tables.
//
// The results of the trials that more gives follow the policies' results.
func (from program) execute(c *cli.Context, policies howMany,
	more ...func(*config.Setup, []trial.Trial) ([]trial.Trial, error)) (*config.Setup, []*trial.Result, error) {
	if err := noArguments(c); err != nil {
		return nil, nil, err
	}
	if _, err := shownOf(c); err != nil {
		return nil, nil, err
	}
	s, err := from.setup(c, policies)
	if err != nil {
		return nil, nil, usageError{err}
	}
	for _, n := range s.Notes {
		note(c, "%s", n)
	}
	if err := pictureFolder("--plot").free(c.String("plot")); err != nil {
		return nil, nil, err
	}
	trials := s.Trials()
	timeline := c.String("timeline") != ""
	for i := range trials {
		trials[i].KeepIntervals = timeline && trials[i].Keys.Replicate == 0
	}
	own := len(trials)
	for _, f := range more {
		add, err := f(s, trials[:len(s.Runs)])
		if err != nil {
			return nil, nil, usageError{err}
		}
		trials = append(trials, add...)
	}
	out := s.Config.Out
	release, err := openOut(c, s)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	v := ""
	if out != "" {
		v = version()
	}
	workers := s.Config.Jobs
	if workers == 0 {
		workers = runtime.NumCPU()
	}
	start := time.Now()
	p := newProgress(c.App.ErrWriter, formOf(c), trials)
	done, err := trial.Run(c.Context, trials, trial.Options{Workers: workers, Out: out, Version: v, Codec: s.Codec(),
		Clock: func() time.Duration { return time.Since(start) }, Progress: p.jobs, Done: p.trial})
	p.close()
	if err != nil {
		return nil, nil, err
	}
	for _, r := range done {
		for _, text := range compare.LeftOver(r) {
			note(c, "%s", text)
		}
	}
	if err := closeOut(c, s, done, v); err != nil {
		return nil, nil, err
	}
	if timeline {
		files, err := writeTimeline(c.String("timeline"), s, done[:own])
		if err != nil {
			return nil, nil, fmt.Errorf("--timeline: %w", err)
		}
		note(c, "timeline: %s (open in ui.perfetto.dev)", strings.Join(files, ", "))
	}
	return s, done, nil
}

// setup reads the configuration and builds it; all faults are reported at once.
func (from program) setup(c *cli.Context, policies howMany) (*config.Setup, error) {
	cfg, errs := from.readConfig(c, c.StringSlice("policy"))
	if _, err := formatOf(c); err != nil {
		errs = append(errs, err)
	}
	if policies == onePolicy && len(cfg.Policies) > 1 {
		errs = append(errs, fmt.Errorf("%d policies (%s), expected one: tarry compare takes many", len(cfg.Policies),
			strings.Join(cfg.Policies, ", ")))
		cfg.Policies = cfg.Policies[:1]
	}
	// else rows of all jobs are wanted, or many policies share them
	cfg.Streamed = policies == onePolicy && cfg.Out == "" && c.String("timeline") == ""
	s, err := config.BuildKept(c.Context, cfg, &scenario.Kept{From: from.Catalogues.Catalogues})
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	return s, nil
}

// note writes a remark to standard error.
func note(c *cli.Context, format string, args ...any) {
	fmt.Fprintf(c.App.ErrWriter, format+"\n", args...)
}

// closeOut writes the manifest over all tables, and the timing when it was asked for.
func closeOut(c *cli.Context, s *config.Setup, done []*trial.Result, version string) error {
	out := s.Config.Out
	if out == "" {
		return nil
	}
	meta := results.NewMeta(s.BaseJSON(), "", version)
	meta.Codec = s.Codec()
	if err := outdir.Manifest(c.Context, out, meta, trial.Files(out, done)); err != nil {
		return err
	}
	if c.Bool("timing") {
		if err := results.Write(c.Context, results.Target{Path: filepath.Join(out, "timing", "part-0.parquet"),
			Meta: meta}, timingRows(done)); err != nil {
			return err
		}
	}
	note(c, "tables: %s (pandas.read_parquet(%q))", out, filepath.Join(out, "trials"))
	return nil
}
