package a2c_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
	"tarry/agents/policy"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := a2c.Default()
	c.Envs, c.Gamma, c.Optimizer, c.LearningRate, c.Hidden = 0, 1.5, "sgd", math.NaN(), []int{64, 0}
	c.LogStd, c.Candidates = 3, &policy.Candidates{Global: -1, Features: 0}
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"a2c: envs is 0, expected at least 1", "a2c: gamma is 1.5, expected a number from 0 to 1",
		`a2c: optimizer is "sgd", expected one of rmsprop, rmsprop_tf, adam`, "a2c: learning_rate is NaN",
		"hidden[1] is 0",
		"log_std is 3, expected a number from -20 to 2", "global is -1, expected at least 0",
		"features is 0, expected at least 1",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for want, set := range map[string]func(*a2c.Config){
		"total_steps is 999, expected at least one update of envs*steps*rollouts = 1000": func(c *a2c.Config) {
			c.TotalSteps = 999
		},
		"norm_advantage is true, expected false where a rollout has one step": func(c *a2c.Config) {
			c.NormAdvantage, c.Envs, c.Steps = true, 1, 1
		},
		"hidden is empty": func(c *a2c.Config) {
			c.Hidden, c.Candidates = nil,
				&policy.Candidates{Features: 1}
		},
		"norm_obs is true with candidates": func(c *a2c.Config) {
			c.NormObs, c.Candidates = true,
				&policy.Candidates{Features: 1}
		},
		"rollouts is 0": func(c *a2c.Config) { c.Rollouts = 0 },
	} {
		c := a2c.Default()
		set(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0"} {
		c := a2c.Default()
		agenttest.Advise(t, id, "a2c", &c)
		if err := c.Validate(); err != nil {
			t.Errorf("settings of %s: %v", id, err)
		}
	}
}
