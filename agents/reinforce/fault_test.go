package reinforce_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/agents/reinforce"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := reinforce.Default()
	c.Sequences, c.Gamma, c.Baseline, c.LearningRate, c.Hidden = 0, 1.5, "inputs", math.NaN(), []int{64, 0}
	c.LogStd, c.EntropyShare, c.Candidates = 3, 0, &policy.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"reinforce: sequences is 0, expected at least 1", "reinforce: gamma is 1.5, expected a number from 0 to 1",
		`reinforce: baseline is "inputs", expected one of input, time, constant; did you mean "input"?`,
		"reinforce: learning_rate is NaN",
		"reinforce: entropy_share is 0,", "hidden[1] is 0", "log_std is 3, expected a number from -20 to 2",
		"global is -1, expected at least 0",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for want, set := range map[string]func(*reinforce.Config){
		"total_steps is 0":                   func(c *reinforce.Config) { c.TotalSteps = 0 },
		"rollouts is 1, expected at least 2": func(c *reinforce.Config) { c.Rollouts = 1 },
		"rollouts is 1, expected more than one": func(c *reinforce.Config) {
			c.Rollouts, c.Sequences, c.Baseline = 1,
				1, reinforce.Time
		},
		"leave_one_out is true": func(c *reinforce.Config) {
			c.LeaveOneOut, c.Baseline = true,
				reinforce.Constant
		},
		"horizon is -1": func(c *reinforce.Config) { c.Horizon = -1 },
		"norm_obs is true with candidates": func(c *reinforce.Config) {
			c.NormObs, c.Candidates = true,
				&policy.Candidates{Features: 1}
		},
	} {
		c := reinforce.Default()
		set(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1"} {
		c := reinforce.Default()
		agenttest.Advise(t, id, "reinforce", &c)
		if err := c.Validate(); err != nil {
			t.Errorf("settings of %s: %v", id, err)
		}
	}
}
