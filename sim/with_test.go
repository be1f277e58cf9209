package sim

import (
	"slices"
	"testing"
)

// A view with other events is the same view otherwise, and the instant keeps its own.
func TestViewWithOtherEvents(t *testing.T) {
	cfg, p := busyCase(t)
	p.cfg = cfg
	looked := 0
	p.look = func(v *View) {
		own := slices.Clone(v.Events())
		for _, events := range [][]Event{nil, {{Kind: Fail, Job: 1}}} {
			w := v.With(events)
			if !slices.Equal(w.Events(), events) || w.Now() != v.Now() || w.Run(1).State() != v.Run(1).State() ||
				w.Free() != v.Free() {
				t.Fatalf("at %v: events %v, expected %v on the same view", v.Now(), w.Events(), events)
			}
		}
		if !slices.Equal(v.Events(), own) {
			t.Fatalf("at %v: events %v, expected %v as before", v.Now(), v.Events(), own)
		}
		looked++
	}
	p.mustRun(t, 0)
	if looked < 5 {
		t.Errorf("%d instants, expected more", looked)
	}
}
