package ppo

import (
	"errors"
	"fmt"

	"tarry/agents/learn"
)

// Extend gives what a run saved as what a longer one, of cfg, would have saved after as many
// updates: all but TotalSteps must be the same. A schedule that ends with the run is an error,
// since the longer run would have been another one from the start.
func Extend(cfg Config, saved []byte) ([]byte, error) {
	return learn.Rewrite(agent, saved, func(h *learn.Header[Config]) error {
		f, now := learn.Faults{Agent: agent}, cfg
		now.TotalSteps = h.Config.TotalSteps
		if err := learn.SameConfig(&h.Config, &now); err != nil {
			f.Add(err)
			return f.Err()
		}
		if cfg.Anneal {
			f.Add(errors.New("anneal is true: the learning rate falls to 0 at total_steps, so that a longer run is " +
				"another one from the start; expected anneal=false, or a new run"))
		}
		if cfg.AnnealClip {
			f.Add(errors.New("anneal_clip is true: clip falls to 0 at total_steps, so that a longer run is another " +
				"one from the start; expected anneal_clip=false, or a new run"))
		}
		if h.Failed != "" {
			f.Add(fmt.Errorf("the run failed: %s", h.Failed))
		}
		h.Config = cfg
		return f.Err()
	})
}
