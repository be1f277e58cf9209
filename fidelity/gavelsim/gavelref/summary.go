package gavelref

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"tarry/fidelity/reference"
)

// summaryFile compares means: one thing for each trace and policy, near the row of any solver.
func (o *outcome) summary(ctx context.Context, runs *runsOf, s *reference.Rows) {
	type key struct{ trace, policy string }
	var keys []key
	for i := range s.Cells {
		if k := (key{s.Text(i, "trace"), s.Text(i, "policy")}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		what := fmt.Sprintf("%s: %s under %s", summaryFile, k.trace, k.policy)
		p, ok := policies(k.policy)
		if !ok {
			o.Leave("means", summaryFile, 1, k.policy+": "+whyNot(k.policy))
			continue
		}
		all := os.Getenv("TARRY_REFERENCE_ALL") != ""
		if p.open() {
			o.Leave("means", summaryFile, 1, openTypes)
			if !all {
				continue
			}
		}
		r, err := runs.of(ctx, k.trace, k.policy)
		if err != nil {
			if !p.open() {
				o.One("means", summaryFile, false)
				o.Short = append(o.Short, what+": "+err.Error())
			}
			continue
		}
		near, far := false, ""
		for i := range s.Cells {
			if s.Text(i, "trace") != k.trace || s.Text(i, "policy") != k.policy {
				continue
			}
			mean, err1 := s.Number(i, "mean_jct_s")
			span, err2 := s.Number(i, "makespan_s")
			if err1 != nil || err2 != nil {
				continue
			}
			m, b := r.mean/mean-1, r.makespan/span-1
			near = near || math.Abs(m) <= p.mean && math.Abs(b) <= p.makespan
			far += fmt.Sprintf("; mean %+.2f %%, makespan %+.2f %%", 100*m, 100*b)
		}
		if all {
			o.Beyond = append(o.Beyond, what+far)
		}
		if p.open() {
			continue
		}
		if o.One("means", summaryFile, near); !near {
			o.Short = append(o.Short, what+" is apart from every solver"+far)
		}
	}
}
