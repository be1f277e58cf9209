package train

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tarry/env"
	"tarry/env/trait"
)

// beside makes environments like the validator's, so that windows are simulated by several
// goroutines; none where windows are stepped through.
func (v *validator) beside(c *Config, workers int) error {
	if _, ok := env.Find[trait.Searchable](v.env); !ok {
		return nil
	}
	for range min(workers, v.episodes) - 1 {
		e, _, err := validationEnv(c)
		if err != nil {
			return err
		}
		v.more = append(v.more, e)
	}
	return nil
}

// simulated is minus the mean cost of a vector over the windows of validation. Windows without
// decisions are left out.
func (v *validator) simulated(x []float64) (float64, error) {
	costs, errs := make([]float64, v.episodes), make([]error, v.episodes)
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, e := range append([]env.Env{v.env}, v.more...) {
		wait.Go(func() {
			on, ok := env.Find[trait.Searchable](e)
			for i := int(next.Add(1)) - 1; i < v.episodes; i = int(next.Add(1)) - 1 {
				if !ok {
					errs[i] = fmt.Errorf("%s has no parameters", e.Spec().ID)
					continue
				}
				var o trait.Outcome
				if o, errs[i] = on.Play(context.Background(), x, trait.Validation, i); errs[i] == nil {
					costs[i], errs[i] = o.Cost, trait.CheckCost(o.Cost)
				}
			}
		})
	}
	wait.Wait()
	total, counted := 0.0, 0
	for i, err := range errs {
		switch {
		case err == nil:
			total += costs[i]
			counted++
		case !errors.Is(err, trait.ErrNoQuestion):
			return 0, fmt.Errorf("validation window %d: %w", i, err)
		}
	}
	if counted == 0 {
		return 0, v.unasked()
	}
	return -total / float64(counted), nil
}
