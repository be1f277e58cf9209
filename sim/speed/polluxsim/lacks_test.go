package polluxsim

import (
	"testing"

	"tarry/sim"
)

// Lacks names the applications without any row, and with one for others none.
func TestLacks(t *testing.T) {
	m := lab(t, Options{})
	for _, name := range []string{"net", "Net", "fixed"} {
		if err := m.Lacks(&sim.Job{ID: "j", Model: name, GPUs: 64}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	want := m.table.Dir + `: no application "nets" (job "j"), expected one of net, fixed; option model=NAME ` +
		`stands in; did you mean "net"?`
	if err := m.Lacks(&sim.Job{ID: "j", Model: "nets"}); err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if err := lab(t, Options{Model: "net"}).Lacks(&sim.Job{Model: "nets"}); err != nil {
		t.Error(err)
	}
}
