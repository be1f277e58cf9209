package order

import (
	"slices"
	"testing"

	"tarry/env"
	"tarry/env/trait"
)

// Items name the jobs that are shown, each by a number of its own for as long as it is there;
// places of no job have none.
func TestItems(t *testing.T) {
	e := made(t, config(t, small+",globals=false,jobs=12"))
	on, ok := env.Find[trait.Itemised](env.Env(e))
	if !ok {
		t.Fatal("it is not trait.Itemised")
	}
	if got := on.Items([]int{7}); len(got) != 13 || got[0] != 7 || slices.Max(got[1:]) != -1 {
		t.Errorf("before the first reset %v, expected nobody", got)
	}
	obs, _, err := e.Reset(nil, "window=1")
	gpus, lasted, before := map[int]float64{}, 0, []int(nil)
	for step := 0; err == nil && step < 200; step++ {
		items := on.Items(nil)
		for i, job := range items {
			row := obs[len(obs)-(12-i)*rowLen:][:rowLen]
			if (job >= 0) != (row[0] == 1) || job >= 0 && slices.Index(items, job) != i {
				t.Fatalf("place %d of %v: job %d where present is %v", i, items, job, row[0])
			}
			if was, known := gpus[job]; job >= 0 && known && was != row[3] { // what a job asks for does not change
				t.Fatalf("job %d asks for exp(%v) GPUs, then for exp(%v)", job, was, row[3])
			} else if job >= 0 {
				gpus[job] = row[3]
			}
			if job >= 0 && slices.Contains(before, job) {
				lasted++
			}
		}
		before = items
		var s env.Step
		s, err = e.Step(make([]float64, 12))
		if obs = s.Obs; s.Done() {
			break
		}
	}
	if err != nil || lasted < 100 || len(gpus) < 10 {
		t.Errorf("%d jobs, %d seen again, error %v", len(gpus), lasted, err)
	}
}
