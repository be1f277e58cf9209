package deepshare

import (
	"testing"

	"tarry/sim"
)

// Lacks names the models without any row, and with one for others none.
func TestLacks(t *testing.T) {
	m := lab(t, Options{})
	for _, name := range []string{"A", "a", "B"} {
		if err := m.Lacks(&sim.Job{ID: "j", Model: name, GPUs: 64}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	want := m.table.Dir + `: no model "AB" (job "j"), expected one of A, B; option model=NAME stands in; did you mean "A"?`
	if err := m.Lacks(&sim.Job{ID: "j", Model: "AB"}); err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if err := lab(t, Options{Model: "b"}).Lacks(&sim.Job{Model: "AB"}); err != nil {
		t.Error(err)
	}
}
