package train

import (
	"errors"
	"math/rand/v2"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
)

// Reference gives the baseline that a learning curve is read against, the baseline that the agent
// imitates or else the base policy, and the mean return that it reaches in the agent's place on the
// run's validation episodes. It follows from the configuration alone. The name is "" where the
// environment has no demonstrator, or this one cannot be asked what it would do there.
func (c *Config) Reference() (name string, mean float64, err error) {
	v, err := newValidator(c)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, v.env.Close()) }()
	on, ok := env.Find[trait.Demonstrator](v.env)
	if !ok {
		return "", 0, nil
	}
	if name = c.Imitate; name == "" {
		if based, ok := env.Find[trait.Based](v.env); ok {
			name = based.Base()
		}
	}
	if name == "" || on.Follow(name) != nil {
		return "", 0, nil // no baseline to compare with, which is no fault of the run
	}
	mean, err = v.mean(follower{on})
	return name, mean, err
}

// follower acts as a baseline would.
type follower struct{ on trait.Demonstrator }

// Act implements agents.Policy.
func (f follower) Act(dst, _ []float64, _ []bool, _ *rand.Rand) error { return f.on.Demonstrate(dst) }

// Fork implements agents.Policy: there is one environment.
func (f follower) Fork() agents.Policy { return f }
