package rltune

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
)

// Rules lists the orders without weights, the default first.
func Rules() []string { return []string{"sjf", "f1", "area", "small", "fifo", "wfp3", "unicep"} }

// Knows is what the order and the places read.
func (r *Ruled) Knows() know.Set {
	k := know.Nothing
	if r.Profiled {
		k = know.Speed
	}
	switch {
	case r.Rule == "small" || r.Rule == "fifo":
		return k
	case r.Exact:
		return k | know.Work
	}
	return k | r.By.Knows()
}

// runS is the run time by which a job is ordered, s, at least 1.
func (r *Ruled) runS(v *sim.View, j sim.JobID) float64 {
	if r.Exact {
		return max(1, v.Job(j).Work()/v.Job(j).Width()/float64(sim.Second))
	}
	return max(1, r.By.Of(v, j).Seconds())
}

// score is the logarithm of 1 / what a job counts: with sjf it counts 1 / its run time, with fifo its
// wait, with f1 10^(-F1 / 870), with wfp3 and unicep their score.
func (r *Ruled) score(v *sim.View, j sim.JobID) float64 {
	n, wait := v.Job(j).Width(), max(1, (v.Now()-v.Job(j).Submit()).Seconds())
	switch r.Rule {
	case "small":
		return math.Log(n)
	case "fifo":
		return -math.Log(wait)
	}
	t := math.Log(r.runS(v, j))
	switch r.Rule {
	case "f1":
		return float64(t*n)/870 + math.Log(max(1, v.Job(j).Submit().Seconds()))
	case "area":
		return t + math.Log(n)
	case "wfp3":
		return 3*(t-math.Log(wait)) - math.Log(n)
	case "unicep":
		return t - math.Log(wait) + math.Log(math.Log(n+1)/math.Ln2)
	}
	return t
}
