package train

import (
	"fmt"

	"tarry/env/registry"
	"tarry/env/trait"
	"tarry/run/parts"
)

// Saw is what an agent saw of jobs that trained on an environment, ID:key=value,..., and left no
// folder: the windows of part train, and with validation the windows of part validation. It holds
// no agent. m opens the environment.
func Saw(from *parts.Catalogues, m *registry.Maker, envText string, validation bool) (*Trained, error) {
	c := Config{Env: envText, found: envText, from: from, maker: m}
	if err := c.checkEnv(); err != nil {
		return nil, err
	}
	if validation {
		c.ValidateEpisodes = maxWindows
	}
	s, err := windowsOf(&c, 1)
	if err != nil {
		return nil, fmt.Errorf("environment %q: %w", envText, err)
	}
	if !validation { // the marks of a run are of both parts
		e, err := c.make(trait.Train)
		if err != nil {
			return nil, err
		}
		s.mark(e, trait.Train)
		if err := e.Close(); err != nil {
			return nil, err
		}
	}
	t := &Trained{Config: c}
	return t, t.take(s)
}
