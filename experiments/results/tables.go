package results

import (
	"context"
	"maps"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// hindsight names the best of the fixed timers on each window.
const hindsight = "best static timers, with hindsight"

// placebo names the same choice made on the other half of the windows.
const placebo = "static timers that are best on the other half"

const (
	// rule is what a learned preemption is compared with: it reads the true durations, orders by
	// what is left and evicts for it.
	rule = "dally:order=srpt,evict=later"
	// quickRule is the rule at a grain of three minutes, as for preempt-srpt.
	quickRule = rule + ",min_run=0.05"
)

// learnedNames lists the ways to timers and to victims.
func learnedNames() []string {
	return []string{"timers-tuned", "timers-ppo", "timers-sac", "preempt-ppo", "preempt-srpt", "preempt-blind",
		"preempt-dqn"}
}

// isOther recognises what is neither learned, nor Dally or the rule, nor fixed timers of the bound.
func isOther(series string) bool {
	return series != "dally" && series != rule && !isFixed(series) && !slices.Contains(learnedNames(), series)
}

// among chooses series by their names.
func among(names ...string) func(string) bool {
	return func(series string) bool { return slices.Contains(names, series) }
}

// tables gives the tables of docs/results/timers.md and of the pages beside it.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	book := digest.NewLearned(d, evals, "learner")
	has := func(axis string) func(*sweep.Cell) bool {
		return func(c *sweep.Cell) bool { return c.Axes[axis] != "" }
	}
	makers := settingTables(book.Where(has("setting")))
	if moved := book.Where(has("pair")); len(moved.Values("pair")) > 0 {
		p := digest.Pages{Book: moved, X: "pair", Series: "learner", Base: "dally",
			Keep: among(append(learnedNames(), rule)...), Transpose: true}
		makers["transfer"] = func() (string, error) { return p.Relative("jct_mean_s") }
	}
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		if out[name], err = makers[name](); err != nil {
			return nil, err
		}
	}
	if cost := costTable(costs); cost != "" {
		out["cost"] = cost
	}
	return out, nil
}

// settingTables have a row per setting.
func settingTables(book *digest.Book) map[string]func() (string, error) {
	of := func(keep func(string) bool) *digest.Pages {
		return &digest.Pages{Book: book, X: "setting", Series: "learner", Base: "dally", Keep: keep, Transpose: true}
	}
	// The best of each window is only one thing where less is better.
	bounded := of(among(append(learnedNames(), rule, hindsight, placebo)...))
	bounded.Fold, bounded.FoldName, bounded.Placebo = isFixed, hindsight, placebo
	learned := of(among(learnedNames()...))
	does := of(among(append(learnedNames(), "dally", "srtf", rule)...))
	others := of(isOther)
	return map[string]func() (string, error){
		"jct_relative":                 func() (string, error) { return bounded.Relative("jct_mean_s") },
		"jct_relative_baselines":       func() (string, error) { return others.Relative("jct_mean_s") },
		"queue_p99_relative":           func() (string, error) { return bounded.Relative("queue_p99_s") },
		"queue_p99_relative_baselines": func() (string, error) { return others.Relative("queue_p99_s") },
		"jct_p99_relative":             func() (string, error) { return learned.Relative("jct_p99_s") },
		"makespan_relative":            func() (string, error) { return learned.Relative("makespan_s") },
		"improvement":                  func() (string, error) { return learned.Share("jct_mean_s") },
		"jct_mean":                     func() (string, error) { return does.Means("jct_mean_s", 2) },
		"comm_frac":                    func() (string, error) { return does.Means("comm_frac", 3) },
		"preemptions":                  func() (string, error) { return does.Means("preemptions", 2) },
		"summary":                      func() (string, error) { return bounded.Summary("jct_mean_s") },
		"summary_queue_p99":            func() (string, error) { return learned.Summary("queue_p99_s") },
		"rule_relative": func() (string, error) {
			return of(nil).Against("jct_mean_s", [2]string{"preempt-ppo", rule}, [2]string{"preempt-srpt", rule},
				[2]string{"preempt-srpt", quickRule}, [2]string{"preempt-ppo", "srtf-placed"},
				[2]string{"preempt-blind", "dally:order=las,evict=later"}, [2]string{"preempt-dqn", "preempt-ppo"},
				[2]string{"timers-ppo", "timers-tuned"})
		},
	}
}
