package train

import (
	"tarry/catalogue/shipped"

	"context"
	"strings"
	"testing"
)

// Windows without decisions are left out of the validation; when there are no others,
// that is reported.
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
	if _, err := Run(context.Background(), c, Options{Out: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "asked anything") && !strings.Contains(err.Error(), "without a question") {
		t.Errorf("error %v, want one that nobody is asked", err)
	}
}

// A run that cannot begin does not take its folder: the command is put right and given again.
func TestFolderIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	other, err := Resolve(shipped.All(), cart, "sac", 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), other, Options{Out: dir}); err == nil ||
		!strings.Contains(err.Error(), "expected Box") {
		t.Errorf("error %v, want one that the actions do not fit", err)
	}
	if left := contents(t, dir); len(left) > 0 {
		t.Errorf("a run that could not begin left %d files", len(left))
	}
	if _, err := Run(context.Background(), short(t, cart), Options{Out: dir}); err != nil {
		t.Error(err)
	}
}
