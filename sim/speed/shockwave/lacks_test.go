package shockwave

import (
	"testing"

	"tarry/sim"
)

// Lacks names the models that state no batch size, and those without any row.
func TestLacks(t *testing.T) {
	m := open(t, Options{})
	for name, want := range map[string]string{
		"M (batch size 4)":  "",
		"M (batch size 64)": "", // without a row it is refused when it is asked about
		"M":                 `model "M" (job "j") names no batch size, expected one such as LM (batch size 10)`,
		"MN (batch size 4)": `no model "MN" (job "j"), expected one of A3C, M; did you mean "M"?`,
	} {
		err := m.Lacks(&sim.Job{ID: "j", Model: name})
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != m.profile.Dir+": "+want) {
			t.Errorf("%q: %v, expected %q", name, err, want)
		}
	}
}
