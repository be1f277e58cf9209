package transform

import (
	"testing"

	"tarry/sim"
)

func TestChunksRoundUp(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{
		{ID: "a", GPUs: 2, Work: 5001 * sim.Second, Iterations: 5001, IterS: 1},
		{ID: "b", GPUs: 1, Work: 30 * sim.Second, Iterations: 3000},
		{ID: "c", GPUs: 4, Work: 7 * sim.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Chunks(w, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		work sim.Time
		n    int64
	}{{6000 * sim.Second, 5001}, {30 * sim.Second, 3000}, {7 * sim.Second, 0}} {
		if j := got.Jobs[i]; j.Work != want.work || j.Iterations != want.n {
			t.Errorf("job %s: work %v in %d iterations, want %v in %d", j.ID, j.Work, j.Iterations, want.work, want.n)
		}
	}
	if w.Jobs[0].Iterations != 5001 {
		t.Error("the given workload was changed")
	}
	if _, err := Chunks(w, 0); err == nil {
		t.Error("chunks of 0 iterations were accepted")
	}
}
