package classic

import "tarry/env"

// Published settings: for ppo from CleanRL's benchmark (CartPole and Acrobot) and rl-baselines3-zoo
// (MountainCar and Pendulum); for a2c from rl-baselines3-zoo; for dqn from CleanRL's benchmark
// (dqn.py; CartPole and Acrobot) and rl-baselines3-zoo (MountainCar), all with double learning; for
// sac from rl-baselines3-zoo with layers of 64 instead of 256 and minibatches of 128 instead of
// 256, about a thirtieth of the work. There are no published results of reinforce or of policy
// search that could be repeated: these are ours. Learners that are named with no setting do well
// with their defaults.

func adviceCartPole() env.Advice {
	return env.Advice{"ppo": {}, "a2c": {}, "dqn": {}, "reinforce": {"gamma": 0.99, "learning_rate": 3e-3,
		"sequences": 4, "rollouts": 4},
		"cmaes-policy": {"generations": 20, "windows": 8}}
}

func adviceAcrobot() env.Advice {
	return env.Advice{"ppo": {}, "dqn": {}, "a2c": {"envs": 16, "norm_obs": true, "norm_reward": true},
		"reinforce": {"learning_rate": 3e-3, "norm_obs": true}}
}

func adviceMountainCar() env.Advice {
	return env.Advice{
		"ppo": zoo(map[string]any{"total_steps": 1_000_000, "envs": 16, "steps": 16, "lambda": 0.98, "epochs": 4,
			"minibatches": 4,
			"norm_obs":    true, "norm_reward": true}),
		"a2c": {"total_steps": 1_000_000, "envs": 16, "norm_obs": true, "norm_reward": true},
		// The loss and the bound of the gradient are Stable-Baselines3's.
		"dqn": {"total_steps": 120_000, "learning_starts": 1000, "gamma": 0.98, "learning_rate": 4e-3,
			"train_every": 16, "gradient_steps": 8,
			"target_every": 600, "hidden": []int{256, 256}, "eps_end": 0.07, "eps_part": 0.2, "huber": true,
			"max_grad_norm": 10},
	}
}

func advicePendulum() env.Advice {
	return env.Advice{
		"ppo": zoo(map[string]any{"total_steps": 100_000, "envs": 4, "steps": 1024, "gamma": 0.9, "lambda": 0.95,
			"learning_rate": 1e-3,
			"epochs":        10, "minibatches": 64}),
		"sac":          {"total_steps": 20_000, "learning_rate": 1e-3, "batch": 128},
		"cmaes-policy": {"generations": 100, "population": 24, "windows": 8, "hidden": []int{8}},
	}
}

// zoo adds what Stable-Baselines3 does by default where CleanRL, whose settings are ppo's defaults,
// does otherwise.
func zoo(m map[string]any) map[string]any {
	for key, v := range map[string]any{"learning_rate": 3e-4, "anneal": false, "clip_value": false, "entropy_coef": 0} {
		if _, given := m[key]; !given {
			m[key] = v
		}
	}
	return m
}
