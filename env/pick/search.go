package pick

import (
	"fmt"
	"io"

	"tarry/baselines/picking"
	"tarry/baselines/queueing"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/know"
)

// Env is the environment; it is trait.Searchable, too.
type Env struct {
	schedenv.Searched[*played]
	cfg *Config
}

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	fresh, err := e.On(p)
	if err != nil {
		return nil, err
	}
	cfg := *e.cfg
	cfg.Part = p
	return &Env{Searched: fresh, cfg: &cfg}, nil
}

// Parameters are the weights of the score.
func (e *Env) Parameters() []trait.Parameter {
	return trait.Weights(e.cfg.Score.Names(), e.cfg.Score.Weights())
}

// check reports whether a vector has the right length.
func (e *Env) check(params []float64) error {
	if n := e.cfg.Score.Len(); len(params) != n {
		return fmt.Errorf("%s: %d parameters, expected %d", ID, len(params), n)
	}
	return nil
}

// Answer picks the job of the list with the lowest score.
func (e *Env) Answer(dst, obs, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	if want := e.Spec().Observation.Len(); len(dst) != 1 || len(obs) != want {
		return fmt.Errorf("%s: %d action and %d observation entries, expected 1 and %d", ID, len(dst), len(obs), want)
	}
	dst[0] = float64(e.cfg.least(obs, params))
	return nil
}

// Export writes a vector as the text file that the policy picked reads (weights=FILE).
func (e *Env) Export(w io.Writer, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	f := e.cfg.Score.Clone()
	f.Set(params)
	_, err := f.WriteTo(w)
	return err
}

// parametric is the protocol with a vector in the agent's place, without observations: it picks out
// of all jobs that wait.
type parametric struct {
	knows   know.Set
	fn      *picking.Func
	weights []float64
	picker  *queueing.Picker
	read    picking.Reader
	asked   bool // there was a choice
}

// Knows implements sim.Policy.
func (p *parametric) Knows() know.Set { return p.knows }

// Decide implements sim.Policy.
func (p *parametric) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.picker.Begin(v)
	for p.picker.Next(v) {
		waiting, at := p.picker.Waiting(), 0
		if len(waiting) > 1 {
			p.asked = true
			at = queueing.Least(v, &p.read, p.fn, p.weights, waiting)
		}
		p.picker.Pick(at)
	}
	return p.picker.Decisions(out)
}

// Clone gives an independent copy.
func (p *parametric) Clone() sim.Policy {
	c := *p
	c.picker, c.read = p.picker.Copied(), p.read.Clone()
	return &c
}

// AsParametric is the protocol with a vector in the agent's place, as a policy for sim.Run; each
// call gives an independent one.
func (e *Env) AsParametric(params []float64) (sim.Policy, error) {
	if err := e.check(params); err != nil {
		return nil, err
	}
	f := e.cfg.Score.Clone()
	f.Set(params)
	return e.cfg.vector(f, f.Weights()), nil
}
