package train

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// Who is the same job. In the trace that was seen a name is one job's. In another file jobs of the
// same name, GPUs and work are the same if they come at the times at which the seen ones came, but
// for a shift and a rate, which cuts and scales change: two lists that number their jobs, and have
// many of the same size, agree in names alone.

const (
	// fewNamed is up to how many jobs of the same names do not determine a shift and a rate: they
	// count as the same.
	fewNamed = 3
	// maxOff is how far the submit of the same job may be off, which formats round.
	maxOff = 5 * sim.Second
)

// byNames notes the jobs of a window of the trace itself, copies as their originals.
func (m *marks) byNames(w *sim.Workload, same []bool) {
	for i := range w.Jobs {
		j := &w.Jobs[i]
		a, b := byName(j.ID, j), byName(original(j.ID), j)
		same[i] = slices.ContainsFunc(m.names, func(part map[uint64]sim.Time) bool {
			_, ok := part[a]
			_, copied := part[b]
			return ok || copied
		})
	}
}

// byTimes notes the jobs of a window of another file that have the names of jobs of a part and come
// when these came.
func (m *marks) byTimes(w *sim.Workload, same []bool) {
	for _, part := range m.names {
		var named []pair
		for i := range w.Jobs {
			if at, ok := part[byName(w.Jobs[i].ID, &w.Jobs[i])]; ok {
				named = append(named, pair{i, at, w.Jobs[i].Submit})
			}
		}
		for _, i := range together(named) {
			same[i] = true
		}
	}
}

// pair is a job of a window, when the job of its name was seen to come, and when it comes.
type pair struct {
	job        int
	seen, here sim.Time
}

// together gives the jobs that come at the times of jobs that were seen, but for one shift and one
// rate: both are medians.
func together(named []pair) (jobs []int) {
	slices.SortFunc(named, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen),
			cmp.Compare(a.job, b.job))
	})
	rate := rateOf(named)
	var shifts []float64
	for _, p := range named {
		shifts = append(shifts, float64(p.here)-float64(rate*float64(p.seen)))
	}
	if len(named) == 0 {
		return nil
	}
	sortedShifts := slices.Clone(shifts)
	slices.Sort(sortedShifts)
	shift := sortedShifts[len(shifts)/2]
	for k, p := range named {
		if off := shifts[k] - shift; len(named) <= fewNamed || off <= float64(maxOff) && -off <= float64(maxOff) {
			jobs = append(jobs, p.job)
		}
	}
	return jobs
}

// rateOf is by what times between submits are multiplied: the median over pairs that are far from
// one another; 1 where all come at once.
func rateOf(named []pair) float64 {
	var rates []float64
	for i := range named {
		k := i + len(named)/2
		if k < len(named) && named[k].seen > named[i].seen {
			rates = append(rates, float64(named[k].here-named[i].here)/float64(named[k].seen-named[i].seen))
		}
	}
	if len(rates) == 0 {
		return 1
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}
