package a2c_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/env"
)

// A critic that sees more than the actor solves in 16 000 steps what a critic that sees as much does
// not.
func TestPrivilegedCritic(t *testing.T) {
	agenttest.Privileged(t, func(t *testing.T, seed uint64, critic int,
		make func(int) (env.Env, error)) (agenttest.Actor, func([]float64) float64) {
		cfg := quick()
		cfg.Seed, cfg.CriticOnly = seed, critic
		l, _ := train(t, cfg, 1, make)
		t.Cleanup(func() { l.Close() })
		p := l.Policy()
		return p, func(obs []float64) float64 { return p.LogProb([]float64{1}, obs, nil) }
	})
}
