package logs

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

const (
	// base is what all are compared with.
	base = "easy:by=request"
	// mark is the scheduler that reads the work that is left.
	mark = "dally:order=srpt,evict=later,preempt=false,delay=false"
)

// tables gives the tables of docs/results/logs.md and of its files: a row per scheduler and a
// column per log, for each load.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	evals, err := sweep.Rows[rows.Eval](ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	book := digest.NewLearned(d, evals, "learner")
	for _, l := range loads() {
		here, ok := l.of(book)
		if !ok {
			continue
		}
		p := digest.Pages{Book: here, X: "setting", Series: "learner", Base: base}
		for name, make := range map[string]func() (string, error){
			"jct":          func() (string, error) { return p.Relative("jct_mean_s") },
			"bsld":         func() (string, error) { return p.Relative("bsld_mean") },
			"wait":         func() (string, error) { return p.Relative("queue_p99_s") },
			"bsld_mean":    func() (string, error) { return p.Means("bsld_mean", 1) },
			"wait_mean":    func() (string, error) { return p.Means("queue_p99_s", 1) },
			"against":      func() (string, error) { return p.Against("jct_mean_s", duels()...) },
			"against_bsld": func() (string, error) { return p.Against("bsld_mean", duels()...) },
		} {
			if out[name+l.suffix], err = make(); err != nil {
				return nil, err
			}
		}
		table, err := payers(columns(), &l)
		if err != nil {
			return nil, err
		}
		if table != "" {
			out["users"+l.suffix] = table
		}
	}
	if table := chosen(d, evals); table != "" {
		out["rules"] = table
	}
	return out, nil
}

// duels are what each learned order is compared with: the tuned rule of its kind, and what was
// found on other logs against what was found here.
func duels() [][2]string {
	return [][2]string{{"learned", "rule"}, {"elsewhere", "rule"}, {"elsewhere", "learned"},
		{"learned-preemptive", "rule-preemptive"}, {"elsewhere-preemptive", "rule-preemptive"},
		{"elsewhere-preemptive", "learned-preemptive"}}
}
