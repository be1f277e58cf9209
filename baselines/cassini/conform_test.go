package cassini_test

import (
	"strings"
	"testing"

	"tarry/baselines/cassini"
	"tarry/catalogue/policies"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// over makes CASSINI as the catalogue does.
func over(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return cassini.Over(policies.All().Build, "themis", "dally", "tiresias", "fifo-fit")(s, rule)
}

func TestConformance(t *testing.T) {
	simtest.Conform(t, "cassini", over, []simtest.Case{
		{Name: "defaults", Options: simtest.Options{Seeds: 40, Laws: simtest.PermuteIDs | simtest.NullJob}},
		{Text: "host=dally", Options: simtest.Options{Seeds: 40}},
		{Text: "host=\"themis:lease=30,f=0\"", Options: simtest.Options{Seeds: 40, Allocates: true}},
	})
}

// Wrong settings are refused with what is expected.
func TestSettingsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"host=gandiva":               `host is "gandiva", expected one of themis, dally, tiresias, fifo-fit`,
		"host=\"themis:lease=-1\"":   "lease",
		"candidates=0":               "candidates",
		"angles=0":                   "angles",
		"host=fifo-fit,stretch=1.5":  "stretch",
		"host=fifo-fit,candidate=10": "candidates",
	} {
		if _, err := over(param.Parse("cassini", text), cluster.BestFit); err == nil || !strings.Contains(err.Error(),
			want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}
