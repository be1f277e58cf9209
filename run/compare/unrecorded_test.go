package compare

import (
	"testing"

	"tarry/output/results"
	"tarry/run/trial"
)

func TestUnrecorded(t *testing.T) {
	run := func(rows ...results.Measure) *trial.Result { return &trial.Result{Measures: rows} }
	none, some := results.Measure{Name: "log_jobs"}, results.Measure{Name: "log_jobs", Value: 3}
	const want = "p has no recorded start of a job in this trace, and decides as fifo"
	for _, c := range []struct {
		runs []*trial.Result
		want string
	}{
		{nil, ""}, {[]*trial.Result{run(results.Measure{Name: "marks"})}, ""},
		{[]*trial.Result{run(none), run(none)}, want}, {[]*trial.Result{run(none), run(some)}, ""},
	} {
		if got := Unrecorded("p", c.runs); got != c.want {
			t.Errorf("%v gives %q, expected %q", c.runs, got, c.want)
		}
	}
}
