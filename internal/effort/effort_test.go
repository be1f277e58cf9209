package effort

import (
	"fmt"
	"testing"
)

// recorder notes how a test would end, in place of ending it.
type recorder struct {
	testing.TB
	failed, skipped string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) { r.failed = fmt.Sprintf(format, args...) }

func (r *recorder) Skipf(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

func TestForms(t *testing.T) {
	for _, c := range []struct {
		value           string
		of              int
		failed, skipped string
	}{
		{"", 30, "", "takes hours; TARRY_LONG=1 (make nightly) runs it"},
		{"0", 30, "", "takes hours; TARRY_LONG=1 (make nightly) runs it"},
		{"1", 200, "", ""},
		{"yes", 30, `TARRY_LONG is "yes", expected 1 for the long forms of tests, or nothing`,
			"takes hours; TARRY_LONG=1 (make nightly) runs it"},
	} {
		t.Setenv(Variable, c.value)
		r := &recorder{TB: t}
		of := Of(r, 30, 200)
		Need(r, "takes hours")
		if of != c.of || r.failed != c.failed || r.skipped != c.skipped {
			t.Errorf("%q: %d, fails with %q, skips with %q; expected %+v", c.value, of, r.failed, r.skipped, c)
		}
	}
}
