package classic

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/internal/pack"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// body is what the problems share: a state vector, what is seen of it, and one random stream that
// only draws first states.
type body struct {
	spec   env.Spec
	stream *rng.Stream
	state  []float64
	obs    []float64
	last   outcome
	begun  bool
	shut   bool
}

// outcome is what a Restore gives again beside the observation.
type outcome struct {
	reward, elapsed float64
	terminated      bool
}

// words states what a problem shows, does and rewards: features and actions as layout.Features
// reads them.
type words struct{ features, actions, reward, ends string }

func newBody(spec env.Spec, states int, w words) body {
	spec.Layout.Segments = []layout.Segment{{Name: "state", Features: layout.Features(w.features), Items: 1}}
	spec.Guide = layout.Guide{Action: layout.Features(w.actions), Reward: w.reward, Ends: w.ends}
	return body{spec: spec, state: make([]float64, states), obs: make([]float64, spec.Observation.Len())}
}

// Spec describes the problem.
func (b *body) Spec() *env.Spec { return &b.spec }

// Close ends its use.
func (b *body) Close() error {
	b.shut = true
	return nil
}

// begin seeds the stream as Reset's contract states.
func (b *body) begin(seed *uint64) error {
	if b.shut {
		return fmt.Errorf("%s: reset: %w", b.spec.ID, env.ErrClosed)
	}
	if seed != nil || b.stream == nil {
		var s uint64
		if seed != nil {
			s = *seed
		}
		b.stream = rng.Source{Seed: s}.Stream(b.spec.ID)
	}
	b.last, b.begun = outcome{}, true
	return nil
}

// between draws uniformly from [lo, hi).
func (b *body) between(lo, hi float64) float64 { return lo + float64((hi-lo)*b.stream.Float64()) }

// draw begins an episode whose state numbers are uniform in [low, high], both settable by options
// within [least, most].
func (b *body) draw(seed *uint64, options string, low, high, least, most float64) error {
	if options != "" {
		set := param.Parse(b.spec.ID+" reset", options)
		low = set.Float("low", low, least, most)
		high = set.Float("high", high, least, most)
		if !(low <= high) {
			set.Fault("low is %v, expected <= high, %v", low, high)
		}
		if err := set.Err(); err != nil {
			b.begun = false
			return err
		}
	}
	if err := b.begin(seed); err != nil {
		return err
	}
	for i := range b.state {
		b.state[i] = b.between(low, high)
	}
	return nil
}

// check reports why a step cannot be taken.
func (b *body) check(action []float64) error {
	switch {
	case b.shut:
		return fmt.Errorf("%s: step: %w", b.spec.ID, env.ErrClosed)
	case !b.begun || b.last.terminated:
		return fmt.Errorf("%s: step: %w", b.spec.ID, env.ErrResetNeeded)
	}
	return env.CheckAction(&b.spec, nil, action)
}

// done notes the outcome of a step and gives it.
func (b *body) done(reward float64, terminated bool) env.Step {
	b.last = outcome{reward, 1, terminated}
	return b.told()
}

func (b *body) told() env.Step {
	return env.Step{Obs: b.obs, Reward: b.last.reward, Terminated: b.last.terminated,
		Info: env.Info{Elapsed: b.last.elapsed}}
}

// Snapshot saves the state and the stream.
func (b *body) Snapshot() ([]byte, error) {
	w := pack.NewWriter(b.spec.ID)
	w.Bool(b.begun)
	if !b.begun {
		return w.Seal(), nil
	}
	stream, err := b.stream.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w.Bytes(stream)
	w.Float64s(b.state)
	w.Float64s(b.obs)
	w.Float64(b.last.reward)
	w.Float64(b.last.elapsed)
	w.Bool(b.last.terminated)
	return w.Seal(), nil
}

// Restore sets a saved state.
func (b *body) Restore(data []byte) (env.Step, error) {
	if b.shut {
		return env.Step{}, fmt.Errorf("%s: restore: %w", b.spec.ID, env.ErrClosed)
	}
	b.begun, b.last = false, outcome{}
	r := pack.NewReader(b.spec.ID, data)
	begun := r.Bool()
	if begun {
		var stream rng.Stream
		if saved := r.Bytes(); r.Err() == nil {
			if err := stream.UnmarshalBinary(saved); err != nil {
				r.Fail(err)
			}
		}
		b.stream = &stream
		r.Float64s(b.state)
		r.Float64s(b.obs)
		b.last = outcome{r.Float64(), r.Float64(), r.Bool()}
	} else {
		b.stream = nil
	}
	if err := r.Close(); err != nil {
		b.stream = nil
		return env.Step{}, fmt.Errorf("%s: %w: %w", b.spec.ID, env.ErrSnapshot, err)
	}
	b.begun = begun
	if !begun {
		return env.Step{}, nil
	}
	return b.told(), nil
}
