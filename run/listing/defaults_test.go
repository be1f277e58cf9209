package listing

import (
	"strconv"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/scenario"
	"tarry/sim/efficiency"
	"tarry/sim/param"
	"tarry/sim/setting"
	"tarry/traces/deadline"
	"tarry/traces/elastic"
)

// TestDefaults: every setting of every entry has a line of help, and none states a default there
// that the code has: defaults are taken from the code alone.
func TestDefaults(t *testing.T) {
	all := shipped.All()
	checked := 0
	check := func(what, help string, read []param.Setting) {
		for _, s := range read {
			one := Described(help, []param.Setting{{Key: s.Key, Default: "\x00"}})[0]
			if checked++; one.Meaning == "" {
				t.Errorf("%s: %s has no line in the help", what, s.Key)
			}
			if _, end := cutBrackets(one.Meaning); end != "" && sameNumber(end, s.Default) {
				t.Errorf("%s: the help of %s ends in the default (%s), expected none: it is the code's", what, s.Key,
					end)
			}
		}
	}
	for _, e := range all.Policies {
		check("policy "+e.Name, e.Params, e.Settings())
	}
	for _, e := range all.Speeds {
		check("speed "+e.Name, e.Params, e.Settings())
	}
	for _, e := range all.Predictors {
		check("predictor "+e.Name, e.Params, e.Settings())
	}
	for _, e := range all.Optimisers {
		check("optimiser "+e.Name, e.Params, e.Settings())
	}
	for _, e := range all.Envs {
		check("env "+e.ID, e.Help(), e.Settings(all.Catalogues))
	}
	c := scenario.Default()
	setting.Walk(c.Settings(), func(_ string, r *setting.Row) {
		if r.Choices == nil {
			return
		}
		for _, k := range r.Choices() {
			if k.Options != nil {
				check(r.Key+" "+k.Name, k.Params, k.Options())
			}
		}
	})
	check("deadlines", deadline.Doc, deadline.Options())
	check("efficiency", efficiency.Doc, efficiency.Options())
	check("elastic", elastic.Doc, elastic.Options())
	if checked < 500 {
		t.Errorf("%d settings were looked at", checked)
	}
}

// sameNumber reports whether two texts are the same, or numbers that are.
func sameNumber(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return a == b || errA == nil && errB == nil && x == y
}
