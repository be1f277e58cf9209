// Package defaults measures the effects of schedulers' defaults: each setting that is a
// choice of ours is flipped, on workloads of paired replicates, and a choice that makes a scheduler
// more than 3 % worse is no default.
//
// Reading guide: list.go reads baselines/defaults.csv, where each setting's default comes from and
// what it is flipped to, and baselines/defaults-runs.csv, the workloads; run.go runs them;
// result.go has the rows of docs/defaults.csv and the rule.
package defaults

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The sources of a default.
const (
	Paper   = "paper"   // the paper, or the textbook
	Program = "program" // a published program or documentation
	Ours    = "ours"    // this project
	Option  = "option"  // an addition of this project that is off
	Run     = "run"     // what a run is about: knowledge, hardware, files, tenants, seeds
)

// Choice is a line of baselines/defaults.csv: where the defaults of some settings of some
// schedulers come from.
type Choice struct {
	// Line is its line in the file.
	Line int
	// Schedulers are names of the catalogue; Keys are settings, none = a rule without a setting.
	Schedulers, Keys []string
	// Source is one of the sources above.
	Source string
	// Flips are settings as after NAME: in a policy, each tried in place of the default; BASE>FLIP
	// is tried in place of BASE.
	Flips []string
	// Why is why there is nothing to flip, or why a default is kept that is weaker than a flip.
	Why string
}

// Load is a line of baselines/defaults-runs.csv: a workload of some schedulers.
type Load struct {
	// Name is the workload's; several lines have the same name for different schedulers.
	Name string
	// Schedulers have it in this form; * stands for schedulers that no other line of the name
	// lists.
	Schedulers []string
	// Settings are as in a run's YAML file.
	Settings map[string]any
}

// ReadChoices reads baselines/defaults.csv.
func ReadChoices(path string) ([]Choice, error) {
	rows, err := read(path, "schedulers", "settings", "source", "flips", "why")
	var out []Choice
	var errs []error
	for i, r := range rows {
		c := Choice{Line: i + 2, Schedulers: strings.Fields(r[0]), Keys: strings.Fields(r[1]), Source: r[2],
			Flips: strings.Fields(r[3]), Why: r[4]}
		switch {
		case len(c.Schedulers) == 0:
			errs = append(errs, fmt.Errorf("%s, line %d: schedulers is empty, expected names of the catalogue", path,
				c.Line))
		case !slices.Contains([]string{Paper, Program, Ours, Option, Run}, c.Source):
			errs = append(errs, fmt.Errorf("%s, line %d: source is %q, expected paper, program, ours, option or run",
				path, c.Line, c.Source))
		case c.Source == Ours && len(c.Flips) == 0 && c.Why == "":
			errs = append(errs, fmt.Errorf("%s, line %d: a default of ours has no flips, expected some, or why "+
				"there are none", path, c.Line))
		}
		out = append(out, c)
	}
	return out, errors.Join(append(errs, err)...)
}

// ReadLoads reads baselines/defaults-runs.csv.
func ReadLoads(path string) ([]Load, error) {
	rows, err := read(path, "workload", "schedulers", "settings")
	var out []Load
	var errs []error
	for i, r := range rows {
		l := Load{Name: r[0], Schedulers: strings.Fields(r[1]), Settings: map[string]any{}}
		for part := range strings.SplitSeq(r[2], ";") {
			key, value, found := strings.Cut(strings.TrimSpace(part), "=")
			if !found {
				errs = append(errs, fmt.Errorf("%s, line %d: settings has %q, expected key=value; key=value", path,
					i+2, part))
				continue
			}
			if l.Settings[key] = value; strings.Contains(value, " ") {
				l.Settings[key] = strings.Fields(value)
			}
		}
		out = append(out, l)
	}
	return out, errors.Join(append(errs, err)...)
}

// read gives the rows of a CSV file with a given head.
func read(path string, head ...string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], head) {
		return nil, fmt.Errorf("%s: the head is not %s", path, strings.Join(head, ","))
	}
	return rows[1:], nil
}

// of gives the choices that flip something of a scheduler.
func of(choices []Choice, scheduler string) (out []Choice) {
	for _, c := range choices {
		if len(c.Flips) > 0 && slices.Contains(c.Schedulers, scheduler) {
			out = append(out, c)
		}
	}
	return out
}

// loadsOf gives the workloads of a scheduler, in the order of the file.
func loadsOf(loads []Load, scheduler string) (out []Load) {
	own := func(l Load) bool { return slices.Contains(l.Schedulers, scheduler) }
	for _, l := range loads {
		others := slices.Contains(l.Schedulers, "*") && !slices.ContainsFunc(loads,
			func(k Load) bool { return k.Name == l.Name && own(k) })
		if own(l) || others {
			out = append(out, l)
		}
	}
	return out
}

// specs gives the policies of a flip: in place of what, and itself.
func specs(scheduler, flip string) (base, flipped string) {
	before, after, found := strings.Cut(flip, ">")
	if !found {
		return scheduler, scheduler + ":" + flip
	}
	return scheduler + ":" + before, scheduler + ":" + after
}
