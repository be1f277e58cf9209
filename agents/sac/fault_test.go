package sac_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := sac.Default()
	c.Envs, c.Gamma, c.Tau, c.LearningRate, c.Hidden, c.LearningStarts = 0, 1.5, 0, math.NaN(), []int{64, 0}, -1
	c.Alpha, c.Entropy = 0, 1
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"sac: envs is 0, expected at least 1", "sac: gamma is 1.5, expected a number from 0 to 1", "sac: tau is 0,",
		"sac: learning_rate is NaN", "sac: hidden[1] is 0", "sac: learning_starts is -1, expected at least 0",
		"sac: alpha is 0,", "sac: entropy is 1, expected a number from -20 to 0.7",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*sac.Config){
		func(c *sac.Config) { c.TotalSteps = 999 },
	} {
		c := sac.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	advised := sac.Default()
	agenttest.Advise(t, pendulum, "sac", &advised)
	if err := advised.Validate(); err != nil {
		t.Errorf("settings of %s: %v", pendulum, err)
	}
}
