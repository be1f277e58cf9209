package dqn

// Tuned gives published settings for a classic environment, and whether there are any: those of
// CleanRL's benchmark (dqn.py) for CartPole and Acrobot, those of rl-baselines3-zoo
// (hyperparams/dqn.yml) for MountainCar; all with double learning. Other ids give Default.
func Tuned(id string) (Config, bool) {
	c := Default()
	switch id {
	case "classic/CartPole-v1", "classic/Acrobot-v1":
	case "classic/MountainCar-v0":
		c.TotalSteps, c.LearningStarts, c.Gamma, c.LearningRate = 120_000, 1000, 0.98, 4e-3
		c.TrainEvery, c.GradientSteps, c.TargetEvery, c.Hidden = 16, 8, 600, []int{256, 256}
		c.EpsEnd, c.EpsPart, c.Huber, c.MaxGradNorm = 0.07, 0.2, true, 10 // Stable-Baselines3's loss and bound
	default:
		return c, false
	}
	return c, true
}
