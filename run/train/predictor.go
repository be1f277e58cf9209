package train

import (
	"context"
	"errors"

	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/trait"
)

// Chosen lists which predictors of run times the environment has chosen, nil = it chooses none. The
// first call simulates the candidates, until ctx ends.
func (c *Config) Chosen(ctx context.Context) (out []*scenario.Choice, err error) {
	e, err := c.make(trait.Train)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	on, ok := env.Find[scenario.Choosing](e)
	if !ok {
		return nil, nil
	}
	return on.Choices(ctx)
}
