package agenttest

import (
	"math"
	"testing"

	"tarry/agents/nn"
)

// Machine runs a machine on its inputs and holds what it gives to Gorgonia's own machine, bit by
// bit: the loss, what is watched, and every gradient, which it leaves as a run does. A second run
// of the machine must give the same, without allocating.
func Machine(t *testing.T, m *nn.Machine, watched int) {
	t.Helper()
	r, err := m.Reference()
	if err != nil {
		t.Fatal(err)
	}
	for run := range 2 {
		want, err := r.Run()
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run()
		if err != nil {
			t.Fatal(err)
		}
		sameBits(t, "loss", run, []float64{got}, []float64{want})
		for i := range watched {
			sameBits(t, "what is watched", run, m.Series(i), r.Series(i))
		}
		for i, p := range r.Params {
			sameBits(t, "gradient of "+p.Name, run, p.Grad, r.Gradients[i])
		}
	}
	if n := testing.AllocsPerRun(3, func() { _, err = m.Run() }); n != 0 || err != nil {
		t.Fatalf("a run allocates %g times, error %v", n, err)
	}
}

func sameBits(t *testing.T, what string, run int, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("run %d: %s has %d numbers, expected %d", run, what, len(got), len(want))
	}
	for i, v := range got {
		if math.Float64bits(v) != math.Float64bits(want[i]) {
			t.Fatalf("run %d: %s is %v at %d, expected %v", run, what, v, i, want[i])
		}
	}
}
