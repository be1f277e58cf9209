package dqn_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/dqn"
)

// BenchmarkCartPole is training from end to end with the published settings: environment, acting,
// replay and a minibatch after every tenth step. Run it with GOMAXPROCS=1 for the rate
// of one core; steps/s is what to read.
func BenchmarkCartPole(b *testing.B) {
	cfg := dqn.Default()
	cfg.TotalSteps, cfg.LearningStarts = 1<<40, 1000
	l, err := dqn.New(cfg, 1, agenttest.Classic(cartPole))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Update(); err != nil { // the steps before learning starts
		b.Fatal(err)
	}
	steps := 0
	for b.Loop() {
		row, err := l.Update()
		if err != nil {
			b.Fatal(err)
		}
		steps = row.Steps - cfg.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// BenchmarkAct is one decision: 4 numbers in, hidden layers of 120 and 84, a choice out.
func BenchmarkAct(b *testing.B) {
	l, err := dqn.New(dqn.Default(), 1, agenttest.Classic(cartPole))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	obs, dst := make([]float64, 4), make([]float64, 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Policy().Act(dst, obs, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}
