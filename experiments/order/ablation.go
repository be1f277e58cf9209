package order

import (
	"strings"

	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

const (
	// yardstick is the rule with the same predictions whose two numbers are not tuned.
	yardstick = "dally:order=gittins,evict=later,margin=0.5"
	// whole is the variant of which no part is taken away.
	whole = "whole"
	// predicted begins the names of variants with another predictor.
	predicted = "predict-"
)

// byVariant calls the rule beside each variant with other predictions after it ("rule,
// predict-size"); where the predictions are the first variant's, its rule stands for all.
func byVariant(d *sweep.Data, all []rows.Eval) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		v := d.Axis(r.Keys, "variant")
		if r.Agent == "" && r.Policy == yardstick {
			if v != whole && !strings.HasPrefix(v, predicted) {
				continue
			}
			r.Policy = "rule, " + v
		}
		out = append(out, r)
	}
	return out
}
