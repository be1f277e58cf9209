package ppo

// Tuned gives published settings for a classic environment, and whether there are any:
// those of CleanRL's benchmark for CartPole and Acrobot, those of rl-baselines3-zoo
// (hyperparams/ppo.yml) for MountainCar and Pendulum. Other ids give Default.
func Tuned(id string) (Config, bool) {
	c := Default()
	switch id {
	case "classic/CartPole-v1", "classic/Acrobot-v1":
	case "classic/MountainCar-v0":
		c.zoo(1_000_000, 16, 16)
		c.Lambda, c.Epochs, c.Minibatches = 0.98, 4, 4
		c.NormObs, c.NormReward = true, true
	case "classic/Pendulum-v1":
		c.zoo(100_000, 4, 1024)
		c.Gamma, c.Lambda, c.LearningRate, c.Epochs, c.Minibatches = 0.9, 0.95, 1e-3, 10, 64
	default:
		return c, false
	}
	return c, true
}

// zoo sets what Stable-Baselines3 does by default where CleanRL does otherwise.
func (c *Config) zoo(total, envs, steps int) {
	c.TotalSteps, c.Envs, c.Steps = total, envs, steps
	c.LearningRate, c.Anneal, c.ClipValue, c.EntropyCoef = 3e-4, false, false, 0
}
