package evaluate

import (
	"fmt"
	"io"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
	"tarry/run/parts"
)

// WriteWeights writes the agent of a training run as the text that its environment makes of it;
// which is best or last. It is for agents that are vectors of parameters in an environment that is
// trait.Exporter.
func WriteWeights(from *parts.Catalogues, dir, which string, w io.Writer) error {
	s := &Setup{from: from}
	_, f, _, err := s.load(from.Maker(), dir, &Request{Which: which})
	if err != nil {
		return err
	}
	x, ok := agents.Vector(f.policy)
	if !ok {
		return fmt.Errorf("%s holds %s, expected an agent of policy search over parameters of its environment", dir,
			f.Agent)
	}
	on, ok := env.Find[trait.Exporter](f.env.in)
	if !ok {
		return fmt.Errorf("%s: parameters of %s have no text, expected an environment such as tarry/Order-v0", dir,
			f.env.spec.ID)
	}
	return on.Export(w, x)
}
