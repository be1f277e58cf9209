package ppo

// What returns are measured from.
const (
	// ByCritic is the critic's value.
	ByCritic = "critic"
	// ByNothing leaves them as they are.
	ByNothing = "none"
)

// beforeGAE applies the options that change what advantages are estimated from: average_reward, and
// baseline=none.
func (l *Learner) beforeGAE() {
	if l.cfg.AverageReward {
		l.differ()
	}
	if l.cfg.Baseline == ByNothing {
		clear(l.r.Values)
		clear(l.r.FinalValues)
		clear(l.r.NextValues)
	}
}

// afterGAE applies the options that change the estimates: rollouts, average_reward, and values_first.
func (l *Learner) afterGAE() {
	if l.laps != nil {
		l.laps.compare(l.r.Rollout, l.cfg.Rollouts, l.cfg.Baseline != ByNothing)
	}
	if l.cfg.AverageReward {
		centre(l.r.Returns)
	}
	if l.run.Updates < l.cfg.ValuesFirst {
		clear(l.r.Advantages)
	}
}

// valueCoef is the weight of the loss of values: 0 without a critic.
func (c *Config) valueCoef() float64 {
	if c.Baseline == ByNothing {
		return 0
	}
	return c.ValueCoef
}
