package replicas

import (
	"fmt"

	"tarry/baselines/operate"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
)

// model is what env/model makes an environment of.
func (c *Config) model() model.Config[*Model] {
	features := layout.Features(operate.ReadingFeatures)
	return model.Config[*Model]{Settings: c.Settings, CostName: "service_cost", Rules: rules(),
		New: func() *Model { return &Model{cfg: c} },
		Spec: env.Spec{ID: ID, Masked: true, Action: env.Discrete{N: operate.NumScaleChoices}, Metrics: metricNames(),
			Observation: env.NewBox(-1, 2, operate.NumReadingFeatures),
			Layout: layout.Observation{Segments: []layout.Segment{{Name: "service", Doc: "the service that is asked",
				Features: features, Items: 1}}},
			Guide: layout.Guide{Action: layout.Features("0  one replica fewer\n1  the same\n2  one more"),
				Reward: fmt.Sprintf("of an epoch: the mean over the services of the good part of its requests - %v x GPUs of "+
					"replicas / GPUs of all replicas; the last question of an epoch has it and an Elapsed of 1, the others 0",
					c.Price),
				Ends: fmt.Sprintf("truncated at the first epoch at or after %v h", c.Hours)},
			// A replica that starts now serves after a minute; what it spares shows within some epochs.
			Advice: env.Advice{"ppo": {"total_steps": 400_000, "envs": 8, "steps": 128, "gamma": 0.97, "lambda": 0.97,
				"learning_rate": 3e-3, "epochs": 4, "minibatches": 4, "norm_reward": true, "entropy_coef": 0},
				"a2c":          {"total_steps": 400_000, "gamma": 0.97, "norm_reward": true},
				"cmaes-policy": {"generations": 200, "windows": 32, "hidden": []int{8}, "sigma": 0.5}}}}
}
