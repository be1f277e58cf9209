package sweep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/output/results"
	"tarry/run/bounds"
	"tarry/run/evaluate"
	"tarry/run/parts"
	"tarry/run/trial"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// The setting that states how what was trained or tuned is measured, and two of its fields.
const (
	evaluateField = "evaluate"
	baselineField = "baselines"
	boundsField   = "bounds"
	onceField     = "baselines_once"
)

// measuring is what is measured of an agent or a tuned scheduler.
type measuring struct {
	evaluate.Request
	// lean keeps the table evals alone, and no row of every trial, job and hour.
	lean bool
}

// evaluateRequest reads the mapping evaluate: baselines, bounds (false; true, or names of
// bounds.Choices), baselines_once, windows (10 by default), trace, and set, options of the environment
// that replace training's, and trials (true); of agents also which (best or last), untrained (true) and
// draw (false). Without the mapping nothing is measured.
func evaluateRequest(from *parts.Catalogues, cell *param.Set, agent bool) measuring {
	s := cell.Child(evaluateField)
	if !cell.Has(evaluateField) {
		return measuring{}
	}
	r := measuring{Request: evaluate.Request{Which: "best", Part: schedenv.Test}}
	r.Baselines = param.Rejoin(s.Texts(baselineField, nil))
	readBounds(s, &r.Request)
	r.Windows = s.Int("windows", 10, 1, 1_000_000)
	if r.Untrained = agent && s.Bool("untrained", true); agent {
		r.Which = s.Enum("which", "best", "last")
	}
	r.Draw = agent && s.Bool("draw", false)
	r.Trace = s.Text("trace", "")
	r.Options = s.Texts("set", nil)
	s.Bool(onceField, false) // read when the cells were spelled out
	r.lean = !s.Bool("trials", true)
	if agent && outside(from, cell.Text("env", "")) { // its rules are the baselines, which Build looks up
		return r
	}
	for _, b := range r.Baselines {
		if _, _, err := from.Policies.Parse(b, cluster.BestFit); err != nil {
			s.FaultAt(baselineField, "evaluate.baselines name one that is wrong: %w", err)
		}
	}
	return r
}

// readBounds reads bounds.
func readBounds(s *param.Set, r *evaluate.Request) {
	named := s.Texts(boundsField, []string{"false"})
	if slices.Equal(named, []string{"false"}) {
		return
	}
	if r.Bounds = true; slices.Equal(named, []string{"true"}) {
		return
	}
	r.BoundsNamed = named
	for _, name := range named {
		if known := bounds.Choices(); !slices.Contains(known, name) {
			s.FaultAt(boundsField, "evaluate.bounds is %q, expected true, false or some of %s%s", name,
				strings.Join(known, ", "), param.Hint(name, known))
		}
	}
}

// baselinesOnce takes the baselines away from a cell that is not of the first seed, where they are
// asked for once: all seeds would measure them on the same windows.
func baselinesOnce(settings Settings) {
	m, _ := settings[evaluateField].(map[string]any)
	if m[onceField] != "true" {
		return
	}
	own := make(map[string]any, len(m))
	for k, v := range m {
		if k != baselineField && k != boundsField {
			own[k] = v
		}
	}
	settings[evaluateField] = own
}

// evaluate measures what a request names beside its baselines.
func (a *attempt) evaluate(ctx context.Context, r measuring) ([]string, error) {
	s, err := evaluate.BuildUntil(ctx, a.from, r.Request)
	if err != nil {
		return nil, permanent(err)
	}
	for _, one := range s.Choices() {
		a.say("%s", one)
	}
	if s.Scored() {
		rows, err := s.Score(ctx, a.opt.Workers, a.key)
		if err != nil {
			return nil, err
		}
		a.counted = fmt.Sprintf("%d episodes", len(s.Policies)*s.Windows)
		path, err := a.keepEvals(ctx, s, rows)
		return []string{path}, err
	}
	a.name(s.Trials)
	how := a.trialOptions()
	if r.lean {
		how.Out = ""
	}
	done, err := trial.Run(ctx, s.Trials, how)
	if err := errors.Join(err, s.Err()); err != nil {
		return nil, err
	}
	a.count(done)
	rows, err := s.Summarise(done)
	if err != nil {
		return nil, err
	}
	path, err := a.keepEvals(ctx, s, rows)
	if err != nil || r.lean {
		return []string{path}, err
	}
	return append(trial.Files(a.dir, done), path), nil
}

// keepEvals writes the table evals of the cell and gives its path there.
func (a *attempt) keepEvals(ctx context.Context, s *evaluate.Setup, rows []evaluate.Row) (string, error) {
	path := filepath.Join("evals", "part-0.parquet")
	meta := results.NewMeta(s.JSON, "", a.opt.Version)
	meta.Codec = codecOf(a.cell.Settings)
	return path, results.Write(ctx, results.Target{Path: filepath.Join(a.dir, path), Meta: meta}, evaluate.Evals(rows))
}

// outside reports whether an environment is outside the simulator.
func outside(from *parts.Catalogues, text string) bool {
	e, err := from.Maker().Make(text)
	if err != nil {
		return false // which the configuration of the training reports
	}
	_, is := env.Find[trait.Scored](e)
	return is && e.Close() == nil
}
