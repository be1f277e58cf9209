package policies_test

import (
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/schedulers"
)

// TestDecides: each scheduler has one line of decides.txt, and no line has another name.
func TestDecides(t *testing.T) {
	left := map[string]bool{}
	for line := range strings.Lines(policies.DecidesText()) {
		name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if !ok || text == "" || strings.ContainsAny(text, "|\t") || left[name] {
			t.Errorf("decides.txt has the line %q, expected NAME: a text without |, once for each name", line)
		}
		left[name] = true
	}
	for _, e := range append(schedulers.All(), policies.Variants()...) {
		if e.Decides == "" || !left[e.Name] {
			t.Errorf("decides.txt has no line for %s", e.Name)
		}
		delete(left, e.Name)
	}
	for name := range left {
		t.Errorf("decides.txt has a line for %s, which is no scheduler", name)
	}
}
