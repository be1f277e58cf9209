package sac_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/sac"
)

// BenchmarkPendulum is training from end to end with the tuned settings: environment, acting,
// replay and the losses, one step of each optimiser per environment step. Run it with
// GOMAXPROCS=1 for the rate of one core; steps/s is what to read.
func BenchmarkPendulum(b *testing.B) {
	cfg := sac.Default()
	agenttest.Advise(b, pendulum, "sac", &cfg)
	cfg.TotalSteps, cfg.Buffer, cfg.Steps = 1<<40, 20_000, 100
	l, err := sac.New(cfg, 1, agenttest.Classic(pendulum))
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

// BenchmarkAct is one decision: 3 numbers in, two hidden layers of 64, an action out.
func BenchmarkAct(b *testing.B) {
	cfg := sac.Default()
	agenttest.Advise(b, pendulum, "sac", &cfg)
	l, err := sac.New(cfg, 1, agenttest.Classic(pendulum))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	obs, dst, r := make([]float64, 3), make([]float64, 1), stream("bench")
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Policy().Act(dst, obs, nil, r); err != nil {
			b.Fatal(err)
		}
	}
}
