package circle

// Limits bound the circle of jobs whose iteration times are measured, so that their least common
// multiple may be of any size.
type Limits struct {
	// Laps is the longest perimeter, in the longest iteration times; >= 1.
	Laps int64
	// Stretch is the largest part by which an iteration time may be lengthened; >= 0.
	Stretch float64
}

// Unify lengthens iteration times, in ticks, such that they have a short common multiple, and gives
// that: the shortest that both limits allow. Times are lengthened and never shortened, since a job
// can be held to a longer iteration and to no shorter one. Without a common multiple within the
// limits it reports false, and the times stay.
//
// It tries the multiples of each time as the perimeter P, and P/r with the largest fitting whole r
// as a job's time. P is a multiple of all r, so that times are whole ticks.
func (l Limits) Unify(periods []int64) (perimeter int64, ok bool) {
	longest := int64(0)
	for _, t := range periods {
		longest = max(longest, t)
	}
	most := longest*l.Laps + int64(l.Stretch*float64(longest))
	for _, t := range periods {
		for n := (longest + t - 1) / t; n*t <= most; n++ {
			if ok && n*t >= perimeter {
				break
			}
			if p, fits := l.fit(periods, n*t); fits && p <= most && (!ok || p < perimeter) {
				perimeter, ok = p, true
			}
		}
	}
	if ok {
		for i, t := range periods {
			periods[i] = perimeter / (perimeter / t)
		}
	}
	return perimeter, ok
}

// fit gives the first perimeter from p on of which all times have whole parts, and reports whether
// they are within the stretch.
func (l Limits) fit(periods []int64, p int64) (int64, bool) {
	all := int64(1)
	for _, t := range periods {
		r := p / t
		if r < 1 {
			return 0, false
		}
		var fits bool
		if all, fits = lcm(all, r, p); !fits {
			return 0, false
		}
	}
	whole := (p + all - 1) / all * all
	for _, t := range periods {
		if r := whole / t; all%r != 0 || float64(whole/r-t) > l.Stretch*float64(t) {
			return 0, false
		}
	}
	return whole, true
}
