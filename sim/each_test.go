package sim_test

import (
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
)

// Each changes every job of a copy, and leaves what it was given.
func TestEach(t *testing.T) {
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 1, Work: 5}, {ID: "b", Submit: 1, GPUs: 2, Work: 7}},
		origin.Origin{Field: "work", Source: "x"})
	if err != nil {
		t.Fatal(err)
	}
	seen := int32(0)
	count := func(j *sim.Job) { seen++; j.Priority = 10*seen + j.GPUs }
	got, err := w.Each(count, origin.Origin{Field: "priority", Source: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if w.Jobs[0].Priority != 0 || got.Jobs[0].Priority != 11 || got.Jobs[1].Priority != 22 || len(w.Origins) != 1 ||
		len(got.Origins) != 2 || got.Origins[1].Field != "priority" {
		t.Errorf("%+v of %+v", got, w)
	}
}
