package agents

import "tarry/agents/ppo"

// Extender is a Config whose runs can be made longer.
type Extender interface {
	// Extend gives what a shorter run saved as what one of the Config would have saved; an error where a
	// schedule depends on the length.
	Extend(saved []byte) ([]byte, error)
}

func (c ppoConfig) Extend(saved []byte) ([]byte, error) { return ppo.Extend(c.Config, saved) }
