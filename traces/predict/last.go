package predict

import (
	"maps"
	"math"

	"tarry/sim"
)

// last predicts the mean of the last two run times of the same user and size, else of the same
// user, else what jobs of that size take.
//
// Tsafrir, Etsion, Feitelson, IEEE TPDS 18(6), 2007, section 3.2, take the last two of the user
// whatever their size. We differ in the size, and where there is none.
type last struct {
	two    map[group][2]float64 // seconds, the latest first; 0 = none
	others *means
}

func newLast() *last {
	return &last{map[group][2]float64{}, newMeans(2, 0, everyone, bySize)}
}

func (l *last) point(j *sim.Job) (float64, bool) {
	for _, by := range [...]level{byUserSize, byUser} {
		switch two := l.two[groupOf(by, j)]; {
		case two[1] > 0:
			return math.Log((two[0] + two[1]) / 2), true
		case two[0] > 0:
			return math.Log(two[0]), true
		}
	}
	return l.others.point(j)
}

func (l *last) add(j *sim.Job, y float64) {
	for _, by := range [...]level{byUserSize, byUser} {
		if g := groupOf(by, j); g.user != "" {
			l.two[g] = [2]float64{seconds(y), l.two[g][0]}
		}
	}
	l.others.add(j, y)
}

// relearn starts from nothing, since later jobs count for more.
func (l *last) relearn() estimator { return l.empty() }

func (l *last) empty() estimator { return newLast() }

func (l *last) clone() estimator {
	return &last{maps.Clone(l.two), l.others.clone().(*means)}
}
