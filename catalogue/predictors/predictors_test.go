package predictors_test

import (
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/predictors"
)

// Each predictor reads the settings that its help has, and errors name what is wrong.
func TestCatalogue(t *testing.T) {
	for _, e := range predictors.All() {
		listed := []string{}
		for l := range strings.SplitSeq(e.Params, "\n") {
			if key, _, ok := strings.Cut(l, " "); ok {
				listed = append(listed, key)
			}
		}
		var read []string
		for _, s := range e.Settings() {
			read = append(read, s.Key)
		}
		if !slices.Equal(slices.Sorted(slices.Values(read)), slices.Sorted(slices.Values(listed))) {
			t.Errorf("%s reads %v and lists %v", e.Name, read, listed)
		}
	}
	for spec, want := range map[string]string{"rigde": "did you mean", "ridge:": "nothing after the colon",
		"ridge:lambda=-1,x=2": "x", "size:shrink=a": "shrink", "mix:of=rigde+size": `did you mean "ridge"`,
		"mix:of=size+size": "twice", "mix:weights=1": "each name of `of`: 2", "mix:weights=0/0": "above 0"} {
		if _, err := predictors.All().Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
	if p, err := predictors.All().Parse("none"); p != nil || err != nil {
		t.Errorf("none gives %v, %v", p, err)
	}
}
