package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/catalogue/parts"
	"tarry/internal/run/tune"
	"tarry/output/results"
)

// paramsField is the setting that holds the parameters of a tune cell.
const paramsField = "params"

// tuneFields lists the settings of a tune cell: the options of tarry tune, and evaluate.
func tuneFields(*parts.Catalogues) []string {
	return []string{"env", "policy", paramsField, "optimiser", "metric", "budget", "windows", "validation", "candidates", evaluateField}
}

// tuning is a tune cell as a value.
type tuning struct {
	tune tune.Config
	// evaluate says how the scheduler that was chosen is measured; without windows it is not.
	evaluate measuring
}

// tuneConfig reads the settings of a cell. What only making it real can tell is left to tune.Estimate.
func tuneConfig(from *parts.Catalogues, c *Cell, name string, where func(key string) string) (t tuning, err error) {
	f := &fields{file: name, where: map[string]string{}}
	for _, k := range slices.Concat(slices.Collect(maps.Keys(c.Settings)), []string{paramsField}) {
		f.where[k] = where(k)
	}
	o := f.open("", c.Settings)
	t.tune = tune.Default()
	t.tune.Seed = c.Seed
	o.text("env", &t.tune.Env)
	o.text("policy", &t.tune.Policy)
	o.text("optimiser", &t.tune.Optimiser)
	o.text("metric", &t.tune.Metric)
	o.whole("budget", &t.tune.Budget, 1, 1_000_000)
	o.whole("windows", &t.tune.Windows, 1, 10_000)
	o.whole("validation", &t.tune.Validation, 1, 10_000)
	o.whole("candidates", &t.tune.Candidates, 1, 1000)
	o.get(evaluateField)
	t.tune.Params = o.params(where)
	o.end()
	t.evaluate, err = evaluateRequest(from, c, name, where, false)
	return t, errors.Join(f.err(), err)
}

// params reads the parameters, in the order of their names: a number's range, or a list of texts.
func (o *object) params(where func(key string) string) []string {
	p := o.child(paramsField)
	if p == nil {
		return nil
	}
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(p.m), byMember) {
		p.f.where[p.path+k] = placeOf(where, p.path+k, p.f.where[paramsField])
		switch v := p.m[k].(type) {
		case string:
			out = append(out, k+"="+v)
		case []any:
			for i := range v {
				p.f.where[p.path+k+"["+strconv.Itoa(i)+"]"] = p.f.where[p.path+k]
			}
			var texts []string
			if p.texts(k, &texts); len(texts) == len(v) {
				out = append(out, k+"="+strings.Join(texts, "|"))
			}
		default:
			p.wrong(k, v, "LO:HI, LO:HI:log, LO:HI:int, LO:HI:logint or a list of choices")
		}
	}
	return out
}

// byMember orders parameters by name, and the members of a list (queues/0, queues/1, ...) by number.
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

// runTune tunes, then measures the scheduler that was chosen beside baselines on windows that tuning did not see.
func runTune(ctx context.Context, a *attempt) ([]string, error) {
	t, err := tuneConfig(a.from, &a.cell, "cell "+a.cell.ID, func(string) string { return "" })
	if err != nil {
		return nil, permanent(err)
	}
	run := filepath.Join(a.dir, runFolder)
	best := ""
	out, err := tune.Run(ctx, a.from, t.tune, tune.Options{Out: run, Resume: true, Locked: true, Workers: a.opt.Workers, Version: a.opt.Version, Watch: func(p tune.Progress) {
		if p.Params != best {
			best = p.Params
			a.say("%d of %d simulations, best so far %+.4g of %s as it stands: %s", p.Windows, p.Budget, p.Best, t.tune.Policy, p.Params)
		}
		a.ended(p.Windows)
	}})
	fault := (*tune.Fault)(nil)
	switch {
	case errors.Is(err, tune.ErrInterrupted):
		return nil, fmt.Errorf("%w: %d of %d points are measured", ErrRequeue, out.Windows/t.tune.Windows, t.tune.Budget)
	case errors.As(err, &fault):
		return nil, permanent(err)
	case err != nil:
		return nil, err
	}
	a.say("%d simulations with %d jobs; %s: %s %.6g on validation, %s as it stands %.6g", out.Simulations, out.Jobs, out.Best.Policy, t.tune.Metric,
		out.Best.Validation, out.Reference.Policy, out.Reference.Validation)
	files := []string{filepath.Join(runFolder, results.ManifestName)}
	if t.evaluate.Windows == 0 {
		return files, nil
	}
	t.evaluate.Tuned = []string{run}
	more, err := a.evaluate(ctx, t.evaluate)
	return append(files, more...), err
}
