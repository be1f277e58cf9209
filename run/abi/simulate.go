package abi

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"

	"tarry/internal/legible"
	"tarry/internal/release"
	"tarry/output/results"
	"tarry/run/bounds"
	"tarry/run/compare"
	"tarry/run/config"
	"tarry/run/outdir"
	"tarry/run/parts"
	"tarry/run/printed"
	"tarry/run/trial"
)

// Report is what a run states beside its tables.
type Report struct {
	// Notes are the remarks that the command writes to standard error.
	Notes []string `json:"notes"`
	// Text is the table that the command prints.
	Text string `json:"text"`
	// Summary has a row per policy, as --format json prints it.
	Summary []map[string]any `json:"summary"`
	// Columns are Summary's in their order; the ones in Texts hold text, the others numbers.
	Columns []string `json:"columns"`
	Texts   []string `json:"texts"`
	// Tables states how many rows each table has that can be asked for.
	Tables map[string]int `json:"tables"`
}

// simulate runs the trials of a setup and gives what they gave. It writes the folder that the
// setting out names.
func (r *RunRequest) simulate(ctx context.Context, s *config.Setup, from *parts.Catalogues, caller *Caller) (*Report,
	map[string]*results.Frame, error) {
	report := &Report{Notes: slices.Clone(s.Notes)}
	trials, names := s.Trials(), s.Config.Policies
	if r.Bounds {
		more, err := bounds.Of(from.Policies, s.Config.Placement, trials[:len(s.Runs)])
		if err != nil {
			return nil, nil, refused{err}
		}
		trials = append(trials, more...)
	}
	for i := range trials {
		trials[i].KeepIntervals = slices.Contains(r.Tables, "intervals")
	}
	out, version := s.Config.Out, release.Build(func() string { return release.CodeID(r.Library) })
	unlock, err := outdir.Claim(out, outdir.WithPolicies(s.BaseJSON(), names), r.Force)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if err := outdir.Label(out, s.Labels); err != nil {
		return nil, nil, err
	}
	workers := s.Config.Jobs
	if workers == 0 {
		workers = runtime.NumCPU()
	}
	options := trial.Options{Workers: workers, Out: out, Codec: s.Codec(), Version: version, Keep: r.Tables}
	done, err := caller.run(ctx, trials, func(t *trial.Trial) bool { return isOwn(r.Own, t.Keys.Policy) }, options)
	if err != nil {
		return nil, nil, err
	}
	meta := results.NewMeta(s.BaseJSON(), "", version)
	if out != "" {
		files := meta
		files.Codec = s.Codec()
		if err := outdir.Manifest(ctx, out, files, trial.Files(out, done)); err != nil {
			return nil, nil, err
		}
	}
	for _, one := range done {
		report.Notes = append(report.Notes, compare.LeftOver(one)...)
	}
	frames, err := r.frames(meta, trials, done)
	if err != nil {
		return nil, nil, err
	}
	report.Tables = map[string]int{}
	for name, f := range frames {
		report.Tables[name] = f.Rows
	}
	if r.Bounds {
		names, done = bounds.With(names, done, len(s.Runs))
	}
	return report, frames, r.summarise(report, s, names, done)
}

// summarise adds the rows that the command prints.
func (r *RunRequest) summarise(report *Report, s *config.Setup, names []string, done []*trial.Result) error {
	rows, compared := compare.Rows(s, names, done), r.Command == "compare"
	if compared {
		if err := compare.WithFirst(s, rows); err != nil {
			return err
		}
	}
	var text strings.Builder
	out := legible.NewWriter(&text)
	if err := errors.Join(compare.Table(out, rows, compared, printed.Shown{}), out.Flush()); err != nil {
		return err
	}
	report.Text = text.String()
	for i, row := range rows {
		named := map[string]any{}
		for _, c := range row.Cells(compared) {
			if i == 0 {
				report.Columns = append(report.Columns, c.Name)
			}
			switch {
			case c.IsText():
				named[c.Name] = c.Text
				if i == 0 {
					report.Texts = append(report.Texts, c.Name)
				}
			case !math.IsNaN(c.Number) && !math.IsInf(c.Number, 0):
				named[c.Name] = c.Number
			}
		}
		report.Summary = append(report.Summary, named)
	}
	return nil
}

// frames gathers the rows of the trials by table, in the order of the trials. The metadata is the
// trial's where there is one, else what all trials share.
func (r *RunRequest) frames(meta results.Meta, trials []trial.Trial, done []*trial.Result) (map[string]*results.Frame,
	error) {
	if len(done) == 1 {
		meta = results.NewMeta(trials[0].Config, done[0].Row.WorkloadSHA256, meta.Version)
	}
	all := map[string]*results.Frame{}
	for _, name := range r.Tables {
		var err error
		switch name {
		case "trials":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Trial { return []results.Trial{one.Row} }))
		case "jobs":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Job { return one.Jobs }))
		case "intervals":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Interval { return one.Intervals }))
		case "cluster":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Sample { return one.Samples }))
		case "power":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.PowerSample { return one.Power }))
		case "services":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.ServiceSample { return one.Services }))
		case "predictions":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Prediction { return one.Predictions }))
		case "measures":
			all[name], err = results.NewFrame(meta, gather(done,
				func(one *trial.Result) []results.Measure { return one.Measures }))
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// gather puts the rows of all trials together; rows of one trial stay where they are.
func gather[T results.Row](done []*trial.Result, of func(*trial.Result) []T) []T {
	if len(done) == 1 {
		return of(done[0])
	}
	var all []T
	for _, one := range done {
		all = append(all, of(one)...)
	}
	return all
}
