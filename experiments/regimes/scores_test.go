package regimes

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/run/bounds"
	"tarry/sim/rng"
)

// Every file of examples/regimes is a regime of the question, and none is missing; the constants
// are as in run/bounds.
func TestRegimesAreTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../examples/regimes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".yaml"))
	}
	s := questions.Shipped("regimes").Opened().Specs(sweep.Full)[0]
	c := sweep.Cell{Settings: sweep.Settings{"env": s.Base["env"]}}
	got := regimesOf(&c)
	slices.Sort(got)
	slices.Sort(names)
	if !slices.Equal(got, names) {
		t.Errorf("a cell has the regimes %v, the files are %v", got, names)
	}
	beside := s.Axes[0].Cases[0].Set["evaluate"].(map[string]any)["baselines"].([]any)
	var constants []string
	for _, b := range beside[1:] {
		constants = append(constants, b.(string))
	}
	if !slices.Equal(constants, bounds.Timers()) {
		t.Errorf("constants %q, want %q", constants, bounds.Timers())
	}
}

// two regimes: in the first one endless waits halve the time, in the second no wait takes a tenth
// off; the agent does both.
func two(t *testing.T) *scores {
	t.Helper()
	s := &scores{regimes: []string{"slow", "fast"}, windows: 8, of: map[string]stats.Grid{}}
	jct := map[string]map[string][]float64{}
	for i, name := range append([]string{dally}, bounds.Timers()...) {
		slow, fast := 100., 10.
		switch {
		case name == "dally-manual:t_rack=inf,t_net=inf":
			slow = 50
		case name == "dally-manual:t_rack=0,t_net=0":
			slow, fast = 300, 9
		case i > 0:
			slow = 101
		}
		for w := range s.windows / 2 {
			x := jct[name]
			if x == nil {
				x = map[string][]float64{"a": nil}
				jct[name] = x
			}
			x["a"] = append(x["a"], slow*float64(1+w), fast*float64(1+w))
		}
	}
	jct[search] = map[string][]float64{}
	for _, seed := range []string{"a", "b"} {
		for w := range s.windows / 2 {
			jct[search][seed] = append(jct[search][seed], 50*float64(1+w), 9*float64(1+w))
		}
	}
	jct[ppo] = jct[search]
	if err := s.fill(jct); err != nil {
		t.Fatal(err)
	}
	return s
}

// The best constant of each regime, the best single one, and what the agent is against both.
func TestBestConstants(t *testing.T) {
	s := two(t)
	for regime, want := range map[int]string{0: "inf, inf", 1: "0, 0", -1: "inf, inf"} {
		if got := short(s.best(regime)); got != want {
			t.Errorf("regime %d: the best constant is %s, expected %s", regime, got, want)
		}
	}
	check := func(name, rival string, regime int, want float64) {
		t.Helper()
		iv, err := s.against(name, rival, regime)
		if err != nil || math.Abs(iv.Point-want) > 1e-9 || iv.Lo > iv.Point || iv.Hi < iv.Point {
			t.Errorf("%s against %s in %d: %+v, %v, expected %v", name, rival, regime, iv, err, want)
		}
	}
	check(search, dally, 0, -50)
	check(search, dally, 1, -10)
	check(search, dally, -1, -30)
	check(search, s.best(-1), -1, 100*(0.7/0.75-1))
	s.keepHindsight()
	check(hindsight, dally, -1, -30)
	check(search, hindsight, -1, 0)
	text, err := s.byRegime()
	if err != nil || !strings.Contains(text, "| slow | -50.0 [-50.0, -50.0] |") ||
		!strings.Contains(text, "inf, inf: -50.0 [") || !strings.Contains(text, "| **mean** | -30.0") {
		t.Errorf("%s, %v", text, err)
	}
	if text, err = s.byRival(); err != nil || !strings.Contains(text, "| fast | -10.0 [-10.0, -10.0] | +0.0 [") ||
		strings.Count(text, "\n") != 5 {
		t.Errorf("%s, %v", text, err)
	}
	if text, err = s.byConstant(); err != nil || strings.Count(text, "\n") != 12 ||
		!strings.Contains(text, "| 0, 0 | +95.0") {
		t.Errorf("%s, %v", text, err)
	}
}

// A policy that lacks windows, or no Dally, is an error.
func TestScoresNeedDally(t *testing.T) {
	s := &scores{regimes: []string{"a"}, windows: 2, of: map[string]stats.Grid{}}
	if err := s.fill(map[string]map[string][]float64{search: {"a": {1, 2}}}); err == nil ||
		!strings.Contains(err.Error(), "dally is measured in no cell") {
		t.Error(err)
	}
	if err := s.fill(map[string]map[string][]float64{dally: {"a": {1, 2}, "b": {1, 3}}}); err == nil ||
		!strings.Contains(err.Error(), "their windows differ") {
		t.Error(err)
	}
	if err := s.fill(map[string]map[string][]float64{dally: {"a": {1, 2}}, search: {"a": {1}}}); err == nil ||
		!strings.Contains(err.Error(), "search has 1 windows in cell a, expected 2") {
		t.Error(err)
	}
}

// Where regimes differ, what is chosen on a regime's other half is the best there, and random
// groups choose worse; where they do not differ, and only luck does, random groups gain as much as
// regimes, and the other half gains nothing. The draws are the same each time.
func TestPlacebos(t *testing.T) {
	mean := func(s *scores, name string) float64 { return stats.Mean(s.part(name, -1).Pool()) }
	s := two(t)
	s.keepHindsight()
	s.keepPlacebos()
	if got, want := mean(s, otherHalf), mean(s, hindsight); got != want {
		t.Errorf("the other half has %v, expected %v", got, want)
	}
	if got, want := mean(s, randomGroups), mean(s, hindsight); got < 1.05*want {
		t.Errorf("random groups have %v, expected more than the %v of the regimes", got, want)
	}
	luck := &scores{regimes: []string{"a", "b", "c", "d"}, windows: 48, of: map[string]stats.Grid{}}
	draws := rng.Source{Seed: 5}.Stream("luck")
	for _, name := range bounds.Timers() {
		row := make([]float64, luck.windows)
		for w := range row {
			row[w] = 1 + 0.1*draws.NormFloat64()
		}
		luck.of[name] = stats.Grid{row}
	}
	luck.keepHindsight()
	luck.keepPlacebos()
	regimes, random, half := mean(luck, hindsight), mean(luck, randomGroups), mean(luck, otherHalf)
	if regimes > 0.97 || math.Abs(random-regimes) > 0.015 || math.Abs(half-1) > 0.03 {
		t.Errorf("regimes have %v, random groups %v, the other half %v", regimes, random, half)
	}
	again := slices.Clone(luck.of[randomGroups][0])
	if luck.keepPlacebos(); !slices.Equal(again, luck.of[randomGroups][0]) {
		t.Error("the placebo was drawn otherwise")
	}
}
