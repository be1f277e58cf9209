package sweep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"tarry/catalogue/parts"
	"tarry/env/schedenv"
	"tarry/internal/run/evaluate"
	"tarry/internal/run/trial"
	"tarry/output/results"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// The setting that says how what was trained or tuned is measured, and two of its fields.
const (
	evaluateField = "evaluate"
	baselineField = "baselines"
	onceField     = "baselines_once"
)

// measuring is what is measured of an agent or a tuned scheduler.
type measuring struct {
	evaluate.Request
	// lean keeps the table evals alone, and no row of every trial, job and hour.
	lean bool
}

// evaluateRequest reads the mapping evaluate: baselines, baselines_once, windows (10 if nothing is said), trace, and set,
// options of the environment that replace those of training, and trials (true); of agents also which (best or last). Without the mapping
// nothing is measured.
func evaluateRequest(from *parts.Catalogues, c *Cell, name string, where func(key string) string, agent bool) (measuring, error) {
	r := measuring{Request: evaluate.Request{Which: "best", Part: schedenv.Test, Windows: 10}}
	at := placeOf(where, evaluateField, name)
	var m map[string]any
	switch v := c.Settings[evaluateField].(type) {
	case nil:
		return measuring{}, nil
	case map[string]any:
		m = v
	default:
		return r, fmt.Errorf("%s: evaluate is %s, expected key: value", at, describe(v))
	}
	f := &fields{file: at}
	o := f.open(evaluateField+".", m)
	o.texts(baselineField, &r.Baselines)
	r.Baselines = param.Rejoin(r.Baselines)
	o.whole("windows", &r.Windows, 1, 1_000_000)
	if agent {
		o.text("which", &r.Which)
	}
	o.text("trace", &r.Trace)
	o.texts("set", &r.Options)
	once := false // read when the cells were spelled out
	o.boolean(onceField, &once)
	trials := true
	o.boolean("trials", &trials)
	r.lean = !trials
	o.end()
	if r.Which != "best" && r.Which != "last" {
		o.wrong("which", r.Which, "best or last")
	}
	for _, b := range r.Baselines {
		if _, _, err := from.Policies.Parse(b, cluster.BestFit); err != nil {
			o.fail(baselineField, "name one that is wrong: %v", err)
		}
	}
	return r, f.err()
}

// baselinesOnce takes the baselines away from a cell that is not of the first seed, where they are asked for once: all
// seeds would measure them on the same windows.
func baselinesOnce(settings Settings) {
	m, _ := settings[evaluateField].(map[string]any)
	if m[onceField] != "true" {
		return
	}
	own := make(map[string]any, len(m))
	for k, v := range m {
		if k != baselineField {
			own[k] = v
		}
	}
	settings[evaluateField] = own
}

// texts reads a list of texts, or one text.
func (o *object) texts(key string, to *[]string) {
	if v, ok := o.m[key].(string); ok {
		o.asked = append(o.asked, key)
		*to = []string{v}
		return
	}
	for i, v := range o.list(key) {
		if text, ok := v.(string); ok {
			*to = append(*to, text)
		} else {
			o.wrong(key+"["+strconv.Itoa(i)+"]", v, "text")
		}
	}
}

// evaluate measures what a request names beside its baselines.
func (a *attempt) evaluate(ctx context.Context, r measuring) ([]string, error) {
	s, err := evaluate.Build(a.from, r.Request)
	if err != nil {
		return nil, permanent(err)
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
	path := filepath.Join("evals", "part-0.parquet")
	meta := results.NewMeta(s.JSON, "", a.opt.Version)
	if err := results.Write(ctx, results.Target{Path: filepath.Join(a.dir, path), Meta: meta}, evaluate.Evals(rows)); err != nil {
		return nil, err
	}
	if r.lean {
		return []string{path}, nil
	}
	return append(trial.Files(a.dir, done), path), nil
}
