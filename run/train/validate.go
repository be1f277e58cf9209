package train

import (
	"errors"
	"fmt"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
)

// validator measures a policy on episodes that training has not seen, the same ones each time.
type validator struct {
	env      env.Env
	more     []env.Env // others of its kind, to simulate windows beside it
	windows  int
	episodes int
	seed     uint64
	action   []float64
}

func newValidator(c *Config) (*validator, error) {
	e, windows, err := validationEnv(c)
	if err != nil {
		return nil, err
	}
	n := c.ValidateEpisodes
	if windows > 0 {
		n = min(n, windows)
	}
	return &validator{env: e, windows: windows, episodes: n, seed: c.Seed,
		action: make([]float64, e.Spec().Action.Len())}, nil
}

// mean is the mean undiscounted return over the episodes; the policy takes its most likely actions.
// Windows without decisions are left out.
func (v *validator) mean(p agents.Policy) (float64, error) {
	if x, ok := agents.Vector(p); ok {
		return v.simulated(x)
	}
	total, counted := 0.0, 0
	for i := range v.episodes {
		options := ""
		if v.windows > 0 {
			options = fmt.Sprintf("window=%d", i)
		}
		agents.Begin(p, i)
		got, err := v.episode(p, env.HashSeed(v.seed, "validation", uint64(i)), options)
		if errors.Is(err, trait.ErrNoQuestion) {
			continue // it has no question under any policy: the same windows each time
		}
		if err != nil {
			return 0, fmt.Errorf("validation episode %d: %w", i, err)
		}
		total += got
		counted++
	}
	if counted == 0 {
		return 0, v.unasked()
	}
	return total / float64(counted), nil
}

func (v *validator) unasked() error {
	return fmt.Errorf("validation: in none of %d windows is the agent asked anything, expected more load or "+
		"another cluster", v.episodes)
}

func (v *validator) close() error {
	errs := []error{v.env.Close()}
	for _, e := range v.more {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

func (v *validator) episode(p agents.Policy, seed uint64, options string) (total float64, err error) {
	obs, info, err := v.env.Reset(&seed, options)
	for done := false; err == nil && !done; {
		if err = p.Act(v.action, obs, info.Mask, nil); err != nil {
			return 0, err
		}
		var s env.Step
		s, err = v.env.Step(v.action)
		obs, info, done = s.Obs, s.Info, s.Done()
		total += s.Reward
	}
	return total, err
}
