package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/run/train"
	"tarry/sim"
	"tarry/sim/param"
)

// over puts what the request states over an environment's options. A trace takes the place of
// generated jobs with all settings of these, and is read without a gap unless one was named.
func (r *Request) over(options string) string {
	if r.Trace != "" {
		if !param.Parse("", options).Has("gap") {
			options = param.Override(options, "gap=0")
		}
		options = param.Without(options, "workload", "load", "windows", "data_seed", "batch_jobs", "shares", "rate",
			"thin", "copies", "trace_columns")
		options = param.Override(options, "trace="+param.Quote(r.Trace))
	}
	for _, o := range append(slices.Clone(r.Options), "part="+string(r.Part)) {
		if key, value, ok := strings.Cut(o, "="); ok && strings.TrimSpace(value) == "" {
			options = param.Without(options, strings.TrimSpace(key))
		} else {
			options = param.Override(options, o)
		}
	}
	return options
}

// placed is over, with the path at which the trace of training is now.
func (r *Request) placed(t *train.Trained) (string, error) {
	found, lost := t.Env()
	_, options, _ := strings.Cut(found, ":")
	options = r.over(options)
	if lost == nil || traceIn(options) != traceIn(trainedOn(t)) {
		return options, nil
	}
	return "", fmt.Errorf("%w; --trace names another", lost)
}

func traceIn(options string) string { return param.Parse("", options).Text("trace", "") }

// maxKnown is the share of a window's jobs that training may have seen. In the traces that tarry
// reads no job of one half is taken for one of the other half by its marks; and 1 in 10 000 of
// other traces that count their jobs, too. The rest is room for chance in short windows.
const maxKnown = 0.05

// unseen reports the part of a window that training saw. sum is its hash, trace the hash of its
// trace.
func unseen(t *train.Trained, w *sim.Workload, sum, trace string) error {
	if where, bad := t.Seen[sum]; bad {
		return fmt.Errorf("is %s", where)
	}
	if n := t.Known(w, trace); float64(n) > maxKnown*float64(len(w.Jobs)) {
		return fmt.Errorf("has %d of its %d jobs from the trace", n, len(w.Jobs))
	}
	return nil
}

// trainedOn is the options of the environment of a run, as they were given.
func trainedOn(t *train.Trained) string {
	_, options, _ := strings.Cut(t.Config.Env, ":")
	return options
}

// sameJobs reports whether a part of two environments has jobs in common however it is cut into
// windows: generated windows begin alike when they have the same seed, recorded ones are of one
// file.
func sameJobs(trained, options string) bool {
	a, b := param.Parse("", trained), param.Parse("", options)
	from, to := strings.TrimPrefix(a.Text("trace", ""), "csv:"), strings.TrimPrefix(b.Text("trace", ""), "csv:")
	return from == to && (from != "" || a.Int("data_seed", 0, 0, math.MaxInt64) == b.Int("data_seed", 0, 0,
		math.MaxInt64))
}
