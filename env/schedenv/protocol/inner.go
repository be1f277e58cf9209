package protocol

import (
	"tarry/env"
	"tarry/env/schedenv"
)

// Inner is the environment over the simulator inside one that offers more.
type Inner struct{ *schedenv.Env }

// Unwrap gives the environment over the simulator.
func (i Inner) Unwrap() env.Env { return i.Env }

// On is a fresh one on a part; see schedenv.Env.
func (i Inner) On(p schedenv.Part) (Inner, error) {
	fresh, err := i.Env.Another(p)
	if err != nil {
		return Inner{}, err
	}
	return Inner{fresh.(*schedenv.Env)}, nil
}
