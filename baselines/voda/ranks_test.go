package voda

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/voda/allocate"
)

// The order is as a stable sort by queue and first start gives it, as jobs come, go, start
// for the first time and change their queues.
func TestRanksAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0x7a9))
	p := Policy{cfg: config{queued: true}}
	var q pool
	for step := range 4000 {
		n := len(q.jobs)
		switch k := r.IntN(4); {
		case n == 0 || k == 0:
			q.jobs = append(q.jobs, allocate.Job{FirstStart: allocate.Never})
			q.rank(n)
		case k == 1 && n > 20:
			i := r.IntN(n)
			q.dropRank(i)
			q.jobs = remove(q.jobs, i)
		default:
			i := r.IntN(n)
			p.alter(&q, i, r.IntN(2), int64(r.IntN(50)))
		}
		want := make([]int32, len(q.jobs))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			x, y := &q.jobs[a], &q.jobs[b]
			return cmp.Or(cmp.Compare(x.Queue, y.Queue), cmp.Compare(x.FirstStart, y.FirstStart))
		})
		if !slices.Equal(q.ranks, want) {
			t.Fatalf("step %d: order %v, expected %v", step, q.ranks, want)
		}
	}
}
