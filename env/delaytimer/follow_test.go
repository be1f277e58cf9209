package delaytimer

import (
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/env/schedtest"
	"tarry/sim"
)

// following plays an episode by what a baseline demonstrates.
func following(t *testing.T, c Config, baseline string) []sim.Record {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := schedtest.Demonstrated(t, e, "window=2", baseline)
	return list
}

// Who follows a baseline with fixed timers is that baseline, in both twins.
func TestFollowingFixedTimers(t *testing.T) {
	for baseline, timers := range map[string][2]float64{"dally-manual:t_rack=3,t_net=6": {3, 6},
		"dally-manual": {6, 12}, "dally-nowait": {0, 0}, "dally:t_rack=1,t_net=24": {1, 24}} {
		c := wholeEpisodes(t, small+",lease_s=1800")
		manual := c.Dally
		manual.Auto, manual.RackLeases, manual.NetLeases = false, timers[0], timers[1]
		want := schedtest.Records(t, &c.Config, 2, dally.NewPolicy(manual, nil))
		for _, discrete := range []bool{false, true} {
			if c.Discrete = discrete; !slices.Equal(following(t, c, baseline), want) {
				t.Errorf("%s, discrete %v: the records differ from the baseline's", baseline, discrete)
			}
		}
	}
}

// The tuner's timers are demonstrated as they are after the same acceptances, and copied with the
// rest.
func TestFollowingTheTuner(t *testing.T) {
	c := config(t, small)
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Follow("dally:min_rack=1,min_net=2"); err != nil {
		t.Fatal(err)
	}
	var seen [2][]float64
	for round := range seen {
		play(t, e, "window=1", func(_ []float64, _ []bool, action []float64) {
			if err := e.Demonstrate(action); err != nil {
				t.Fatal(err)
			}
			for i, a := range action {
				if rack := i%2 == 0; a < Encode(map[bool]float64{true: 1, false: 2}[rack])-1e-9 || a > Encode(12)+1e-9 {
					t.Fatalf("timer %d is %v, outside of what the tuner sets", i, a)
				}
			}
			seen[round] = append(seen[round], action...)
		})
	}
	if !slices.Equal(seen[0], seen[1]) {
		t.Error("a second episode on the same window is demonstrated in another way")
	}
	if slices.Min(seen[0]) == slices.Max(seen[0]) {
		t.Error("the tuner never moved")
	}
}

func TestFollowFaults(t *testing.T) {
	c := config(t, small)
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	for baseline, want := range map[string]string{
		"fifo": "what fifo would do cannot be read off at the agent's questions, expected one of " +
			"delay, dally, dally-manual, dally-nowait, dally-consolidated",
		"daly":               `did you mean "dally"?`,
		"dally-manual:t_rck": "t_rck",
		"":                   "unknown",
	} {
		if err := e.Follow(baseline); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", baseline, err, want)
		}
	}
	if err := e.Demonstrate(make([]float64, 2*Classes)); err == nil {
		t.Error("nobody is followed, and yet there is a demonstration")
	}
}

func TestNearestPair(t *testing.T) {
	for _, c := range [][4]float64{{0, 0, 0, 0}, {6, 12, 6, 12}, {5, 14, 6, 12}, {2, 60, 3, 24}, {1. / 60, 1, 0, 1}} {
		if got := Pairs()[nearest(Encode(c[0]), Encode(c[1]))]; got != [2]float64{c[2], c[3]} {
			t.Errorf("%v, %v is taken for %v", c[0], c[1], got)
		}
	}
}
