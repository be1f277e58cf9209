package pairs

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tarry/baselines/typed"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
)

// Env is the environment; it is trait.Searchable, too.
type Env struct {
	schedenv.Searched[*played]
	cfg *parts
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

// Parameters are the weights of the features.
func (e *Env) Parameters() []trait.Parameter {
	var present []float64
	for _, at := range e.cfg.places {
		present = append(present, e.cfg.Typed.Weights[at])
	}
	return trait.Weights(e.cfg.Features, present)
}

// Items implements trait.Itemised: the pairs in the list, by their job's place in the window and type.
func (e *Env) Items(dst []int) []int {
	s, ok := e.Scheduler().(*scheduler)
	var x typed.Inputs
	for i := range e.cfg.Jobs {
		for k := range e.cfg.types {
			item := -1
			if ok && i < len(s.jobs) && s.policy.ReadPair(e.View(), s.jobs[i], k, &x) {
				item = int(s.jobs[i])*e.cfg.types + k
			}
			dst = append(dst, item)
		}
	}
	return dst
}

// Answer writes the scores of the pairs in the list.
func (e *Env) Answer(dst, obs, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	if len(dst) != e.Spec().Action.Len() || len(obs) != e.Spec().Observation.Len() {
		return fmt.Errorf("%s: %d action and %d observation entries, expected %d and %d", ID, len(dst), len(obs),
			e.Spec().Action.Len(), e.Spec().Observation.Len())
	}
	w, head := e.cfg.weights(params), len(obs)-len(dst)*rowLen
	for i := range dst {
		row := obs[head+i*rowLen:][:rowLen]
		if dst[i] = 0; row[0] != 0 {
			x := read(row, obs[head-1])
			dst[i] = scored(typed.Score(e.cfg.own, w[:], &x))
		}
	}
	return nil
}

// check reports whether a vector has the right length.
func (e *Env) check(params []float64) error {
	if n := len(params); n != len(e.cfg.Features) {
		return fmt.Errorf("%s: %d parameters, expected %d", ID, n, len(e.cfg.Features))
	}
	return nil
}

// Export writes a vector as the text file that the policy typed reads (weights=FILE).
func (e *Env) Export(w io.Writer, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	all, s := e.cfg.weights(params), e.cfg.Typed
	s.Weights = all[:]
	_, err := s.WriteTo(w)
	return err
}

// Import reads such a text: all of it but the weights of the features becomes options.
func (e *Env) Import(name string, from io.Reader) (params []float64, options string, err error) {
	s, err := typed.Parse(name, from)
	if err != nil {
		return nil, "", err
	}
	for _, at := range e.cfg.places {
		params = append(params, s.Weights[at])
	}
	s.Exact = e.cfg.Typed.Exact // no text has it
	all := s.Spelled(func(key string) bool { return !slices.Contains(e.cfg.Features, key) && key != "exact" })
	return params, strings.Join(all, ","), nil
}

// AsParametric is the plan with a vector in the agent's place, as a policy for sim.Run; each call
// gives an independent one. It is the policy typed with these weights, from Config.Begins on.
func (e *Env) AsParametric(params []float64) (sim.Policy, error) {
	if err := e.check(params); err != nil {
		return nil, err
	}
	w, p := e.cfg.weights(params), e.cfg.start.Clone().(*typed.Policy)
	if e.cfg.Begins() > 0 {
		return &later{Policy: p, weights: w[:], from: e.cfg.Begins()}, nil
	}
	p.SetWeights(w[:])
	return p, nil
}
