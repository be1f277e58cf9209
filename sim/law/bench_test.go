package law

import (
	"testing"

	"tarry/sim/rng"
)

func BenchmarkEmpirical(b *testing.B) {
	draws := rng.Source{Seed: 3}.Stream("residuals")
	res := make([]float64, 2000)
	for i := range res {
		res[i] = draws.NormFloat64()
	}
	for b.Loop() {
		Empirical(res)
	}
}

func BenchmarkRank(b *testing.B) {
	l := Law{Shape: LogNormal(1)}
	for b.Loop() {
		l.Rank(0.7)
	}
}
