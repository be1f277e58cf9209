package sac

// Tuned gives settings for a classic environment, and whether there are any: for Pendulum those of
// rl-baselines3-zoo (hyperparams/sac.yml), with layers of 64. Other ids give Default.
func Tuned(id string) (Config, bool) {
	c := Default()
	if id != "classic/Pendulum-v1" {
		return c, false
	}
	c.TotalSteps, c.LearningRate = 20_000, 1e-3
	return c, true
}
