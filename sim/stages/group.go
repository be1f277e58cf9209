package stages

// Stretch is by how much the iteration time of a job alone exceeds what was profiled, in Muri's
// simulator.
const Stretch = 1.015

// Factor is by how much a group of n jobs is slower than its round: what Muri's authors measured of
// 2, 3 and 4 jobs, over Stretch; 1 for a job alone. Muri has no groups of more than Most.
func Factor(n int) float64 {
	switch {
	case n <= 1:
		return 1
	case n == 2:
		return 1.33 / Stretch
	case n == 3:
		return 1.5 / Stretch
	}
	return 1.37 / Stretch
}

// GroupS is the time in seconds in which each job of a group does one iteration. aloneS is the time
// of a job without others, used where there is one.
func GroupS(jobs []Times, aloneS float64, o Order) float64 {
	if len(jobs) == 1 {
		return aloneS
	}
	return Round(jobs, o) * Factor(len(jobs))
}

// Used is the part of four resources that a group keeps busy, the weight of Muri's matching: the
// stage times of all jobs over four times the time of the group. 0 where the group takes no time.
func Used(jobs []Times, groupS float64) float64 {
	sum := 0.0
	for _, t := range jobs {
		sum += t.Sum()
	}
	if !(groupS > 0) {
		return 0
	}
	return sum / (Most * groupS)
}
