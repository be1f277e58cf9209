package elastic

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/tabular"
)

// limit bounds the ranges of a model's jobs; 0 = no bound.
type limit struct{ min, max, worker int32 }

// anyModel is the row of the models that a file does not name.
const anyModel = "*"

// readLimits reads the limits by model, in lower case.
func readLimits(file string) (map[string]limit, error) {
	known := []string{"model", "min_gpus", "max_gpus", "worker_gpus"}
	out := map[string]limit{}
	err := tabular.Each(file, func(columns []string) error {
		for _, c := range columns {
			if !slices.Contains(known, c) {
				return fmt.Errorf("%s:1: unknown column %q, expected some of %s", file, c, strings.Join(known, ","))
			}
		}
		return nil
	}, func(row *tabular.Row) {
		count := func(column string) int32 {
			if row.Text(column) == "" {
				return 0
			}
			return int32(row.Count(column, 0, maxGPUs))
		}
		l := limit{count("min_gpus"), count("max_gpus"), count("worker_gpus")}
		model := strings.ToLower(row.Text("model"))
		_, twice := out[model]
		switch {
		case model == "":
			row.Reject("model", "the name of a model, or * for all others")
		case twice:
			row.Reject("model", "each model once")
		case l.max > 0 && l.min > l.max:
			row.Rejectf("min_gpus %d is above max_gpus %d", l.min, l.max)
		}
		out[model] = l
	}, "model")
	return out, err
}

// limit finds a model's; the zero value where there is none.
func (r *Rule) limit(model string) limit {
	if r.limits == nil {
		return limit{}
	}
	name := strings.ToLower(model)
	for _, key := range [...]string{name, base(name), anyModel} {
		if l, ok := r.limits[key]; ok {
			return l
		}
	}
	return limit{}
}
