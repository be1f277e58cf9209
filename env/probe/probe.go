package probe

import (
	"fmt"
	"slices"

	"tarry/env"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// rules are what makes one probe differ from another.
type rules struct {
	// start draws the first observation and mask.
	start func(s *rng.Stream, obs []float64, mask []bool)
	// step changes obs (and mask) and states what came of the action; t counts steps from 1.
	step func(t int, action, obs []float64, mask []bool) outcome
}

// outcome is what one step gives; elapsed 0 stands for 1, but where the step is instant.
type outcome struct {
	reward, elapsed float64
	terminated      bool
	truncated       bool
	instant         bool
}

// machine is a probe as an environment.
type machine struct {
	spec   env.Spec
	rules  rules
	stream *rng.Stream
	obs    []float64
	mask   []bool
	taken  int
	last   outcome
	begun  bool
}

func newMachine(spec env.Spec, r rules) env.Env {
	w := explained(spec.ID)
	spec.Layout, spec.Guide = w.layout()
	m := &machine{spec: spec, rules: r, obs: make([]float64, spec.Observation.Len())}
	if spec.Masked {
		m.mask = make([]bool, env.MaskLen(spec.Action))
	}
	return m
}

func (m *machine) Spec() *env.Spec { return &m.spec }

func (m *machine) Close() error { return nil }

func (m *machine) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if options != "" {
		m.begun = false
		return nil, env.Info{}, fmt.Errorf("%s reset: options %q, expected none", m.spec.ID, options)
	}
	if seed != nil || m.stream == nil {
		var s uint64
		if seed != nil {
			s = *seed
		}
		m.stream = rng.Source{Seed: s}.Stream(m.spec.ID)
	}
	m.taken, m.last, m.begun = 0, outcome{}, true
	clear(m.obs)
	m.rules.start(m.stream, m.obs, m.mask)
	return m.obs, env.Info{Mask: m.mask}, nil
}

func (m *machine) Step(action []float64) (env.Step, error) {
	if !m.begun || m.last.terminated || m.last.truncated {
		return env.Step{}, fmt.Errorf("%s: step: %w", m.spec.ID, env.ErrResetNeeded)
	}
	if err := env.CheckAction(&m.spec, m.mask, action); err != nil {
		return env.Step{}, err
	}
	m.taken++
	m.last = m.rules.step(m.taken, action, m.obs, m.mask)
	if m.last.elapsed == 0 && !m.last.instant {
		m.last.elapsed = 1
	}
	return m.told(), nil
}

func (m *machine) told() env.Step {
	return env.Step{Obs: m.obs, Reward: m.last.reward, Terminated: m.last.terminated, Truncated: m.last.truncated,
		Info: env.Info{Mask: m.mask, Elapsed: m.last.elapsed}}
}

func (m *machine) Snapshot() ([]byte, error) {
	w := pack.NewWriter(m.spec.ID)
	w.Bool(m.begun)
	if m.begun {
		stream, err := m.stream.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.Bytes(stream)
		w.Float64s(m.obs)
		w.Bools(m.mask)
		w.Int(m.taken)
		w.Float64s([]float64{m.last.reward, m.last.elapsed})
		w.Bools([]bool{m.last.terminated, m.last.truncated})
	}
	return w.Seal(), nil
}

func (m *machine) Restore(data []byte) (env.Step, error) {
	fresh := machine{spec: m.spec, rules: m.rules, obs: m.obs, mask: m.mask}
	r := pack.NewReader(m.spec.ID, data)
	begun := r.Bool()
	if begun {
		fresh.stream = &rng.Stream{}
		if state := r.Bytes(); r.Err() == nil {
			if err := fresh.stream.UnmarshalBinary(state); err != nil {
				r.Fail(err)
			}
		}
		r.Float64s(fresh.obs)
		r.Bools(fresh.mask)
		fresh.taken = r.Int()
		var f [2]float64
		var b [2]bool
		r.Float64s(f[:])
		r.Bools(b[:])
		fresh.last = outcome{f[0], f[1], b[0], b[1], f[1] == 0}
	}
	err := r.Close()
	fresh.begun = begun && err == nil
	if err != nil {
		fresh.stream = nil
		*m = fresh
		return env.Step{}, fmt.Errorf("%s: %w: %w", m.spec.ID, env.ErrSnapshot, err)
	}
	*m = fresh
	if !begun {
		return env.Step{}, nil
	}
	return m.told(), nil
}

// argmax is the index of the largest number, the first among equals.
func argmax(v []float64) int { return slices.Index(v, slices.Max(v)) }
