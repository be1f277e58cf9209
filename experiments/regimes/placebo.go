package regimes

import (
	"tarry/internal/stats"
	"tarry/run/bounds"
	"tarry/sim/rng"
)

// What the choice of a constant for each regime harvests by luck alone: the same choice made on the
// other half of the regime's windows, and made for groups of windows that are drawn at random, as
// many and as large as the regimes.
const (
	otherHalf    = "constant that is best on the regime's other half"
	randomGroups = "best constant of random groups"
)

// groupings is how often windows are put in random groups; a window's score is the mean over them.
const groupings = 200

// keepPlacebos notes the scores of both, each as one policy. In a regime with one window its other
// half is that window.
func (s *scores) keepPlacebos() {
	n := len(s.regimes)
	half, random := make([]float64, s.windows), make([]float64, s.windows)
	for w := range half {
		var others []int
		for v := w % n; v < s.windows; v += n {
			if (v/n+w/n)%2 == 1 {
				others = append(others, v)
			}
		}
		if len(others) == 0 {
			others = []int{w}
		}
		half[w] = s.of[s.bestOn(others)][0][w]
	}
	draws := rng.Source{Seed: 1, Experiment: "regimes"}.Stream("placebo")
	for range groupings {
		order := draws.Perm(s.windows)
		for k := range n {
			var group []int
			for at := k; at < len(order); at += n {
				group = append(group, order[at])
			}
			own := s.of[s.bestOn(group)][0]
			for _, w := range group {
				random[w] += own[w] / groupings
			}
		}
	}
	s.of[otherHalf], s.of[randomGroups] = stats.Grid{half}, stats.Grid{random}
}

// bestOn is the constant with the least mean score over some windows.
func (s *scores) bestOn(windows []int) string {
	mean := func(name string) float64 {
		sum := 0.0
		for _, w := range windows {
			sum += s.of[name][0][w]
		}
		return sum
	}
	all := bounds.Timers()
	best := all[0]
	for _, name := range all[1:] {
		if mean(name) < mean(best) {
			best = name
		}
	}
	return best
}
