package ppo_test

import (
	"math"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
)

func TestValidateNamesAllFaults(t *testing.T) {
	c := ppo.Default()
	c.Envs, c.Gamma, c.Clip, c.LearningRate, c.Hidden = 0, 1.5, 0, math.NaN(), []int{64, 0}
	c.Candidates = &ppo.Candidates{Global: -1, Features: 0}
	c.Places, c.Temperature, c.MaxGradNorm, c.Noise = -1, -2, math.Inf(1), "steps"
	err := c.Validate()
	if err == nil {
		t.Fatal("a bad configuration was accepted")
	}
	for _, want := range []string{
		"ppo: envs is 0, expected at least 1", "ppo: gamma is 1.5, expected a number from 0 to 1", "ppo: clip is 0,",
		"ppo: learning_rate is NaN", "ppo: hidden[1] is 0", "global is -1, expected at least 0",
		"features is 0, expected at least 1",
		"places is -1, expected at least 0", "temperature is -2, expected a number from 0 to 100",
		"max_grad_norm is +Inf, expected a finite number, at least 0",
		`noise is "steps", expected one of step, episode; did you mean "step"?`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
	for _, set := range []func(*ppo.Config){
		func(c *ppo.Config) { c.TotalSteps = 511 },
		func(c *ppo.Config) { c.Minibatches = 513 },
		func(c *ppo.Config) { c.Encoder = "class" },
		func(c *ppo.Config) { c.Hidden, c.Candidates = nil, &ppo.Candidates{Features: 1} },
		func(c *ppo.Config) { c.NormObs, c.Candidates = true, &ppo.Candidates{Features: 1} },
	} {
		c := ppo.Default()
		set(&c)
		if c.Validate() == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	for _, id := range []string{cartPole, "classic/Acrobot-v1", "classic/MountainCar-v0", "classic/Pendulum-v1"} {
		c := ppo.Default()
		agenttest.Advise(t, id, "ppo", &c)
		if err := c.Validate(); err != nil {
			t.Errorf("settings of %s: %v", id, err)
		}
	}
}
