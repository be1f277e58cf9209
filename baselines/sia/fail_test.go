package sia

import (
	"context"
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// TestSolverFails breaks the rules of the problem, which the solver refuses: the run ends with its
// words.
func TestSolverFails(t *testing.T) {
	made, err := New(param.Parse("sia", ""), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p := made.(*Policy)
	p.problem.Rules.Lambda = math.NaN()
	w, err := sim.NewWorkload("one job", []sim.Job{{ID: "a", GPUs: 1, Work: sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, err = sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}}, p)
	if want := "the policy cannot decide: sia: ilp: "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the run says %v, expected %q in it", err, want)
	}
}
