package sweep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agents "tarry/agents/registry"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/run/train"
	"tarry/sim/param"
)

// runFolder is where the training of a learn cell lies in the cell's folder.
const runFolder = "run"

// learnFields lists the settings of a learn cell: env, agent, the settings of the agents and of the
// training, and evaluate.
func learnFields(from *parts.Catalogues) []string {
	out := append([]string{"env", "agent", "evaluate"}, agents.Keys(train.Schedule{})...)
	for _, e := range from.Agents {
		out = append(out, e.Keys...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(k string) bool { return k == seedAxis })
}

// learning is a learn cell as a value.
type learning struct {
	train train.Config
	// evaluate states how the agent is measured; without windows it is not.
	evaluate measuring
}

// learnConfig reads the settings of a cell.
func learnConfig(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (l learning, err error) {
	s := param.FromTree(name, c.Settings, where)
	env, agent := s.Text("env", ""), s.Text("agent", "ppo")
	l.evaluate = evaluateRequest(from, s, true)
	at := func(key string) string { return s.Place(key).String() }
	var given []agents.Setting
	for _, key := range s.Keys() {
		if key != "env" && key != "agent" && key != evaluateField {
			given = append(given, agents.Setting{Key: key, Value: s.Line(key), Where: at(key)})
		}
	}
	l.train, err = train.Resolve(from, env, agent, c.Seed, given)
	return l, errors.Join(s.Err(), located(err, env, at))
}

// located gives faults of the environment and of the agent's name their places; faults of settings
// have them.
func located(err error, env string, at func(key string) string) error {
	var l, out faultList
	l.add("", err)
	id, _, _ := strings.Cut(env, ":")
	for _, err := range l.errs {
		switch text := err.Error(); {
		case strings.HasPrefix(text, "agent "):
			out.add(at("agent"), err)
		case strings.HasPrefix(text, "environment "), strings.HasPrefix(text, "no environment"), id != "" &&
			strings.HasPrefix(text, id):
			out.add(at("env"), err)
		default:
			out.add("", err)
		}
	}
	return out.err()
}

func checkLearn(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (Cost, error) {
	l, err := learnConfig(from, c, name, where)
	if err != nil {
		return Cost{}, err
	}
	return Cost{Steps: int64(l.train.Steps()), Learn: true}, nil
}

// runLearn trains, then measures the agent beside baselines on windows that training did not see.
func runLearn(ctx context.Context, a *attempt) ([]string, error) {
	l, err := learnConfig(a.from, &a.cell, "cell "+a.cell.ID, func(string) string { return "" })
	if err != nil {
		return nil, permanent(err)
	}
	run := filepath.Join(a.dir, runFolder)
	out, err := train.Run(ctx, l.train, train.Options{Out: run, Resume: true, Locked: true, Workers: a.opt.Workers,
		Version: a.opt.Version,
		Watch:   func(p train.Progress) { a.said(p) }})
	switch {
	case errors.Is(err, train.ErrInterrupted):
		return nil, fmt.Errorf("%w: %d of %d steps are made", ErrRequeue, out.Steps, l.train.Steps())
	case errors.Is(err, agents.ErrDiverged): // it will diverge again
		return nil, permanent(err)
	case err != nil:
		return nil, err
	}
	a.say("%d updates, %d steps; best on validation: return %.6g after update %d", out.Updates, out.Steps, out.Best,
		out.BestUpdate)
	files := []string{filepath.Join(runFolder, results.ManifestName)}
	if l.evaluate.Windows == 0 {
		return files, nil
	}
	l.evaluate.Checkpoints = []string{run}
	more, err := a.evaluate(ctx, l.evaluate)
	return append(files, more...), err
}
