package reinforce

import "sort"

// togoAt is the return-to-go at a time: the return-to-go of the first decision at this instant;
// between two decisions on the straight line between theirs; 0 from the end on, to which the line
// from the last decision falls.
//
// We differ: Decima's code holds the last decision's return for ever after.
func (k *track) togoAt(t float64) float64 {
	i := sort.SearchFloat64s(k.at, t) // the first at or after t
	switch {
	case i < len(k.at) && k.at[i] == t:
		return k.togo[i]
	case t >= k.end:
		return 0
	case i == 0:
		return k.togo[0]
	}
	right, below := k.end, 0.0
	if i < len(k.at) {
		right, below = k.at[i], k.togo[i]
	}
	left, above := k.at[i-1], k.togo[i-1]
	return above + float64((below-above)*((t-left)/(right-left)))
}

// meanAt is the mean return-to-go of rollouts at a time; without is left out (nil = none).
func meanAt(tracks []*track, without *track, t float64) float64 {
	sum, n := 0.0, 0
	for _, k := range tracks {
		if k != without {
			sum += k.togoAt(t)
			n++
		}
	}
	return sum / float64(n)
}

// baseline sets what the returns of an update's rollouts are compared with. tracks holds them
// sequence after sequence.
func baseline(cfg *Config, tracks []*track) {
	if cfg.Baseline == Constant {
		sum, n := 0.0, 0
		for _, k := range tracks {
			for _, g := range k.togo {
				sum += g
				n++
			}
		}
		for _, k := range tracks {
			for i := range k.base {
				k.base[i] = sum / float64(n)
			}
		}
		return
	}
	for j, k := range tracks {
		peers := tracks
		if cfg.Baseline == Input {
			first := j / cfg.Rollouts * cfg.Rollouts
			peers = tracks[first : first+cfg.Rollouts]
		}
		var without *track
		if cfg.LeaveOneOut {
			without = k
		}
		for i, t := range k.at {
			k.base[i] = meanAt(peers, without, t)
		}
	}
}
