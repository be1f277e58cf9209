package order

import (
	"strings"

	"tarry/baselines/score"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// variants are the linear learner with fewer features, and with other predictions.
func variants() []sweep.Case {
	env := func(predict, more string) string {
		out := orders + ":" + find("recur-1.1").fields(predict)
		if more != "" {
			out += "," + more
		}
		return out
	}
	one := func(name, predict, more string) sweep.Case {
		return sweep.Case{Name: name, Set: sweep.Settings{"env": env(predict, more)}}
	}
	out := []sweep.Case{one("whole", predictor, ""), one("rank", predictor, "features=rank"),
		one("rank-gpus", predictor, "features=rank+gpus"),
		one("no-rank", predictor, "features="+without("rank", "pressure_rank", "rank2")),
		one("no-pressure", predictor, "features="+without("pressure_rank", "pressure_gpus", "pressure_attained")),
		one("no-squares", predictor, "features="+without("rank2", "gpus2", "attained2", "age2", "wait2")),
		one("no-network", predictor, "features="+without("exposed", "slowed", "level")),
		one("no-timers", predictor, "globals=false")}
	for _, p := range []string{"global", "size", "user-size", "last2"} {
		out = append(out, one(predicted+p, p, ""))
	}
	for _, sigma := range []string{"2", "1", "0.5", "0.25"} {
		out = append(out, one(predicted+"request-"+sigma, `"request:sigma=`+sigma+`"`, ""))
	}
	return out
}

// predicted begins the names of variants with another predictor.
const predicted = "predict-"

// without lists all features but some.
func without(names ...string) string {
	var out []string
	for _, n := range score.TermNames() {
		keep := true
		for _, not := range names {
			keep = keep && n != not
		}
		if keep {
			out = append(out, n)
		}
	}
	return strings.Join(out, "+")
}

// ablation is the sweep of the variants on the workload on which there is most to gain.
func ablation(scale string) sweep.Spec {
	l := &learners()[0]
	all := variants()
	base := l.base(scale)
	base["generations"] = sweep.At(scale, 2, 8, 16)
	base["evaluate"] = measured(scale, find("recur-1.1"), []string{"dally", yardstick})
	return sweep.Spec{Name: "order-ablation", Kind: "learn", Base: base,
		Axes: []sweep.Axis{{Name: "on", Cases: []sweep.Case{{Name: "recur-1.1", Set: sweep.Settings{}}}},
			{Name: "variant", Cases: all[:sweep.At(scale, 2, 4, len(all))]}},
		Seeds: sweep.FirstSeeds(sweep.At(scale, 1, 1, 3))}
}

// byVariant calls the rule beside each variant with other predictions after it ("rule,
// predict-size"); where the predictions are the first variant's, its rule stands for all.
func byVariant(d *sweep.Data, all []rows.Eval) []rows.Eval {
	var out []rows.Eval
	for _, r := range all {
		v := d.Axis(r.Keys, "variant")
		if r.Agent == "" && r.Policy == yardstick {
			if v != variants()[0].Name && !strings.HasPrefix(v, predicted) {
				continue
			}
			r.Policy = "rule, " + v
		}
		out = append(out, r)
	}
	return out
}
