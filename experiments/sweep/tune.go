package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/output/results"
	"tarry/run/parts"
	"tarry/run/tune"
	"tarry/sim/param"
)

// paramsField is the setting that holds the parameters of a tune cell.
const paramsField = "params"

// tuneFields lists the settings of a tune cell: the options of tarry tune, and evaluate.
func tuneFields(*parts.Catalogues) []string {
	return []string{"env", "policy", paramsField, "optimiser", "metric", "cost", "against", "budget", "windows",
		"validation", "candidates", codecField, evaluateField}
}

// tuning is a tune cell as a value.
type tuning struct {
	tune tune.Config
	// evaluate states how the scheduler that was chosen is measured; without windows it is not.
	evaluate measuring
}

// tuneConfig reads the settings of a cell. What only a built environment can show is left to
// tune.Estimate.
func tuneConfig(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (t tuning, err error) {
	s := param.FromTree(name, c.Settings, where)
	t.tune = tune.Default()
	t.tune.Seed = c.Seed
	t.tune.Env = s.Text("env", t.tune.Env)
	t.tune.Policy = s.Text("policy", t.tune.Policy)
	t.tune.Optimiser = s.Text("optimiser", t.tune.Optimiser)
	t.tune.Metric = s.Text("metric", t.tune.Metric)
	t.tune.Cost = s.Enum("cost", tune.Costs()...)
	t.tune.Against = s.Text("against", t.tune.Against)
	t.tune.Budget = s.Int("budget", t.tune.Budget, 1, 1_000_000)
	t.tune.Windows = s.Int("windows", t.tune.Windows, 1, 10_000)
	t.tune.Validation = s.Int("validation", t.tune.Validation, 1, 10_000)
	t.tune.Candidates = s.Int("candidates", t.tune.Candidates, 1, 1000)
	t.tune.Codec = s.Enum(codecField, results.Codecs()...)
	t.tune.Params = tuneParams(s.Child(paramsField))
	t.evaluate = evaluateRequest(from, s, false)
	return t, s.Err()
}

// tuneParams reads the parameters, in the order of their names: a number's range, or a list of
// texts.
func tuneParams(s *param.Set) []string {
	var out []string
	for _, k := range slices.SortedFunc(slices.Values(s.Keys()), byMember) {
		switch {
		case s.IsList(k):
			if texts := s.Entries(k, "text"); len(texts) == s.Len(k) {
				out = append(out, k+"="+strings.Join(texts, "|"))
			}
		case s.IsMapping(k):
			s.Tree(k, nil)
			s.Wrong(k, "LO:HI, LO:HI:log, LO:HI:int, LO:HI:logint or a list of choices")
		default:
			out = append(out, k+"="+s.Text(k, ""))
		}
	}
	return out
}

// byMember orders parameters by name, and the members of a list (queues/0, queues/1, ...) by
// number.
func byMember(a, b string) int {
	nameA, memberA, _ := strings.Cut(a, "/")
	nameB, memberB, _ := strings.Cut(b, "/")
	x, _ := strconv.Atoi(memberA)
	y, _ := strconv.Atoi(memberB)
	return cmp.Or(cmp.Compare(nameA, nameB), cmp.Compare(x, y), cmp.Compare(memberA, memberB))
}

func checkTune(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (Cost, error) {
	t, err := tuneConfig(from, c, name, where)
	size, bad := tune.Estimate(from, t.tune, "")
	if err := errors.Join(err, placed(bad, name, where)); err != nil {
		return Cost{}, err
	}
	return Cost{Jobs: size.Jobs, Loaded: size.Loaded, GPUs: size.GPUs}, nil
}

// placed gives the faults of a configuration their places.
func placed(err error, name string, where func(key string) string) error {
	if err == nil {
		return nil
	}
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		many = errors.Join(err).(interface{ Unwrap() []error })
	}
	var out []error
	for _, e := range many.Unwrap() {
		at := name
		if f := (*tune.Fault)(nil); errors.As(e, &f) {
			key := f.Field
			if key == "validation_windows" { // as config.json of the run calls it
				key = "validation"
			}
			top, _, _ := strings.Cut(key, ".")
			at = placeOf(where, key, placeOf(where, top, name))
		}
		out = append(out, fmt.Errorf("%s: %w", at, e))
	}
	return errors.Join(out...)
}

// runTune tunes, then measures the scheduler that was chosen beside baselines on windows that
// tuning did not see.
func runTune(ctx context.Context, a *attempt) ([]string, error) {
	t, err := tuneConfig(a.from, &a.cell, "cell "+a.cell.ID, func(string) string { return "" })
	if err != nil {
		return nil, permanent(err)
	}
	run := filepath.Join(a.dir, runFolder)
	best := ""
	out, err := tune.Run(ctx, a.from, t.tune, tune.Options{Out: run, Resume: true, Locked: true,
		Workers: a.opt.Workers, Version: a.opt.Version, Watch: func(p tune.Progress) {
			if p.Params != best {
				best = p.Params
				a.say("%d of %d simulations, best so far %+.4g of %s as it stands: %s", p.Windows, p.Budget, p.Best,
					t.tune.Policy, p.Params)
			}
			a.ended(p.Windows)
		}})
	fault := (*tune.Fault)(nil)
	switch {
	case errors.Is(err, tune.ErrInterrupted):
		return nil, fmt.Errorf("%w: %d of %d points are measured", ErrRequeue, out.Windows/t.tune.Windows,
			t.tune.Budget)
	case errors.As(err, &fault):
		return nil, permanent(err)
	case err != nil:
		return nil, err
	}
	a.say("%d simulations with %d jobs; %s: %s %.6g on validation, %s as it stands %.6g", out.Simulations, out.Jobs,
		out.Best.Policy, t.tune.Metric,
		out.Best.Validation, out.Reference.Policy, out.Reference.Validation)
	files := []string{filepath.Join(runFolder, results.ManifestName)}
	if t.evaluate.Windows == 0 {
		return files, nil
	}
	t.evaluate.Tuned, t.evaluate.OpenTuned = []string{run}, tune.OpenWith
	more, err := a.evaluate(ctx, t.evaluate)
	return append(files, more...), err
}
