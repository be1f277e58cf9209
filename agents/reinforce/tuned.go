package reinforce

// Tuned gives settings that work on a classic environment, and whether there are any. Other ids give
// Default. Nobody publishes results of REINFORCE there that could be repeated; these are ours.
func Tuned(id string) (Config, bool) {
	c := Default()
	switch id {
	case "classic/CartPole-v1":
		c.Gamma, c.LearningRate = 0.99, 3e-3
		c.Sequences, c.Rollouts = 4, 4
	case "classic/Acrobot-v1":
		c.LearningRate, c.NormObs = 3e-3, true
	default:
		return c, false
	}
	return c, true
}
