package objective

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// stream is a cluster of three types with M jobs, of which the oldest ends and a new one comes
// before each solve.
type stream struct {
	r  *rand.Rand
	in Input
}

// arrive adds a job: rates differ by type and model as Gavel's measured ones do.
func (s *stream) arrive() {
	in := &s.in
	base := math.Exp(4*s.r.Float64() - 1)
	in.Scale = append(in.Scale, []int{1, 1, 1, 1, 1, 1, 1, 2, 4, 8}[s.r.IntN(10)])
	in.Throughput = append(in.Throughput, base, base*(1+3*s.r.Float64()), base*(1.5+8*s.r.Float64()))
	in.Weight = append(in.Weight, 1)
	in.Steps = append(in.Steps, base*math.Exp(7+4*s.r.Float64()))
	in.ElapsedS = append(in.ElapsedS, 0)
	in.IsolatedS = append(in.IsolatedS, 0)
	slo := math.Inf(1)
	if s.r.IntN(4) == 0 {
		slo = 1e6
	}
	in.SLOS = append(in.SLOS, slo)
	in.Entity = append(in.Entity, s.r.IntN(3))
}

// newStream makes a stream.
func newStream(jobs int) *stream {
	s := &stream{r: rand.New(rand.NewPCG(uint64(jobs), 8))}
	s.in = Input{Workers: []int{36, 36, 36}, Cost: []float64{0.5, 1.5, 2.5}, EntityWeight: []float64{1, 2, 3},
		Reference: 2}
	for range jobs {
		s.arrive()
		s.step(600)
	}
	return s
}

// step lets time pass.
func (s *stream) step(seconds float64) {
	for m := range s.in.Scale {
		s.in.ElapsedS[m] += seconds
		s.in.IsolatedS[m] += seconds * 0.9
		s.in.Steps[m] = max(s.in.Steps[m]*0.995, 1)
	}
}

// next replaces the oldest job.
func (s *stream) next() {
	in := &s.in
	in.Scale, in.Throughput, in.Weight = in.Scale[1:], in.Throughput[3:], in.Weight[1:]
	in.Steps, in.ElapsedS, in.IsolatedS = in.Steps[1:], in.ElapsedS[1:], in.IsolatedS[1:]
	in.SLOS, in.Entity = in.SLOS[1:], in.Entity[1:]
	s.arrive()
	s.step(1920)
}

// BenchmarkAllocate measures a solve of each allocator against the number of jobs, one job having
// come and one gone since the last.
func BenchmarkAllocate(b *testing.B) {
	sizes := []int{50, 200, 500, 1000, 2000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, e := range All() {
		for _, m := range sizes {
			b.Run(fmt.Sprintf("%s/jobs=%d", e.Name, m), func(b *testing.B) {
				s, a := newStream(m), e.New()
				var x Matrix
				for b.Loop() {
					b.StopTimer()
					s.next()
					b.StartTimer()
					if _, err := a.Allocate(&s.in, &x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
