package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/catalogue/shipped"
)

// Colours of a picture can be distinguished, also when the names are many.
func TestAppearancesDiffer(t *testing.T) {
	for _, n := range []int{1, 8, 12, 13, 24, 60} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("dally:t_rack=%d", i))
		}
		colours, all := map[int]bool{}, map[int]bool{}
		for _, at := range Appearances(names) {
			if at < 0 || at >= Colours*Patterns {
				t.Fatalf("appearance %d", at)
			}
			colours[at%Colours], all[at] = true, true
		}
		if patterns := map[int]bool{}; n >= Patterns {
			for at := range all {
				patterns[at%Patterns] = true
			}
			if len(patterns) != Patterns {
				t.Errorf("%d names have %d patterns", n, len(patterns))
			}
		}
		if len(all) != n || len(colours) != min(n, Colours) {
			t.Errorf("%d names have %d appearances in %d colours", n, len(all), len(colours))
		}
	}
	if got := Appearances(nil); len(got) != 0 {
		t.Errorf("no names: %v", got)
	}
	palette := Palette()
	for i, a := range palette {
		for _, b := range palette[:i] {
			d := math.Hypot(math.Hypot(float64(a.R)-float64(b.R), float64(a.G)-float64(b.G)), float64(a.B)-float64(b.B))
			if d < 60 {
				t.Errorf("%v and %v are %v apart", a, b, d)
			}
		}
		if luminance(a) > 0.75 {
			t.Errorf("%v is hard to see on white", a)
		}
	}
}

// A policy keeps its appearance beside any others, and a list's order does not matter.
func TestAppearancesAreStable(t *testing.T) {
	alone := map[string]int{}
	for _, p := range known() {
		alone[p] = Appearances([]string{p})[p] % Colours
	}
	for _, names := range [][]string{{"fifo", "dally", "srtf"}, {"scatter", "ppo", "dally", "dally:t_rack=6"},
		known()[:Colours]} {
		got := Appearances(names)
		back := slices.Clone(names)
		slices.Reverse(back)
		for name, at := range Appearances(back) {
			if got[name] != at {
				t.Errorf("%s of %v is %d, the other way round %d", name, names, got[name], at)
			}
			if want, is := alone[name]; is && at%Colours != want {
				t.Errorf("%s of %v is %d, alone of colour %d", name, names, at, want)
			}
		}
	}
	for i, n := range []string{"0.5", "0.9", "2", "10"} {
		if got := Appearances([]string{"10", "0.9", "2", "0.5"})[n]; got != i {
			t.Errorf("number %s is %d, want %d", n, got, i)
		}
	}
}

// The list of policies with an appearance of their own is the catalogue's.
func TestKnownPolicies(t *testing.T) {
	var names []string
	for _, e := range shipped.All().Policies {
		names = append(names, e.Name)
	}
	names = append(names, "ppo", "dqn", "sac", "a2c", "reinforce", "cmaes-policy", "openai-es-policy",
		"random-search-policy")
	for _, k := range known() {
		if !slices.Contains(names, k) {
			t.Errorf("the catalogue has no policy %q", k)
		}
	}
	if Appearances([]string{"dally"})["dally"] != 0 {
		t.Error("dally is not blue")
	}
}

// Of up to twelve names no two colours that are alike in grey have one dash and marker.
func TestPatternsDistinguishGrey(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	alike := 0
	for range 2000 {
		var names []string
		for range 2 + r.IntN(Colours-1) {
			names = append(names, known()[r.IntN(len(known()))], fmt.Sprintf("dally:t_rack=%d", r.IntN(100)))
		}
		names = ranked(names)
		names = names[:min(len(names), Colours)]
		at := Appearances(names)
		for i, a := range names {
			for _, b := range names[:i] {
				d := lightness(paint(at[a])) - lightness(paint(at[b]))
				if math.Abs(d) >= alikeInGrey {
					continue
				}
				if alike++; at[a]%Patterns == at[b]%Patterns {
					t.Fatalf("%s and %s are %.1f apart in grey and have one pattern", a, b, d)
				}
			}
		}
	}
	if alike == 0 {
		t.Error("no two colours are alike in grey")
	}
}
