package choice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkStretch solves problems of M groups and three rows: from nothing, and again from the
// prices of the last solve.
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

// BenchmarkPick chooses whole options: M jobs with up to 13 of three types, of which a third of the
// jobs' wishes fit.
func BenchmarkPick(b *testing.B) {
	for _, m := range []int{20, 50, 100} {
		r := rand.New(rand.NewPCG(uint64(m), 6))
		var p Problem
		p.Reset([]float64{float64(m), float64(m) / 2, float64(m) / 2})
		for range m {
			p.Option(1.1)
			for o := range 12 {
				n := float64(int(1) << (o % 4))
				p.Option(math.Round(100/math.Sqrt(n*(0.7+0.6*r.Float64()))) / 100)[o/4] = n
			}
			p.Close()
		}
		b.Run(fmt.Sprintf("jobs=%d", m), func(b *testing.B) {
			var s Solver
			for b.Loop() {
				if _, err := s.Pick(&p); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Nodes()), "problems")
		})
	}
}
