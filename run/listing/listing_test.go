package listing

import (
	"testing"

	"tarry/catalogue/shipped"
	"tarry/run/parts"
)

// Every list has entries, each with a word on what it is; lists of catalogues are empty where these
// are.
func TestLists(t *testing.T) {
	for _, l := range All(shipped.All()) {
		all := l.Entries()
		if len(all) == 0 && l.Name != "layers" { // tarry ships none
			t.Errorf("the list %s is empty", l.Name)
		}
		for _, e := range all {
			if e.Doc == "" {
				t.Errorf("%s: %q says nothing", l.Name, e.Name)
			}
		}
		if l.Name == "policies" && (all[0].Name != "fifo" || all[0].Knows == "") {
			t.Errorf("the first policy is %+v", all[0])
		}
	}
	for _, l := range All(&parts.Catalogues{}) {
		switch l.Name {
		case "policies", "speeds", "predictors", "operators", "envs", "agents", "optimisers":
			if n := len(l.Entries()); n > 0 {
				t.Errorf("%s has %d entries of an empty catalogue", l.Name, n)
			}
		}
	}
}
