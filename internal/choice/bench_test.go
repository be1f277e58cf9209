package choice

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkStretch solves problems of M groups and three rows: from nothing, and again from the prices of the last solve.
func BenchmarkStretch(b *testing.B) {
	for _, m := range []int{50, 200, 500, 1000, 2000} {
		r := rand.New(rand.NewPCG(uint64(m), 5))
		p := random(r, sketch{groups: m, rows: 3, options: 5, tight: 0.5})
		b.Run(fmt.Sprintf("groups=%d/start=cold", m), func(b *testing.B) {
			var s Solver
			for b.Loop() {
				s.Price = s.Price[:0]
				if _, err := s.Stretch(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Steps), "steps")
			b.ReportMetric(float64(s.Sweeps), "sweeps")
		})
		b.Run(fmt.Sprintf("groups=%d/start=warm", m), func(b *testing.B) {
			var s Solver
			for b.Loop() {
				if _, err := s.Stretch(p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Steps), "steps")
			b.ReportMetric(float64(s.Sweeps), "sweeps")
		})
	}
}
