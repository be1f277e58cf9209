package order

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/env/schedenv"
	"tarry/sim"
)

// An episode remembers what was read of its actions, however many places without a job the list has.
func TestSnapshotLeavesOutPlacesWithoutJobs(t *testing.T) {
	size := map[string]int{}
	for _, jobs := range []string{"0128", "8192"} {
		c := config(t, small+",jobs="+strings.TrimLeft(jobs, "0"))
		e := made(t, c)
		if _, err := schedenv.Play(e, 3, "window=1", wild); err != nil {
			t.Fatal(err)
		}
		data, err := e.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		size[jobs] = len(data)
		if _, err := made(t, c).Restore(data); err != nil {
			t.Errorf("%s places: %v", jobs, err)
		}
	}
	if short, long := size["0128"], size["8192"]; long > 2*short {
		t.Errorf("with 8192 places a snapshot has %d bytes, with 128 it has %d", long, short)
	}
}

// What an action scored does not outlast the next action.
func TestScoresLastOneAnswer(t *testing.T) {
	e := made(t, config(t, small))
	seed := uint64(3)
	obs, info, err := e.Reset(&seed, "window=1")
	action := make([]float64, e.Spec().Action.Len())
	for steps := 0; err == nil && steps < 200; steps++ {
		wild(obs, info.Mask, action)
		s := e.Scheduler().(*scheduler)
		shown := append([]sim.JobID(nil), s.list.jobs...)
		scored := map[sim.JobID]bool{}
		for _, j := range shown {
			scored[j] = true
		}
		for _, j := range e.View().Running() {
			scored[j] = true
		}
		step, failed := e.Step(action)
		if err = failed; err != nil || step.Done() {
			break
		}
		for j, x := range s.keys.scores {
			if x <= mostScore && !scored[sim.JobID(j)] {
				t.Fatalf("step %d: job %d has the score %v of an earlier action", steps, j, x)
			}
		}
		obs, info = step.Obs, step.Info
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Marks put jobs in the order in which sorting does.
func TestListSorts(t *testing.T) {
	var l list
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		span := 1 + r.IntN(1+int(seed)*40)
		var jobs []sim.JobID
		for _, k := range r.Perm(span)[:r.IntN(span+1)] {
			jobs = append(jobs, sim.JobID(k+int(seed)))
		}
		want := slices.Sorted(slices.Values(jobs))
		if l.sort(jobs); !slices.Equal(jobs, want) {
			t.Fatalf("%v, expected %v", jobs, want)
		}
	}
}
