package optimusref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// Two steps of the same workers, of 1 and 2 s: every column is 1, and what is left of either is
// half a second. Of b the columns do not depend on one another.
func TestSpeedFitsByHand(t *testing.T) {
	const observations = "case,mode,batch,ps,workers,steps_per_s\na,async,8,1,1,1\na,async,8,1,1,0.5\n" +
		"b,sync,1,1,1,0.125\nb,sync,1,2,1,0.125\nb,sync,1,1,2,0.1\nb,sync,1,2,2,0.1\nb,sync,1,4,4,0.1\nb,sync,1," +
		"1,4,0.1\n"
	const fits = "case,mode,coefficients,residual_norm\na,async,1.5 0 0 0,0.70710678118654757\n"
	for name, c := range map[string]struct{ from, to, out, details string }{
		"right":         {"", "", "mine: 1 of 1 agree, worst ", ""},
		"another best":  {"1.5 0", "0 1.5", "mine: 1 of 1 agree, worst ", ""},
		"a residual":    {"0.707", "0.708", "mine: 0 of 1 agree, worst 0.00141 ", "odd-fit.csv: row 1: off by 0.00141"},
		"a coefficient": {"a,async,1.5 0", "b,sync,0 0 8", "mine: 0 of 1 agree, ", "coefficients ["},
		"no such mode":  {",async", ",both", "mine: 0 of 1 agree, ", `mode "both", expected async or sync`},
		"too few":       {"1.5 0", "1.5", "mine: 0 of 1 agree, ", "4 coefficients, expected 3"},
		"no number":     {"1.5", "x", "mine: 0 of 1 agree, ", "expected numbers separated by spaces"},
		"no such case":  {"\na", "\nc", "mine: 0 of 1 agree, worst NaN ", ""},
		"no residual":   {"0.707", "x", "mine: 0 of 1 agree, ", "residual_norm"},
	} {
		files := map[string]string{"reference/mine/odd-observations.csv": observations,
			"reference/mine/odd-fit.csv": strings.Replace(fits, c.from, c.to, 1)}
		good, out, details := reftest.Play(t, setup(), files)
		if right := c.details == "" && strings.Contains(c.out, "1 of 1"); good != right ||
			!strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s%s", name, good, out, details, c.out, c.details)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
