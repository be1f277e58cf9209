package ppo_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/ppo"
	"tarry/env"
	"tarry/env/classic"
	"tarry/env/wrap"
)

// BenchmarkCartPole is training from end to end with the published settings: environment,
// acting, advantages and the update. Run it with GOMAXPROCS=1 for the rate of
// one core; steps/s is what to read.
func BenchmarkCartPole(b *testing.B) {
	cfg := ppo.Default()
	cfg.TotalSteps = 1 << 40
	l, err := ppo.New(cfg, 1, agenttest.Classic(cartPole))
	agenttest.Steps(b, l, err)
}

// BenchmarkAct is one decision: 4 numbers in, two hidden layers of 64, a choice out.
func BenchmarkAct(b *testing.B) {
	l, err := ppo.New(ppo.Default(), 1, agenttest.Classic(cartPole))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	obs, dst, r := make([]float64, 4), make([]float64, 1), stream("bench")
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Policy().Act(dst, obs, nil, r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCandidates is an update of the shared kernel over 32 candidates, to see what
// lists of jobs cost; the environment is CartPole with padding.
func BenchmarkCandidates(b *testing.B) {
	cfg := ppo.Default()
	cfg.TotalSteps = 1 << 40
	cfg.Candidates = &ppo.Candidates{Global: 4, Features: 8}
	l, err := ppo.New(cfg, 1, func(int) (env.Env, error) {
		e, err := wrap.TimeLimit(classic.CartPole(), 500)
		return newPadded(e, 32, 8), err
	})
	agenttest.Steps(b, l, err)
}

// padded is an environment whose observation is followed by candidates; the number of the
// chosen one, modulo 2, is the action.
type padded struct {
	env.Env
	spec env.Spec
	obs  []float64
	act  []float64
}

func newPadded(e env.Env, slots, features int) *padded {
	p := &padded{Env: e, spec: *e.Spec(), act: make([]float64, 1)}
	n := p.spec.Observation.Len() + slots*features
	p.obs = make([]float64, n)
	p.spec.ID, p.spec.Observation, p.spec.Action = "test/Padded-v0", env.NewBox(-1e9, 1e9, n), env.Discrete{N: slots}
	r := stream("padding")
	for i := range p.obs {
		p.obs[i] = r.NormFloat64()
	}
	return p
}

func (p *padded) Spec() *env.Spec { return &p.spec }

func (p *padded) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := p.Env.Reset(seed, options)
	copy(p.obs, obs)
	return p.obs, info, err
}

func (p *padded) Step(a []float64) (env.Step, error) {
	p.act[0] = float64(int(a[0]) % 2)
	s, err := p.Env.Step(p.act)
	copy(p.obs, s.Obs)
	s.Obs = p.obs
	return s, err
}
