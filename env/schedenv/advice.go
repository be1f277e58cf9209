package schedenv

import (
	"maps"

	"tarry/env"
)

// advised gives common advice, and over it the advice of one environment.
func advised(own env.Advice) env.Advice {
	out := common()
	for learner, settings := range own {
		if out[learner] == nil {
			out[learner] = map[string]any{}
		}
		maps.Copy(out[learner], settings)
	}
	return out
}

// common is what learners start from where nothing more is known of an environment over the
// simulator: several windows side by side, rewards of unknown size, few and long steps, and timers
// that are not thrown about at first.
func common() env.Advice {
	return env.Advice{
		"ppo": {"total_steps": 200_000, "envs": 8, "steps": 128, "learning_rate": 3e-4, "epochs": 6, "minibatches": 8,
			"norm_reward": true, "entropy_coef": 0, "log_std": -1},
		"a2c": {"total_steps": 200_000, "steps": 16, "rollouts": 8, "lambda": 0.95, "optimizer": "adam",
			"learning_rate": 3e-4,
			"norm_reward":   true, "norm_advantage": true, "log_std": -1},
		// Episodes have hundreds of decisions: few of them per update, and large steps.
		"reinforce": {"total_steps": 200_000, "sequences": 2, "learning_rate": 3e-3, "log_std": -1},
		// Values that look a few decisions ahead. One decision of many counts little beside its
		// noise: with a demo_weight of 1 the values win over the margin.
		"dqn": {"total_steps": 200_000, "envs": 8, "steps": 128, "buffer": 50_000, "learning_starts": 5_000,
			"train_every": 8, "batch": 64,
			"target_every": 2_000, "learning_rate": 5e-4, "n_steps": 3, "hidden": []int{64, 64}, "duel": true,
			"huber":       true,
			"norm_reward": true, "max_grad_norm": 10, "demo_weight": 100},
		// Less noise than a uniform policy has.
		"sac": {"total_steps": 50_000, "envs": 4, "steps": 128, "buffer": 50_000, "learning_starts": 2_000,
			"train_every": 4, "batch": 128,
			"n_steps": 3, "norm_reward": true, "alpha": 0.1, "max_grad_norm": 10},
	}
}
