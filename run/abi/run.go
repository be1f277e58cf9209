package abi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/env/scenario"
	"tarry/run/config"
	"tarry/run/parts"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// RunRequest states what to simulate: tarry simulate or tarry compare, with settings in place of
// flags.
type RunRequest struct {
	// Command is simulate or compare.
	Command string `json:"command"`
	// Config and Scenario are as the flags of these names: the path of a file, or its settings as a
	// mapping; nil = none.
	Config   any `json:"config"`
	Scenario any `json:"scenario"`
	// Preset is as the flag of that name; "" = none.
	Preset string `json:"preset"`
	// Settings are the settings of a run's file, texts, lists and mappings of these; names of flags
	// stand for the settings that they set.
	Settings map[string]any `json:"settings"`
	// Tables are the tables whose rows are handed out: trials, jobs, intervals, cluster,
	// predictions, measures.
	Tables []string `json:"tables"`
	// Force replaces the results of another configuration in the folder of the setting out.
	Force bool `json:"force"`
	// Bounds adds rows of bounds to a comparison.
	Bounds bool `json:"bounds"`
	// Own are schedulers of the caller's that the settings name.
	Own []ownPolicy `json:"own"`
	// Library is the file of this library: its code id is part of the version that results have.
	Library string `json:"library"`
}

// ParseRun reads a RunRequest from JSON, strictly.
func ParseRun(text []byte) (RunRequest, error) {
	var r RunRequest
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return r, fmt.Errorf("request: %w", err)
	}
	if r.Command != "simulate" && r.Command != "compare" {
		return r, fmt.Errorf("command is %q, expected simulate or compare", r.Command)
	}
	var errs []error
	for _, table := range r.Tables {
		if !slices.Contains(RunTables(), table) {
			errs = append(errs, fmt.Errorf("tables: %q, expected some of %s%s", table, strings.Join(RunTables(), ", "),
				param.Hint(table, RunTables())))
		}
	}
	return r, errors.Join(errs...)
}

// RunTables lists the tables of a run.
func RunTables() []string {
	return []string{"trials", "jobs", "intervals", "cluster", "power", "services", "predictions", "measures"}
}

// flagged are the flags of simulate and compare that have another name than the setting that they
// set.
func flagged() map[string]string {
	return map[string]string{
		"cost": "costs", "profile": "profiles", "until": "until_s", "mark_every": "mark_every_s",
		"machine_mtbf": "faults.machine_mtbf_s", "machine_mttr": "faults.machine_mttr_s",
		"gpu_mtbf": "faults.gpu_mtbf_s", "gpu_mttr": "faults.gpu_mttr_s",
	}
}

// settings gives the settings their own names. One that is given under both is a fault.
func (r *RunRequest) settings() (map[string]any, error) {
	out := map[string]any{}
	var errs []error
	put := func(to map[string]any, key, given string, v any) {
		if _, twice := to[key]; twice {
			errs = append(errs, fmt.Errorf("%s and %s are both given, expected one of them", given, flagged()[given]))
		}
		to[key] = v
	}
	for key, v := range r.Settings {
		if flagged()[key] == "" {
			out[key] = v
		}
	}
	for key, v := range r.Settings {
		outer, inner, nested := strings.Cut(flagged()[key], ".")
		switch {
		case outer == "":
		case !nested:
			put(out, outer, key, v)
		default:
			child, ok := out[outer].(map[string]any)
			if !ok {
				if text, given := out[outer]; given {
					errs = append(errs, fmt.Errorf("%s and %s=%v are both given, expected %s as a mapping with %s",
						key, outer, text, outer, inner))
				}
				child = map[string]any{}
			}
			put(child, inner, key, v)
			out[outer] = child
		}
	}
	return out, errors.Join(errs...)
}

// setup resolves defaults < preset < scenario < file < settings and builds them. The error has all
// faults.
func (r *RunRequest) setup(ctx context.Context, from *parts.Catalogues) (*config.Setup, error) {
	cfg := config.Default()
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	file, err := fileOf("config", r.Config)
	note(err)
	preset := r.Preset
	if preset == "" && file != nil {
		preset = file.Preset()
	}
	note(cfg.ApplyPreset(preset))
	switch v := r.Scenario.(type) {
	case nil:
	case string:
		note(cfg.ReadFile(v))
	case map[string]any:
		set := param.FromTree("scenario", v, nowhere)
		cfg.Scenario.Read(set)
		note(set.Err())
	default:
		note(fmt.Errorf("scenario is %v, expected a file or its settings", v))
	}
	if file != nil {
		note(file.Apply(&cfg))
	}
	settings, err := r.settings()
	note(err)
	// else the policies of the file, if one is given, would be beside them
	if settings["policy"] != nil || settings["policies"] != nil {
		cfg.Policies = nil
	}
	note(config.FromSettings("tarry."+r.Command, settings, nowhere).Apply(&cfg))
	if preset != "" {
		cfg.Preset = preset
	}
	if r.Command == "simulate" && len(cfg.Policies) > 1 {
		note(fmt.Errorf("%d policies (%s), expected one: tarry.compare takes many", len(cfg.Policies),
			strings.Join(cfg.Policies, ", ")))
		cfg.Policies = cfg.Policies[:1]
	}
	s, err := config.BuildKept(ctx, cfg, &scenario.Kept{From: from.Catalogues})
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	return s, nil
}

// setupUntil is setup, which is left alone when ctx ends: it reads and draws jobs and writes
// nothing.
//
// A caller that is asked is asked meanwhile whether it still waits.
func (r *RunRequest) setupUntil(ctx context.Context, from *parts.Catalogues, caller *Caller) (s *config.Setup,
	err error) {
	done := make(chan struct{})
	var made *config.Setup
	var wrong error
	go func() {
		defer close(done)
		wrong = kept(func() (err error) {
			if made, err = r.setup(ctx, from); err != nil {
				return refused{err}
			}
			return nil
		})
	}()
	if caller != nil {
		if !caller.Wait(done) {
			return nil, ErrStopped
		}
		return made, wrong
	}
	select {
	case <-done:
		return made, wrong
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// refused is an error of what was asked for.
type refused struct{ error }

func (e refused) Unwrap() error { return e.error }

// nowhere is the place of a setting of the caller's: it has none but the call.
func nowhere(string) string { return "" }

// fileOf gives a run's file, which is named or given as a mapping; nil = there is none.
func fileOf(what string, v any) (*config.File, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return config.ReadFile(v)
	case map[string]any:
		return config.FromSettings(what, v, nowhere), nil
	}
	return nil, fmt.Errorf("%s is %v, expected a file or its settings", what, v)
}

// withJobs gives catalogues in which the trace of a name is one that the caller handed over.
func withJobs(from *parts.Catalogues, own entry.Trace) *parts.Catalogues {
	out := *from
	out.Traces = append(slices.Clone(from.Traces), own)
	return &out
}
