package wrap

import (
	"fmt"
	"slices"

	"tarry/env"
	"tarry/env/layout"
	"tarry/internal/pack"
)

type flatten struct {
	stateless
	from env.Space
	obs  []float64
}

// Flatten makes the observation one Box, choices one-hot: what a network reads.
func Flatten(e env.Env) env.Env {
	from := e.Spec().Observation
	f := &flatten{stateless{newLayer(e, "Flatten")}, from, make([]float64, env.FlatDim(from))}
	if f.spec.Observation = env.FlatSpace(from); f.spec.Observation.Len() != from.Len() {
		f.spec.Layout = layout.Observation{} // choices became several numbers each
	}
	return f
}

func (f *flatten) flat(obs []float64) []float64 {
	if obs == nil {
		return nil
	}
	env.Flatten(f.obs, f.from, obs)
	return f.obs
}

func (f *flatten) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := f.inner.Reset(seed, options)
	return f.flat(obs), info, err
}

func (f *flatten) Step(action []float64) (env.Step, error) {
	s, err := f.inner.Step(action)
	s.Obs = f.flat(s.Obs)
	return s, err
}

func (f *flatten) Restore(data []byte) (env.Step, error) {
	s, err := env.Restore(f.inner, data)
	s.Obs = f.flat(s.Obs)
	return s, err
}

type timeAware struct {
	layer
	taken int
	obs   []float64
}

// TimeAware adds one number to the observation, a Box: the fraction of the time limit that is
// used up, in [0, 1] (Pardo et al. 2018, "Time limits in reinforcement learning"). The
// environment must have a limit.
func TimeAware(e env.Env) (env.Env, error) {
	s := e.Spec()
	b, ok := s.Observation.(env.Box)
	if !ok {
		return nil, fmt.Errorf("%s: TimeAware: the observation is %s, expected a Box (put Flatten below)", s.ID,
			env.Describe(s.Observation))
	}
	if s.MaxSteps < 1 {
		return nil, fmt.Errorf("%s: TimeAware: there is no time limit, expected one (put TimeLimit below)", s.ID)
	}
	t := &timeAware{layer: newLayer(e, "TimeAware"), obs: make([]float64, b.Len()+1)}
	t.spec.Layout = layout.Observation{} // of one number less
	t.spec.Observation = env.Box{Low: append(slices.Clone(b.Low), 0), High: append(slices.Clone(b.High), 1)}
	return t, nil
}

func (t *timeAware) add(obs []float64) []float64 {
	if obs == nil {
		return nil
	}
	copy(t.obs, obs)
	t.obs[len(t.obs)-1] = float64(t.taken) / float64(t.spec.MaxSteps)
	return t.obs
}

func (t *timeAware) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	t.taken = 0
	obs, info, err := t.inner.Reset(seed, options)
	return t.add(obs), info, err
}

func (t *timeAware) Step(action []float64) (env.Step, error) {
	s, err := t.inner.Step(action)
	if err == nil {
		t.taken++
		s.Obs = t.add(s.Obs)
	}
	return s, err
}

func (t *timeAware) Snapshot() ([]byte, error) {
	return t.snapshot("timeaware", func(w *pack.Writer) { w.Int(t.taken) })
}

func (t *timeAware) Restore(data []byte) (env.Step, error) {
	s, err := t.restore("timeaware", data, func(r *pack.Reader) { t.taken = r.Int() })
	s.Obs = t.add(s.Obs)
	return s, err
}
