package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"tarry/env"
	"tarry/env/trait"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// instance gives the stream from which a window is drawn.
func (c *Config[M]) instance(p trait.Part, window int) *rng.Stream {
	return rng.Source{Seed: c.DataSeed, Experiment: c.Spec.ID, Cell: string(p), Replicate: uint64(window)}.
		Stream("instance")
}

// draws gives the stream from which a rule draws in a window.
func (c *Config[M]) draws(rule string, window int) *rng.Stream {
	return rng.Source{Seed: c.DataSeed, Experiment: c.Spec.ID, Cell: string(c.Part), Replicate: uint64(window)}.
		Stream("rule " + rule)
}

// Part is the part from which Reset draws.
func (e *Env[M]) Part() trait.Part { return e.cfg.Part }

// Windows is how many instances a part has.
func (e *Env[M]) Windows(trait.Part) int { return e.cfg.Windows }

// WindowHash names an instance by all that it is drawn from: the options but the part, the part and
// the number.
func (e *Env[M]) WindowHash(p trait.Part, i int) (string, error) {
	if i < 0 || i >= e.cfg.Windows {
		return "", fmt.Errorf("%s: window %d, expected 0..%d", e.spec.ID, i, e.cfg.Windows-1)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%d\n%s\n%d\n", e.spec.ID, without(e.spec.Options, "part"), e.cfg.DataSeed, p, i)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// without takes an option out of "key=value,...".
func without(options, key string) (out []string) {
	for _, one := range param.Split(options) {
		if k, _, _ := strings.Cut(one, "="); strings.TrimSpace(k) != key {
			out = append(out, one)
		}
	}
	return out
}

// Another makes a fresh environment on a part.
func (e *Env[M]) Another(p trait.Part) (env.Env, error) {
	c := e.cfg
	c.Part = p
	return New(c, e.spec.Options)
}
