package pac_test

import (
	"strings"
	"testing"

	"tarry/agents/pac"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := pac.Default()
	c.Envs, c.Alpha, c.Returns, c.Batch, c.ErrorClip = 0, 1.5, "all", 0, 0
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"pac: envs is 0, expected at least 1", "pac: alpha is 1.5, expected a number from 0 to 1",
		`pac: returns is "all", expected one of slot, bootstrapped`, "pac: batch is 0", "pac: error_clip is 0",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for want, set := range map[string]func(*pac.Config){
		"total_steps is 999, expected at least one update of envs*steps = 1024": func(c *pac.Config) { c.TotalSteps = 999 },
		`baseline is "mean", expected "critic" with returns=bootstrapped`: func(c *pac.Config) {
			c.Baseline, c.Returns = pac.ByMean, pac.Bootstrapped
		},
	} {
		c := pac.Default()
		set(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
