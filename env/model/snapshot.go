package model

import (
	"fmt"
	"math"

	"tarry/env"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// Snapshot saves the window and the actions of the episode: an episode is a pure function of these,
// and Restore steps through them again.
func (e *Env[M]) Snapshot() ([]byte, error) {
	if e.closed {
		return nil, fmt.Errorf("%s: snapshot: %w", e.spec.ID, env.ErrClosed)
	}
	w := pack.NewWriter(e.name())
	w.Bool(e.stream != nil)
	if e.stream != nil {
		stream, err := e.stream.MarshalBinary()
		if err != nil {
			return nil, err
		}
		w.Bytes(stream)
	}
	w.Bool(e.begun)
	if e.begun {
		w.Int(e.window)
		w.Int(len(e.log))
		w.Float64s(e.log)
		w.Float64s(e.obs)
		w.Float64(e.last.Reward)
	}
	return w.Seal(), nil
}

// name is what a snapshot is of.
func (e *Env[M]) name() string { return e.spec.ID + ":" + e.spec.Options }

// Restore sets a saved state and gives again what was given last.
func (e *Env[M]) Restore(data []byte) (env.Step, error) {
	if e.closed {
		return env.Step{}, fmt.Errorf("%s: restore: %w", e.spec.ID, env.ErrClosed)
	}
	e.begun, e.live, e.stream, e.last = false, false, nil, env.Step{}
	s, err := e.read(data)
	if err == nil && s.begun {
		err = e.replay(s)
	}
	if err != nil {
		e.begun, e.live = false, false
		return env.Step{}, fmt.Errorf("%s: %w: %w", e.spec.ID, env.ErrSnapshot, err)
	}
	e.stream = s.stream
	return e.last, nil
}

// saved is a snapshot that was read.
type saved struct {
	stream   *rng.Stream
	begun    bool
	window   int
	log, obs []float64
	reward   float64
}

func (e *Env[M]) read(data []byte) (*saved, error) {
	r := pack.NewReader(e.name(), data)
	var s saved
	if r.Bool() {
		s.stream = new(rng.Stream)
		if stream := r.Bytes(); r.Err() == nil {
			if err := s.stream.UnmarshalBinary(stream); err != nil {
				r.Fail(err)
			}
		}
	}
	if s.begun = r.Bool(); s.begun {
		s.window = r.Int()
		if n := r.Int(); r.Err() == nil && n >= 0 && n <= len(data)/8 {
			s.log = make([]float64, n)
		}
		r.Float64s(s.log)
		s.obs = make([]float64, len(e.obs))
		r.Float64s(s.obs)
		s.reward = r.Float64()
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	if n := len(e.advice); s.window < 0 || s.window >= e.cfg.Windows || len(s.log)%n != 0 {
		return nil, fmt.Errorf("window %d with %d numbers of actions, expected one of %d and a multiple of %d", s.window,
			len(s.log), e.cfg.Windows, n)
	}
	return &s, nil
}

// replay takes the actions of a snapshot again.
func (e *Env[M]) replay(s *saved) error {
	if err := e.start(s.window); err != nil {
		return err
	}
	for n := len(e.advice); len(s.log) > 0; s.log = s.log[n:] {
		if _, err := e.Step(s.log[:n]); err != nil {
			return err
		}
	}
	same := math.Float64bits(e.last.Reward) == math.Float64bits(s.reward)
	for i, x := range s.obs {
		same = same && math.Float64bits(x) == math.Float64bits(e.obs[i])
	}
	if !same {
		return fmt.Errorf("its actions now lead to another state, expected the same model")
	}
	return nil
}
