package elasticflow

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// Jobs that fit into what is left are met in order of arrival, whatever their least numbers: as by
// a walk over all that wait.
func TestWaitingJobsThatFit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	met := 0
	for range 300 {
		var b best
		var all []*member
		for _, id := range r.Perm(40) {
			m := &member{id: sim.JobID(id), levels: []int32{int32(1 << r.IntN(4))}}
			b.wait(m)
			all = append(all, m)
		}
		for _, id := range r.Perm(40)[:10] {
			m := b.drop(sim.JobID(id))
			if m == nil || m.id != sim.JobID(id) || b.drop(m.id) != nil {
				t.Fatalf("job %d is not there, or twice", id)
			}
			all = slices.DeleteFunc(all, func(x *member) bool { return x == m })
		}
		slices.SortFunc(all, func(x, y *member) int { return cmp.Compare(x.id, y.id) })
		free := int32(r.IntN(20))
		var got, want []sim.JobID
		left := free
		for _, m := range all {
			if n := m.levels[0]; n <= left {
				want, left = append(want, m.id), left-n
			}
		}
		for l := b.first(free); l != nil; l = b.first(free) {
			m := l.jobs[l.at]
			got, free, l.at = append(got, m.id), free-m.levels[0], l.at+1
		}
		if !slices.Equal(got, want) || free != left {
			t.Fatalf("jobs %v and %d GPUs left, expected %v and %d", got, free, want, left)
		}
		met += len(got)
	}
	if met < 300 {
		t.Errorf("only %d jobs fit", met)
	}
}
