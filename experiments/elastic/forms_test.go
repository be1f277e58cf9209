package elastic

import (
	"slices"
	"testing"

	"tarry/experiments/questions"
	"tarry/experiments/sweep"
)

// names lists the schedulers of a sweep of the question's file.
func names(t *testing.T, of string) []string {
	t.Helper()
	for _, s := range questions.Shipped("elastic").Opened().Specs(sweep.Full) {
		if s.Name == of {
			var out []string
			for _, c := range s.Axes[len(s.Axes)-1].Cases {
				out = append(out, c.Name)
			}
			return out
		}
	}
	t.Fatalf("no sweep %s", of)
	return nil
}

// What figures and tables call schedulers is what the question's file calls them.
func TestNames(t *testing.T) {
	if got, want := names(t, "elastic-due"), slices.Concat(punctual()...); !slices.Equal(got, want) {
		t.Errorf("deadlines: %q, want %q", got, want)
	}
	if got, want := names(t, "elastic-due-validation"), slices.Concat(punctualFamilies()...); !slices.Equal(got, want) {
		t.Errorf("deadlines, validation: %q, want %q", got, want)
	}
	ruled := append([]string{dally}, rules()...)
	for _, r := range append([]string{""}, rules()...) {
		if r == "" {
			ruled = append(ruled, nowait)
			continue
		}
		ruled = append(ruled, bare+r)
	}
	if got := names(t, "elastic-load"); !slices.Equal(got, ruled) {
		t.Errorf("rules: %q, want %q", got, ruled)
	}
	for _, name := range names(t, "elastic-range") {
		if !isFew(name) {
			t.Errorf("%s is not one of the few", name)
		}
	}
}
