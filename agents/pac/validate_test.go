package pac_test

import (
	"strings"
	"testing"

	"tarry/agents/agenttest"
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

// A supervised start alone acts as the demonstrator does.
func TestImitates(t *testing.T) {
	cfg := quick()
	cfg.Batch, cfg.Steps = 64, 400
	l, err := pac.New(cfg, 1, agenttest.Classic(cartPole))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	random := agenttest.Return(t, l.Policy(), cartPole, 20)
	var last pac.Row
	if err := l.Imitate(pac.Imitation{Updates: 3, Epochs: 10, LearningRate: 5e-3}, lean, func(r pac.Row) error {
		last = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !last.Imitation || last.Update != 3 || last.Steps != 1200 || !(last.PolicyLoss < 0.4) {
		t.Errorf("last row is %+v", last)
	}
	if got := agenttest.Return(t, l.Policy(), cartPole, 20); !(got > 100 && got > random) {
		t.Errorf("it earns %.1f, before %.1f, expected more than 100", got, random)
	}
}
