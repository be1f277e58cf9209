package dqn_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := dqn.Default()
	c.Envs, c.Gamma, c.Tau, c.LearningRate, c.Hidden, c.LearningStarts = 0, 1.5, 0, math.NaN(), []int{64, 0}, -1
	c.Candidates = &dqn.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"dqn: envs is 0, expected at least 1", "dqn: gamma is 1.5, expected a number from 0 to 1", "dqn: tau is 0,",
		"dqn: learning_rate is NaN", "dqn: hidden[1] is 0", "dqn: learning_starts is -1, expected at least 0",
		"global is -1, expected at least 0", "features is 0, expected at least 1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*dqn.Config){
		func(c *dqn.Config) { c.TotalSteps = 999 },
		func(c *dqn.Config) { c.Hidden, c.Candidates = nil, &dqn.Candidates{Features: 1} },
		func(c *dqn.Config) { c.EpsStart = 1.1 },
	} {
		c := dqn.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0"} {
		c := dqn.Default()
		agenttest.Advise(t, id, "dqn", &c)
		if err := c.Validate(); err != nil {
			t.Errorf("settings of %s: %v", id, err)
		}
	}
}
