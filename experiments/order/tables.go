package order

import (
	"context"
	"maps"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
	"tarry/run/bounds"
)

// tables gives the tables of docs/results/overview.md and of the pages beside it.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	tuned, err := sweep.Rows[rows.Tune](ctx, d)
	if err != nil {
		return nil, err
	}
	curves, err := sweep.Rows[rows.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	makers := map[string]func() (string, error){}
	book := digest.NewLearned(d, withBest(d, evals, tuned, curves), "learner")
	if here := book.Where(has("setting")); len(here.Values("setting")) > 0 {
		maps.Copy(makers, settingTables(here, ruleNames(d, evals)))
	}
	if moved := book.Where(has("pair")); len(moved.Values("pair")) > 0 {
		p := digest.Pages{Book: moved, X: "pair", Series: "learner", Base: "dally", Transpose: true}
		makers["transfer"] = func() (string, error) { return p.Relative("jct_mean_s") }
	}
	if parts := digest.NewLearned(d, byVariant(d, evals), "variant").Where(has("variant")); len(
		parts.Values("variant")) > 0 {
		p := digest.Pages{Book: parts, X: "on", Series: "variant", Base: "dally"}
		makers["ablation"] = func() (string, error) { return p.Relative("jct_mean_s") }
	}
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		if out[name], err = makers[name](); err != nil {
			return nil, err
		}
	}
	if err := payers(ctx, d, out); err != nil {
		return nil, err
	}
	out["weights"] = weightTable(weights)
	out["rules_chosen"] = chosenTable(d, evals, winners(d, evals))
	out["rules_validated"] = chosenTable(d, evals, byValidation(d, tuned))
	maps.DeleteFunc(out, func(_, text string) bool { return text == "" })
	return out, nil
}

// linear is the learner whose score has no hidden units.
const linear = "order-linear"

// learnerNames lists the learners.
func learnerNames() []string { return []string{linear, "order-hidden", "order-es", "order-random"} }

// settingTables have a row per workload.
func settingTables(book *digest.Book, rivals []string) map[string]func() (string, error) {
	of := func(keep ...string) *digest.Pages {
		return &digest.Pages{Book: book, X: "setting", Series: "learner", Base: "dally", Keep: among(keep...),
			Transpose: true}
	}
	main := []string{linear, "order-hidden", bestRule, chosenRule, chosenSeed}
	for _, b := range bounds.All() {
		main = append(main, b.Name)
	}
	against := func(rule string) func() (string, error) {
		var pairs [][2]string
		for _, l := range learnerNames() {
			pairs = append(pairs, [2]string{l, rule})
		}
		return func() (string, error) { return of().Against("jct_mean_s", pairs...) }
	}
	return map[string]func() (string, error){
		"jct_relative": func() (string, error) {
			return of(append(main, bounds.Names()...)...).Relative(
				"jct_mean_s")
		},
		"queue_p99_relative": func() (string, error) { return of(main...).Relative("queue_p99_s") },
		"jct_p99_relative":   func() (string, error) { return of(main...).Relative("jct_p99_s") },
		"bsld_relative":      func() (string, error) { return of(main...).Relative("bsld_mean") },
		"jct_mean":           func() (string, error) { return of(append(main, "dally")...).Means("jct_mean_s", 2) },
		"preemptions":        func() (string, error) { return of(append(main, "dally")...).Means("preemptions", 2) },
		"rules":              func() (string, error) { return transposed(of(rivals...)) },
		"learners":           func() (string, error) { return of(learnerNames()...).Relative("jct_mean_s") },
		"improvement":        func() (string, error) { return of(main[:5]...).Share("jct_mean_s") },
		"summary":            func() (string, error) { return of(main...).Summary("jct_mean_s") },
		"against_rules": func() (string, error) {
			return of().Against("jct_mean_s", [2]string{linear, chosenRule}, [2]string{chosenSeed, chosenRule},
				[2]string{linear, bestRule}, [2]string{chosenSeed, bestRule})
		},
		"against_best":   against(bestRule),
		"against_chosen": against(chosenRule),
	}
}

// transposed has a row per rule: there are more of them than workloads.
func transposed(p *digest.Pages) (string, error) {
	p.Transpose = false
	return p.Relative("jct_mean_s")
}
