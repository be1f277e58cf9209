package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"tarry/agents"
	envc "tarry/env/cluster"
	"tarry/internal/evaluate"
	"tarry/internal/results"
	"tarry/internal/train"
	"tarry/internal/trial"
	"tarry/sim/cluster"
)

// runFolder is where the training of a learn cell lies in the cell's folder.
const runFolder = "run"

// learnFields lists the settings of a learn cell: env, agent, those of the agents and of the
// training, and evaluate.
func learnFields() []string {
	out := append([]string{"env", "agent", "evaluate"}, agents.Keys(train.Schedule{})...)
	for _, e := range agents.All() {
		out = append(out, e.Keys...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(k string) bool { return k == seedAxis })
}

// learning is a learn cell as a value.
type learning struct {
	train train.Config
	// evaluate says how the agent is measured; without windows it is not.
	evaluate evaluate.Request
}

// learnConfig reads the settings of a cell.
func learnConfig(c *Cell, name string, where func(key string) string) (l learning, err error) {
	env, agent := "", "ppo"
	var given []agents.Setting
	var errs []error
	text := func(key string, to *string) {
		if v, ok := c.Settings[key].(string); ok {
			*to = v
		} else {
			errs = append(errs, fmt.Errorf("%s: %s is %s, expected text", placeOf(where, key, name), key, describe(c.Settings[key])))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Settings)) {
		switch key {
		case "env":
			text(key, &env)
		case "agent":
			text(key, &agent)
		case "evaluate":
		default:
			v, ok := c.Settings[key].(string)
			if !ok {
				line, err := json.Marshal(unquoted(c.Settings[key]))
				v, errs = string(line), append(errs, err)
			}
			given = append(given, agents.Setting{Key: key, Value: v, Where: placeOf(where, key, name)})
		}
	}
	l.evaluate, err = evaluateRequest(c, name, where)
	errs = append(errs, err)
	l.train, err = train.Resolve(env, agent, c.Seed, given)
	return l, errors.Join(append(errs, err)...)
}

// unquoted gives numbers and bools in a list or mapping their JSON form back.
func unquoted(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = unquoted(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = unquoted(v[k])
		}
		return out
	case string:
		if json.Valid([]byte(v)) {
			return json.RawMessage(v)
		}
	}
	return v
}

// evaluateRequest reads the mapping evaluate: baselines, windows (10 if nothing is said), which (best
// or last), trace, and set, options of the environment that replace those of training. Without the
// mapping the agent is not measured.
func evaluateRequest(c *Cell, name string, where func(key string) string) (evaluate.Request, error) {
	r := evaluate.Request{Which: "best", Part: envc.Test, Windows: 10}
	at := placeOf(where, "evaluate", name)
	var m map[string]any
	switch v := c.Settings["evaluate"].(type) {
	case nil:
		return evaluate.Request{}, nil
	case map[string]any:
		m = v
	default:
		return r, fmt.Errorf("%s: evaluate is %s, expected key: value", at, describe(v))
	}
	f := &fields{file: at}
	o := f.open("evaluate.", m)
	o.texts("baselines", &r.Baselines)
	o.whole("windows", &r.Windows, 1, 1_000_000)
	o.text("which", &r.Which)
	o.text("trace", &r.Trace)
	o.texts("set", &r.Options)
	o.end()
	if r.Which != "best" && r.Which != "last" {
		o.wrong("which", r.Which, "best or last")
	}
	for _, b := range r.Baselines {
		if _, err := parsePolicy(b, cluster.BestFit); err != nil {
			o.fail("baselines", "name one that is wrong: %v", err)
		}
	}
	return r, f.err()
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

func checkLearn(c *Cell, name string, where func(key string) string) (Cost, error) {
	l, err := learnConfig(c, name, where)
	if err != nil {
		return Cost{}, err
	}
	return Cost{Steps: int64(l.train.Steps()), Learn: true}, nil
}

// runLearn trains, then measures the agent beside baselines on windows that training did not see.
func runLearn(ctx context.Context, a *attempt) ([]string, error) {
	l, err := learnConfig(&a.cell, "cell "+a.cell.ID, func(string) string { return "" })
	if err != nil {
		return nil, permanent(err)
	}
	run := filepath.Join(a.dir, runFolder)
	out, err := train.Run(ctx, l.train, train.Options{Out: run, Resume: true, Workers: a.opt.Workers, Version: a.opt.Version,
		Watch: func(p train.Progress) { a.said(p) }})
	switch {
	case errors.Is(err, train.ErrInterrupted):
		return nil, fmt.Errorf("%w: %d of %d steps are made", ErrRequeue, out.Steps, l.train.Steps())
	case errors.Is(err, agents.ErrDiverged): // it will diverge again
		return nil, permanent(err)
	case err != nil:
		return nil, err
	}
	a.say("%d updates, %d steps; best on validation: return %.6g after update %d", out.Updates, out.Steps, out.Best, out.BestUpdate)
	files := []string{filepath.Join(runFolder, results.ManifestName)}
	if l.evaluate.Windows == 0 {
		return files, nil
	}
	more, err := a.evaluate(ctx, l.evaluate, run)
	return append(files, more...), err
}

// evaluate measures the agent of a run.
func (a *attempt) evaluate(ctx context.Context, r evaluate.Request, run string) ([]string, error) {
	r.Checkpoints = []string{run}
	s, err := evaluate.Build(r)
	if err != nil {
		return nil, permanent(err)
	}
	a.name(s.Trials)
	done, err := trial.Run(ctx, s.Trials, a.trialOptions())
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
	return append(trial.Files(a.dir, done), path), nil
}
