package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tarry/env/scenario"
	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/parts"
	"tarry/run/trial"
)

// simulateFields lists the settings of a simulate cell: the settings of a run's YAML file except
// the seed, which is the cell's, and for what is the sweep's to decide.
func simulateFields(*parts.Catalogues) []string {
	return slices.DeleteFunc(config.Fields(), func(f string) bool { return f == "seed" || f == "jobs" || f == "out" })
}

// simulateConfig reads the settings of a cell.
func simulateConfig(c *Cell, name string, where func(key string) string) (config.Config, error) {
	var errs []error
	for _, key := range [...]string{"seed", "jobs", "out"} {
		if _, there := c.Settings[key]; there {
			errs = append(errs, fmt.Errorf("%s: %s is given, expected it beside base: the sweep decides it",
				placeOf(where, key, name), key))
		}
	}
	cfg := config.Default()
	f := config.FromSettings(name, c.Settings, where)
	errs = append(errs, cfg.ApplyPreset(f.Preset()), f.Apply(&cfg))
	cfg.Seed = c.Seed
	return cfg, errors.Join(errs...)
}

// placeOf is the place of a setting, or else a name.
func placeOf(where func(key string) string, key, name string) string {
	if p := where(key); p != "" {
		return p
	}
	return name
}

// buildSimulate makes what the settings stand for; to check them, without what has to be simulated.
func buildSimulate(ctx context.Context, from *parts.Catalogues, kept *scenario.Kept, c *Cell, name string,
	where func(key string) string, check bool) (*config.Setup, error) {
	cfg, err := simulateConfig(c, name, where)
	cfg.Unchosen = check
	if err == nil && len(cfg.Policies) == 0 {
		err = fmt.Errorf("%s: no policy, expected policy or policies", name)
	}
	if err != nil {
		return nil, withOthers(from, err, cfg)
	}
	return config.BuildKept(ctx, cfg, kept)
}

// withOthers adds to the faults of settings the faults of the others, which are known when all is
// put together.
func withOthers(from *parts.Catalogues, err error, cfg config.Config) error {
	var l, more faultList
	l.add("", err)
	_, err = config.Build(cfg, from.Catalogues)
	more.add("", err)
	l.addElsewhere(places(l.errs), more.errs)
	return l.sorted()
}

func checkSimulate(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (Cost, error) {
	s, err := buildSimulate(context.Background(), from, &scenario.Kept{From: from.Catalogues}, c, name, where, true)
	if err != nil {
		return Cost{}, err
	}
	cost := Cost{GPUs: int64(s.Topology.GPUs())}
	for i := range s.Runs {
		n := int64(len(s.Runs[i].Workload.Jobs))
		cost.Jobs += n * int64(len(s.Config.Policies))
		cost.Loaded += n
	}
	return cost, nil
}

// runSimulate runs the policies and replicates of a cell.
func runSimulate(ctx context.Context, a *attempt) ([]string, error) {
	s, err := buildSimulate(ctx, a.from, a.kept, &a.cell, "cell "+a.cell.ID,
		func(string) string { return "" }, false)
	if err != nil {
		return nil, permanent(err)
	}
	for _, n := range s.Notes {
		a.say("%s", n)
	}
	trials := s.Trials()
	a.name(trials)
	how := a.trialOptions()
	if len(trials) == 1 { // of several, trials that ended are kept when the cell is stopped
		how.Files = &a.files
	}
	keep := a.keeper.wants(s, trials)
	if keep {
		how.Keep = keptTables()
	}
	done, err := trial.Run(ctx, trials, how)
	if err != nil {
		return nil, err
	}
	a.count(done)
	if keep {
		a.rows = rowsOf(done[0])
	}
	return trial.Files(a.dir, done), nil
}

// name puts the sweep and the cell into the keys of trials.
func (a *attempt) name(trials []trial.Trial) {
	for i := range trials {
		a.key(&trials[i].Keys)
	}
}

// key names the sweep and the cell.
func (a *attempt) key(k *results.Keys) { k.Experiment, k.Cell = a.sweep, a.cell.ID }

func (a *attempt) trialOptions() trial.Options {
	return trial.Options{Workers: a.opt.Workers, Out: a.dir, Codec: codecOf(a.cell.Settings), Version: a.opt.Version,
		Clock: a.opt.Clock, Progress: a.progress, Unsynced: a.opt.Unsynced}
}

// count keeps for the log what was run and what was there already. The log states it when the files
// of the cell have their names: until then a kill takes the work back.
func (a *attempt) count(done []*trial.Result) {
	reused := 0
	for _, r := range done {
		if r.Reused {
			reused++
		}
	}
	a.counted = fmt.Sprintf("%d trials, %d of them were complete already", len(done), reused)
}
