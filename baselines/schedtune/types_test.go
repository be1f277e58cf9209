package schedtune

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// byType is halves on GPUs of two types, of which the second has a part of the speed of the first.
type byType struct {
	top  *cluster.Topology
	slow float64
}

func (s byType) Speed(q *sim.Query) (sim.Speed, error) {
	r, err := halves{}.Speed(q)
	for _, g := range q.GPUs {
		if s.top.Type(s.top.Machine(g)) == "slow" {
			r.Rate *= s.slow
			break
		}
	}
	return r, err
}

// A job that names no type takes a slow idle GPU where it is faster there than beside
// another on the fast one, and shares the fast one where it is not. Beside another it keeps 0.8.
func TestTypesAndInterference(t *testing.T) {
	for _, c := range []struct {
		slow float64
		want []string
	}{
		// job 0 has done 1 s and 10 s x 0.8
		{0.5, []string{"1 on [0] 500: 1s-11s finish", "0 on [0] 1000: 11s-13s finish"}},
		{0.9, []string{"0 on [0] 1000: 0s-11s finish", "1 on [1] 1000: 1s-9.888889s finish"}},
	} {
		top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1, Slots: 1, Type: "fast",
			GPUMiB: 24 * gib}, {Count: 1, GPUs: 1, Slots: 1, Type: "slow", GPUMiB: 24 * gib}}}})
		if err != nil {
			t.Fatal(err)
		}
		w, err := sim.NewWorkload("types", []sim.Job{{ID: "0", GPUs: 1, GPUType: "fast", Work: 11 * sim.Second,
			GPUMiB: 8 * gib}, {ID: "1", GPUs: 1, Submit: sim.Second, Work: 8 * sim.Second, GPUMiB: 8 * gib}})
		if err != nil {
			t.Fatal(err)
		}
		var tape shares
		a := simtest.NewAudit(w, top)
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: byType{top, c.slow},
			Check: true}, policy(t, "")(), &tape, a)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(e); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !slices.Contains(tape.lines, want) {
				t.Errorf("slow GPUs at %v: no %q in %s", c.slow, want, fmt.Sprintf("%q", tape.lines))
			}
		}
	}
}
