package agenttest

import "testing"

// Warm holds a learner to memory that it reuses: after two of its updates, learning from what the
// last one played allocates nothing. That is gathering the rows, the losses with their gradients,
// clipping and the optimiser.
func Warm[Row any](t *testing.T, update func() (Row, error), learn func() error) {
	t.Helper()
	for range 2 {
		if _, err := update(); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if n := testing.AllocsPerRun(5, func() { err = learn() }); n != 0 || err != nil {
		t.Errorf("%g allocations per update, error %v", n, err)
	}
}
