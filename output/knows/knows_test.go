package knows

import (
	"slices"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
)

func TestMarked(t *testing.T) {
	for column, want := range map[string]string{"": "x", "nothing": "x", "done": "x", "estimate": "x", "work": "x*",
		"work+speed": "x*", "done+estimate+work": "x*", "homework": "x"} {
		if got := Marked("x", column); got != want {
			t.Errorf("%q marks %s, want %s", column, got, want)
		}
	}
}

// What the row states goes before what its name states.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		policy, column string
		want           bool
	}{
		{"srtf", "", true}, {"srtf", "nothing", false}, {"dally", "", false},
		{"dally:order=srpt,evict=later", "", true}, {"dally-manual:t_rack=2@0123abcd", "", false},
		{"sjf@0123abcd", "", true}, {"easy", "", false}, {"easy", "estimate+work", true}, {"ppo-1-best", "", false},
		{"ppo-1-best", "done+work", true},
	} {
		if got := Row(&results.Summary{Knows: c.column}, c.policy, shipped.All().Policies); got != c.want {
			t.Errorf("%s with knows=%q is clairvoyant: %v, want %v", c.policy, c.column, got, c.want)
		}
	}
}

// The policies are the caller's: one of another catalogue is asked by its name, one of none
// is not clairvoyant.
func TestRowAsksItsCatalogue(t *testing.T) {
	own := slices.Clone(shipped.All().Policies)
	for i := range own {
		own[i].Name = "own-" + own[i].Name
	}
	var row results.Summary
	if !Row(&row, "own-srtf", own) || Row(&row, "srtf", own) || Row(&row, "own-fifo", own) || Row(&row, "srtf", nil) {
		t.Error("a row without a column is not judged by the policies that are given")
	}
}
