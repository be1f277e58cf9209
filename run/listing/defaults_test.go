package listing

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// documented is a default as a help text has it: the last brackets of a setting's lines.
func documented(help, key string) (def string, ok bool) {
	for _, d := range Described(help, []param.Setting{{Key: key, Default: "\x00"}}) {
		return d.Default, d.Default != "\x00"
	}
	return "", false
}

// found are the settings whose value is found by the code unless it is given (timers that are
// tuned, a law that is fitted), or that do nothing unless they are given.
func found() []string { return []string{"t_rack", "t_net", "timers", "median_s", "spread", "sigma"} }

// sameDefault reports whether a help text states the default of the code: the same text or number,
// perhaps with remarks behind a comma or semicolon. An empty default has a word of its own.
func sameDefault(help, code string) bool {
	for _, mark := range []string{"", ";", ","} {
		text, _, cut := strings.Cut(help, mark)
		if mark == "" || !cut {
			text = help
		}
		x, errHelp := strconv.ParseFloat(text, 64)
		y, errCode := strconv.ParseFloat(code, 64)
		if text == code || errHelp == nil && errCode == nil && x == y || code == "" && errHelp != nil {
			return true
		}
	}
	return false
}

// TestDefaults: the default that a help text states is the one that the code takes, of every
// setting of every entry.
func TestDefaults(t *testing.T) {
	all := shipped.All()
	checked := 0
	check := func(what, help string, read []param.Setting) {
		for _, s := range read {
			def, ok := documented(help, s.Key)
			if !ok {
				t.Errorf("%s: %s has no line in the help with (default)", what, s.Key)
			} else if checked++; !sameDefault(def, s.Default) && !slices.Contains(found(), s.Key) {
				t.Errorf("%s: %s is %q in the help and %q in the code", what, s.Key, def, s.Default)
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
		check("env "+e.ID, e.Params, e.Settings(all.Catalogues))
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
	if checked < 500 {
		t.Errorf("%d defaults were compared", checked)
	}
}

func TestSameDefault(t *testing.T) {
	for _, c := range []struct {
		help, code string
		same       bool
	}{
		{"0.3", "0.3", true}, {"1e3", "1000", true}, {"8; with held: 0", "8", true}, {"true, ours", "true", true},
		{"none", "", true}, {"a,b", "a,b", true},
		{"0.3", "0.4", false}, {"", "0", false}, {"8", "", false}, {"easy", "none", false}, {"all; 3", "3", false},
	} {
		if got := sameDefault(c.help, c.code); got != c.same {
			t.Errorf("%q in the help and %q in the code: %v", c.help, c.code, got)
		}
	}
}
