package train

import (
	"errors"
	"math/rand/v2"

	"tarry/agents"
	"tarry/env"
	"tarry/env/schedenv"
)

// Reference gives the baseline that a learning curve is read against, the one that the agent imitates or else Dally, and the mean
// return that it reaches in the agent's place on the run's validation episodes. It follows from the configuration alone. The name is
// "" where no scheduler acts in the environment, or none can be asked what it would do there.
func (c *Config) Reference() (name string, mean float64, err error) {
	v, err := newValidator(c)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, v.env.Close()) }()
	on, ok := env.Find[*schedenv.Env](v.env)
	if !ok {
		return "", 0, nil
	}
	if name = c.Imitate; name == "" {
		name = "dally"
	}
	if on.Follow(name) != nil {
		return "", 0, nil // nobody to compare with, which is no fault of the run
	}
	mean, err = v.mean(follower{on})
	return name, mean, err
}

// follower acts as a baseline would.
type follower struct{ on *schedenv.Env }

// Act implements agents.Policy.
func (f follower) Act(dst, _ []float64, _ []bool, _ *rand.Rand) error { return f.on.Demonstrate(dst) }

// Fork implements agents.Policy: there is one environment.
func (f follower) Fork() agents.Policy { return f }
