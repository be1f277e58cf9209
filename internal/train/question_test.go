package train

import (
	"context"
	"strings"
	"testing"
)

// Windows in which nobody is ever asked are left out of the validation; when there are no others, that is said.
func TestWindowsWithoutQuestion(t *testing.T) {
	c := short(t, "tarry/Offer-v0:cluster=2x2x2,windows=40", "validate_episodes=10")
	if _, err := Run(context.Background(), c, Options{Out: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	v, err := newValidator(&c)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for i := range v.episodes {
		if _, _, err := v.env.Reset(nil, "window="+string(rune('0'+i))); err == nil {
			asked++
		}
	}
	if asked == 0 || asked == v.episodes {
		t.Fatalf("the agent is asked in %d of %d windows: the test wants some with and some without", asked, v.episodes)
	}
	// One machine holds every job or none: there is nothing to decide anywhere.
	c = short(t, "tarry/Offer-v0:cluster=1x1x8,windows=4")
	if _, err := Run(context.Background(), c, Options{Out: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "asked anything") && !strings.Contains(err.Error(), "without a question") {
		t.Errorf("error %v, want one that nobody is asked", err)
	}
}
