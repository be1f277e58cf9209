package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// heldBy is the GPU-time of blocks of which want holds.
func heldBy(all []block, want func(*block) bool) float64 {
	sum := 0.0
	for i := range all {
		if want(&all[i]) {
			sum += all[i].area()
		}
	}
	return sum
}

// TestSampledTimeline: of a hundred times as many spans as fit, the GPU-time drawn is the real one,
// in all, of the short spans alone and of each job, also where the schedule has a period; nothing
// overlaps, and the order in which spans come does not matter.
func TestSampledTimeline(t *testing.T) {
	for _, period := range []float64{0, 64, 300, 1000} {
		t.Run(fmt.Sprint(period), func(t *testing.T) {
			draw := rand.New(rand.NewPCG(1, uint64(period)))
			var all []block
			const gpus = 8
			for g := range gpus {
				for at, n := 0.0, 0; n < 25_000; n++ {
					long := draw.ExpFloat64() * 100
					if n%50 == 0 {
						long = 30_000 // a few long ones hold most of the time
					}
					start := at
					if period > 0 {
						start = math.Ceil(at/period) * period // and the GPU is idle until then
					}
					all = append(all, block{start: start, end: start + long, job: fmt.Sprint(n % 3), gpu: g, count: 1})
					at = start + long
				}
			}
			sample := func(all []block) (*sampler, []block) {
				s := &sampler{most: 2000}
				for _, b := range all {
					s.add(b)
				}
				return s, s.drawn()
			}
			s, drawn := sample(all)
			if len(drawn) > 2000 || len(drawn) < 500 || s.count != len(all) {
				t.Fatalf("%d spans of %d, each step %v s", len(drawn), s.count, s.every)
			}
			near := func(what string, want func(*block) bool, off float64) {
				t.Helper()
				if got, real := heldBy(drawn, want), heldBy(all, want); math.Abs(got/real-1) > off {
					t.Errorf("%s: GPU-time %.4g drawn, %.4g real", what, got, real)
				}
			}
			off := 0.02
			if period > 0 {
				// all GPUs begin together here, so that a step is one observation, not eight; a
				// fixed moment would be off by more than half
				off = 0.12
			}
			near("all", func(*block) bool { return true }, off)
			for _, job := range []string{"0", "1", "2"} {
				near("job "+job, func(b *block) bool { return b.job == job }, off+0.1)
			}
			byGPU := map[int][]block{}
			for _, b := range drawn {
				byGPU[b.gpu] = append(byGPU[b.gpu], b)
			}
			for g, list := range byGPU {
				slices.SortFunc(list, func(a, b block) int { return int(math.Copysign(1, a.start-b.start)) })
				for i := 1; i < len(list); i++ {
					if list[i].start < list[i-1].end {
						t.Fatalf("GPU %d: %+v overlaps %+v", g, list[i], list[i-1])
					}
				}
			}
			mixed := slices.Clone(all)
			draw.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			order := func(a, b block) int {
				if a.gpu != b.gpu {
					return a.gpu - b.gpu
				}
				return int(math.Copysign(1, a.start-b.start))
			}
			slices.SortFunc(drawn, order)
			_, again := sample(mixed)
			slices.SortFunc(again, order)
			if !slices.Equal(drawn, again) {
				t.Error("another order of the spans draws another picture")
			}
		})
	}
	s := &sampler{most: 4}
	for i := range 4 {
		s.add(block{start: float64(i), end: float64(i) + 0.1, gpu: i, count: 1})
	}
	if d := s.drawn(); s.every != 0 || len(d) != 4 || d[3].end != 3.1 || s.note(d) != "" {
		t.Errorf("spans that fit are drawn as %+v, %s", d, s.note(d))
	}
}
