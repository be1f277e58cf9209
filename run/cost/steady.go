package cost

import (
	"cmp"
	"slices"
)

// short is the cost in seconds below which one run is too uncertain: other work on the machine moves
// it by a tenth, and all costs are stated as multiples of a short one.
const short = 1.0

// Steady measures a run, twice more if it is short, and gives the one in the middle.
func Steady(measure func() (Run, error)) (Run, error) {
	var all []Run
	for len(all) < 3 {
		r, err := measure()
		if err != nil {
			return r, err
		}
		if all = append(all, r); all[0].Seconds >= short {
			return r, nil
		}
	}
	slices.SortStableFunc(all, func(a, b Run) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return all[1], nil
}
