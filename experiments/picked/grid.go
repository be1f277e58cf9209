package picked

import (
	"strings"

	"tarry/experiments/sweep"
)

// environment is the environment of all agents; protocol the cuts of the published logs: what is in
// none of the ten test windows is training up to job 1980, and validation from job 6252 on.
const (
	environment = "tarry/Pick-v0"
	protocol    = "window_jobs=512,test_starts=rlscheduler,test_jobs=1024,shares=66:34:1"
)

// backfilled ends the names of settings with backfilling.
const backfilled = "-backfill"

// setting is a log, or generated jobs, without or with backfilling.
type setting struct{ name, options string }

// settings are the published ones at full scale, else generated jobs, which need no file.
func settings(scale string) []setting {
	logs := []setting{{"synth", "window_jobs=200,windows=60,load=1.2,workload=demo"}}
	if scale == sweep.Full {
		const from = "trace=swf-rlscheduler:../shared/traces/lublin-256/"
		logs = []setting{{"lublin-1", from + "lublin_256.swf," + protocol},
			{"lublin-2", from + "lublin_256_new2.swf," + protocol}}
	}
	var out []setting
	for _, l := range logs {
		out = append(out, l, setting{l.name + backfilled, l.options + ",backfill=fcfs"})
	}
	return out
}

// rivals are the hand-made scores with the true wait, in a setting.
func rivals(backfill bool) []string {
	var out []string
	for _, order := range []string{"sjf", "f1", "wfp3", "unicep", "fcfs"} {
		name := "picked:order=" + order
		if backfill {
			name += ",backfill=fcfs"
		}
		out = append(out, name)
	}
	return out
}

// learner is a way to learn the picks.
type learner struct {
	name, options string
	seeds         int // at full scale
	set           sweep.Settings
}

// learners are two searches and PPO. Their budgets are what one processor does in minutes.
func learners(scale string) []learner {
	search := func(more sweep.Settings) sweep.Settings {
		set := sweep.Settings{"agent": "cmaes-policy", "generations": sweep.At(scale, 2, 6, 10),
			"population": sweep.At(scale, 4, 12, 12), "windows": sweep.At(scale, 2, 6, 8),
			"validate_every": sweep.At(scale, 1, 2, 3), "validate_episodes": sweep.At(scale, 2, 12, 20)}
		for k, v := range more {
			set[k] = v
		}
		return set
	}
	return []learner{
		{"linear", "", 5, search(nil)},
		{"units", ",hidden=8", 3, search(sweep.Settings{"generations": sweep.At(scale, 1, 6, 10)})},
		{"ppo", ",window_jobs=256", 2, sweep.Settings{"agent": "ppo",
			"total_steps": sweep.At(scale, 256, 4096, 16_384), "envs": sweep.At(scale, 1, 4, 4),
			"steps":  sweep.At(scale, 128, 256, 256),
			"epochs": 4, "imitate": "picked:order=sjf", "imitate_episodes": sweep.At(scale, 1, 4, 4),
			"imitate_epochs": sweep.At(scale, 1, 4, 4), "validate_every": 4,
			"validate_episodes": sweep.At(scale, 2, 8, 12)}},
	}
}

// specs is a sweep per learner.
func specs(scale string) []sweep.Spec {
	var out []sweep.Spec
	for i, l := range learners(scale) {
		over := sweep.Axis{Name: "setting"}
		for _, s := range settings(scale) {
			measured := sweep.Settings{"windows": sweep.At(scale, 3, 10, 10), "trials": false}
			if i == 0 { // once is enough: the windows are the same for all learners
				measured["baselines"], measured["baselines_once"] = rivals(strings.HasSuffix(s.name, backfilled)), true
			}
			over.Cases = append(over.Cases, sweep.Case{Name: s.name,
				Set: sweep.Settings{"env": environment + ":" + l.on(scale, s), "evaluate": measured}})
		}
		one := sweep.Axis{Name: "learner", Cases: []sweep.Case{{Name: l.name, Set: sweep.Settings{}}}}
		base := sweep.Settings{"env": environment}
		for k, v := range l.set {
			base[k] = v
		}
		out = append(out, sweep.Spec{Name: "picked-" + l.name, Kind: "learn", Base: base,
			Axes:  []sweep.Axis{over, one},
			Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 2, l.seeds))})
	}
	return out
}

// on are the options of the environment in a setting.
func (l *learner) on(scale string, s setting) string {
	if own, shorter := strings.CutPrefix(l.options, ",window_jobs="); shorter {
		if scale == sweep.Full {
			return strings.Replace(s.options, "window_jobs=512", "window_jobs="+own, 1)
		}
		return s.options
	}
	return s.options + l.options
}
