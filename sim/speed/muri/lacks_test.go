package muri

import "testing"

// Lacks names the models without any stages, and with one for others none.
func TestLacks(t *testing.T) {
	m := model(t, Options{})
	for _, name := range []string{"a", "b"} {
		if err := m.Lacks(job(name, 2, 1)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	want := m.profile.Dir + `: no stages of model "ab" (job "ab"), expected one of a, b, or the option model= ` +
		`for others; did you mean "a"?`
	if err := m.Lacks(job("ab", 2, 1)); err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if err := model(t, Options{Model: "b"}).Lacks(job("ab", 2, 1)); err != nil {
		t.Error(err)
	}
}
