package compare

import (
	"fmt"
	"testing"

	"tarry/output/results"
	"tarry/run/trial"
)

// Differences of energy and of what services attain in pairs, by hand: two seeds of three windows are means over the seeds, the
// first has none, and one pair has no interval. What no run states is not compared.
func TestPaired(t *testing.T) {
	with := func(all ...float64) (out []*trial.Result) {
		for _, v := range all {
			out = append(out, &trial.Result{Measures: []results.Measure{{Name: "energy_kwh", Of: "u", Value: 7},
				{Name: "energy_kwh", Value: v}}})
		}
		return out
	}
	text := func(runs, first []*trial.Result, units int) (s string) {
		all, err := PairedOf(runs, first, units)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			s += fmt.Sprint(all[i].Name, ": ", all[i].Text(), "; ")
		}
		return s
	}
	attained := func(all ...float64) (out []*trial.Result) {
		for _, v := range all {
			out = append(out, &trial.Result{Measures: []results.Measure{{Name: "slo_attained_frac", Value: v}}})
		}
		return out
	}
	first := with(10, 20, 30)
	for _, c := range []struct{ got, want string }{
		{text(first, first, 3), "energy_kwh: -; "},
		{text(with(11, 22, 33, 13, 24, 35), first, 3), "energy_kwh: 3.00 [0.52, 5.48]; "},
		{text(with(250), with(100), 1), "energy_kwh: 150; "},
		{text(attained(.97), attained(.99), 1), "slo_attained_frac: -2.00; "}, // in percent
		{text(attained(.99, .98), attained(.99002, .98001), 2), "slo_attained_frac: 0.00 [-0.01, 0.00]; "},
		{text(with(12), []*trial.Result{{}}, 1), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, expected %q", c.got, c.want)
		}
	}
}
