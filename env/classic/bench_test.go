package classic

import (
	"testing"

	"tarry/env"
)

// run steps a bare environment with alternating actions, resetting at ends and every limit steps.
func run(b *testing.B, e env.Env, limit int, actions ...float64) {
	b.ReportAllocs()
	act := make([]float64, 1)
	taken := limit
	for i := 0; b.Loop(); i++ {
		if taken >= limit {
			if _, _, err := e.Reset(nil, ""); err != nil {
				b.Fatal(err)
			}
			taken = 0
		}
		act[0] = actions[i%len(actions)]
		s, err := e.Step(act)
		if err != nil {
			b.Fatal(err)
		}
		if taken++; s.Terminated {
			taken = limit
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

func BenchmarkCartPole(b *testing.B)    { run(b, CartPole(), 500, 0, 1) }
func BenchmarkPendulum(b *testing.B)    { run(b, Pendulum(), 200, -1, 0.5, 2) }
func BenchmarkMountainCar(b *testing.B) { run(b, MountainCar(), 200, 0, 1, 2) }
func BenchmarkAcrobot(b *testing.B)     { run(b, Acrobot(), 500, 0, 2, 1) }
