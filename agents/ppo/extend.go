package ppo

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/agents/learn"
)

// Extend gives what a run saved as what a longer one, of cfg, would have saved after as many updates: all but
// TotalSteps must be the same. A schedule that ends with the run is an error, since the longer run would
// have been another one from the start.
func Extend(cfg Config, saved []byte) ([]byte, error) {
	h := &header{}
	s, err := learn.Open(saved, format, h)
	if err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	now := cfg
	now.TotalSteps = h.Config.TotalSteps
	if err := learn.SameConfig(&h.Config, &now); err != nil {
		return nil, fmt.Errorf("ppo: %w", err)
	}
	var errs []error
	if cfg.Anneal {
		errs = append(errs, errors.New("ppo: anneal is true: the learning rate falls to 0 at total_steps, so that a longer run is another one from the start; expected anneal=false, or a new run"))
	}
	if cfg.AnnealClip {
		errs = append(errs, errors.New("ppo: anneal_clip is true: clip falls to 0 at total_steps, so that a longer run is another one from the start; expected anneal_clip=false, or a new run"))
	}
	if h.Failed != "" {
		errs = append(errs, fmt.Errorf("ppo: the run failed: %s", h.Failed))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	h.Config = cfg
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("ppo: extend: %w", err)
	}
	s.Put("header", text)
	return s.Encode(), nil
}
