package agenttest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/env"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

func draws() *rand.Rand { return rng.Source{Seed: 2}.Stream("act").Rand }

// frozen acts with the policy out of a checkpoint, and with a fork of the learner's beside it:
// every second step at random. Acting changes nothing, not even memory that the fork shares with
// the learner's policy, and allocates nothing.
func (s Suite[C, P, L]) frozen(t *testing.T, r Run[C, L], l L, saved []byte) {
	e := opened(t, r.Env)
	defer e.Close()
	p, err := s.Load(saved, e.Spec())
	if err != nil {
		t.Fatal(err)
	}
	own, n := l.Policy().Fork(), e.Spec().Action.Len()
	a, b := make([]float64, n), make([]float64, n)
	trained, seed := simtest.ReachOf(l.Policy()), uint64(5)
	obs, info, err := e.Reset(&seed, "")
	one, two := draws(), draws()
	for i := range 50 {
		x, y := one, two
		if i%2 == 0 {
			x, y = nil, nil // the most likely action
		}
		if err := errors.Join(err, p.Act(a, obs, info.Mask, x), own.Act(b, obs, info.Mask, y)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) || s.Value != nil && s.Value(p, obs, info.Mask) != s.Value(own, obs, info.Mask) {
			t.Fatalf("step %d: actions on %v are %v and %v", i, obs, a, b)
		}
		var step env.Step
		if step, err = e.Step(a); step.Done() {
			obs, info, err = e.Reset(nil, "")
		} else {
			obs, info = step.Obs, step.Info
		}
	}
	if !bytes.Equal(s.save(t, l), saved) {
		t.Error("acting changed the learner")
	}
	if changed := trained.Changed(l.Policy()); changed != "" {
		t.Errorf("a fork acts in memory of the policy: %s", changed)
	}
	if n := testing.AllocsPerRun(100, func() {
		err = errors.Join(p.Act(a, obs, info.Mask, one), p.Act(a, obs, info.Mask, nil))
		if s.Value != nil {
			s.Value(p, obs, info.Mask)
		}
	}); n != 0 || err != nil {
		t.Errorf("acting takes %g allocations, error %v", n, err)
	}
}

// misused asks a policy for what does not fit.
func (s Suite[C, P, L]) misused(t *testing.T, r Run[C, L], l L) {
	e := opened(t, r.Env)
	defer e.Close()
	obs, info, err := e.Reset(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	obs, mask, n := slices.Clone(obs), slices.Clone(info.Mask), e.Spec().Action.Len()
	p := l.Policy()
	for what, act := range map[string]func() error{
		"a short observation": func() error { return p.Act(make([]float64, n), obs[1:], mask, nil) },
		"a long observation":  func() error { return p.Act(make([]float64, n), append(obs, 0), mask, nil) },
		"a short action":      func() error { return p.Act(make([]float64, n-1), obs, mask, nil) },
		"a long action":       func() error { return p.Act(make([]float64, n+1), obs, mask, nil) },
	} {
		if act() == nil {
			t.Errorf("%s was accepted", what)
		}
	}
	if !e.Spec().Masked {
		return
	}
	if p.Act(make([]float64, n), obs, nil, nil) == nil || p.Act(make([]float64, n), obs, mask[1:], nil) == nil {
		t.Error("a missing or short mask was accepted")
	}
	if err := p.Act(make([]float64, n), obs, make([]bool, len(mask)), nil); !errors.Is(err, env.ErrNoLegalAction) {
		t.Errorf("an empty mask: %v", err)
	}
}
