package evaluate

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
	"tarry/internal/netfile"
	"tarry/run/parts"
	"tarry/run/train"
)

// WriteWeights writes the agent of a training run as text; which is best or last. A vector of
// parameters in an environment that is trait.Exporter is the text that the environment makes of it,
// a network that makes choices a file of internal/netfile, with so many significant digits (0 = to
// the last bit).
func WriteWeights(from *parts.Catalogues, dir, which string, digits int, w io.Writer) (err error) {
	m := from.Maker()
	t, err := train.OpenWith(from, m, dir, which)
	if err != nil {
		return err
	}
	at, err := t.Env()
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	e, err := m.Make(at)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	p, err := t.Policy(e.Spec())
	if err == nil {
		err = agents.Bind(p, e)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if x, ok := agents.Vector(p); ok {
		on, ok := env.Find[trait.Exporter](e)
		if !ok {
			return fmt.Errorf("%s: parameters of %s have no text, expected an environment such as tarry/Order-v0", dir,
				e.Spec().ID)
		}
		return on.Export(w, x)
	}
	return writeNetwork(p, fmt.Sprintf("%s holds %s of %s", dir, t.Config.Agent, t.Config.Env), digits, w)
}

// writeNetwork writes a policy that is a network of choices; what states in errors which.
func writeNetwork(p agents.Policy, what string, digits int, w io.Writer) error {
	text, err := agents.Text(p)
	if err != nil {
		return fmt.Errorf("%s: %w, or an agent of policy search over parameters of its environment", what, err)
	}
	if digits == 0 {
		_, err = w.Write(text)
		return err
	}
	n, err := netfile.Read(what, bytes.NewReader(text))
	if err == nil {
		n, err = n.Rounded(digits)
	}
	if err != nil {
		return err
	}
	return n.Write(w)
}
