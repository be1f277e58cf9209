package evaluate

import (
	"context"
	"slices"

	"tarry/env/scenario"
	"tarry/env/schedenv"
)

// choose has an environment that chooses predictors choose one for each policy. An agent has the
// choice of the policy that it steers.
func (s *Setup) choose(ctx context.Context, c *schedenv.Config) error {
	for _, name := range s.Policies {
		one, err := c.Choices(ctx, name)
		if err != nil {
			return err
		}
		if len(one) == 0 {
			continue
		}
		if s.Chosen == nil {
			s.Chosen = map[string][]*scenario.Choice{}
		}
		s.Chosen[name] = one
	}
	return nil
}

// Choices lists the choices of Chosen, each once, in the order of the policies.
func (s *Setup) Choices() (out []*scenario.Choice) {
	for _, name := range s.Policies {
		for _, one := range s.Chosen[name] {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}
