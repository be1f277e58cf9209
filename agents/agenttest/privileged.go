package agenttest

import (
	"slices"
	"testing"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/probe"
)

// blind hides what an environment shows to a critic alone.
type blind struct {
	env.Env
	spec env.Spec
	n    int
}

// Blind gives an environment without the numbers of its observations that are for a critic alone.
func Blind(e env.Env) env.Env {
	s := *e.Spec()
	b := &blind{Env: e, n: s.Layout.CriticOnly()}
	box, _ := s.Observation.(env.Box)
	s.Observation = env.Box{Low: box.Low[b.n:], High: box.High[b.n:]}
	s.Layout.Segments = slices.DeleteFunc(slices.Clone(s.Layout.Segments),
		func(s layout.Segment) bool { return s.CriticOnly })
	b.spec = s
	return b
}

func (b *blind) Spec() *env.Spec { return &b.spec }

func (b *blind) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := b.Env.Reset(seed, options)
	if err != nil {
		return nil, info, err
	}
	return obs[b.n:], info, nil
}

func (b *blind) Step(action []float64) (env.Step, error) {
	s, err := b.Env.Step(action)
	if err == nil {
		s.Obs = s.Obs[b.n:]
	}
	return s, err
}

// Privileged trains on probe.Privileged with each of five seeds, with what is for the critic alone and
// without. train gives the policy, and its log-probability of action 1 on an observation. With it all
// seeds solve the probe, and neither actions nor probabilities depend on what is for the critic, or
// need it; without it most do not.
func Privileged(t *testing.T, train func(t *testing.T, seed uint64, critic int,
	make func(int) (env.Env, error)) (p Actor, logp func(obs []float64) float64)) {
	t.Helper()
	p := probe.Privileged()
	right := func(a Actor, obs ...float64) bool {
		action := make([]float64, 1)
		if err := a.Act(action, obs, nil, nil); err != nil {
			t.Fatal(err)
		}
		return action[0] == obs[len(obs)-1]
	}
	solved := 0
	for seed := range uint64(5) {
		a, logp := train(t, seed+1, 1, func(int) (env.Env, error) { return p.New(), nil })
		for _, bit := range []float64{0, 1} {
			if !right(a, -1, bit) || !right(a, 1, bit) || !right(a, bit) {
				t.Errorf("seed %d: the action on bit %v is wrong", seed+1, bit)
			}
			if x, y := logp([]float64{-1, bit}), logp([]float64{1, bit}); x != y {
				t.Errorf("seed %d: luck changes a log-probability from %v to %v", seed+1, x, y)
			}
		}
		a, _ = train(t, seed+1, 0, func(int) (env.Env, error) { return Blind(p.New()), nil })
		if right(a, 0) && right(a, 1) {
			solved++
		}
	}
	t.Logf("%d of 5 seeds solve it without luck", solved)
	if solved > 3 {
		t.Errorf("%d of 5 seeds solve it without luck, expected few", solved)
	}
}
