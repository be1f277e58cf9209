package a2c

// Tuned gives settings for an environment, and whether any are known: those of rl-baselines3-zoo
// (hyperparams/a2c.yml). Other ids give Default.
func Tuned(id string) (Config, bool) {
	c := Default()
	switch id {
	case "classic/CartPole-v1":
	case "classic/Acrobot-v1":
		c.Envs, c.NormObs, c.NormReward = 16, true, true
	case "classic/MountainCar-v0":
		c.TotalSteps, c.Envs, c.NormObs, c.NormReward = 1_000_000, 16, true, true
	default:
		return c, false
	}
	return c, true
}
