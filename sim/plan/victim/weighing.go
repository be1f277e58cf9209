package victim

import "math"

// Row is what weights read of a running job that may go; all are squashed to 0..1 by x/(1+x).
type Row struct {
	// Ratio is its GPUs that the blocked job can use over the GPUs that it asks for.
	Ratio float64
	// Unsaved is the time run since the last checkpoint, Until the time to the next one, in leases;
	// Until is 1 where there is none.
	Unsaved, Until float64
	// Risk is the GPU-time that a kill undoes over a lease on the GPUs that the blocked job asks for.
	Risk float64
	Foreseen
	// Machine is 1 if its GPUs and the free ones hold the blocked job in one machine, else 0.
	Machine float64
	// Preempted counts its preemptions so far.
	Preempted float64
}

// Foreseen is what is predicted of a job: the mean time left and the Gittins rank in leases, and
// the standard deviation of the logarithm of the run time, squashed.
type Foreseen struct{ Left, Rank, Spread float64 }

// Weighing is one choice by weights. Fill the exported fields, Add each job that is not in the set,
// the last in the order first, and take the Choice.
type Weighing struct {
	// Weights are as many as WeightNames.
	Weights Weights
	// Demand is the GPUs that waiting jobs ask for over the GPUs of the cluster, squashed.
	Demand float64
	// Lacks is the GPUs that the blocked job needs beside the set over the GPUs that it asks for.
	Lacks float64
	// Rank is the blocked job's, as in Foreseen.
	Rank float64
	// Begun reports whether there are jobs in the set.
	Begun bool

	best  int
	there float64
	least float64
	first terms
}

// terms are the numbers of a job that are weighed.
type terms struct {
	use float64 // its GPUs over the GPUs that the blocked job asks for
	// later is by how much its rank is above the blocked job's, as a difference of logarithms.
	later float64
	score [numScore]float64
	gate  [numGate]float64
	wait  [numWait]float64
}

// read reads a row.
func (t *terms) read(w *Weighing, r *Row) {
	t.use = unsquash(r.Ratio)
	t.later = lnRank(r.Rank) - lnRank(w.Rank)
	used := min(t.use, w.Lacks)
	t.score = [numScore]float64{math.Log(leastLost + unsquash(r.Risk)/used), r.Unsaved, r.Risk, r.Until,
		used / w.Lacks, r.Left, t.later, r.Spread, r.Machine, r.Preempted}
	t.gate = [numGate]float64{r.Unsaved, r.Risk, r.Until, r.Left, r.Spread, r.Preempted, w.Demand}
	t.wait = [numWait]float64{r.Unsaved, r.Risk, r.Until}
}

// Add takes in the row of one job; at is its place, which Choice gives back.
func (w *Weighing) Add(at int, r *Row) {
	var t terms
	t.read(w, r)
	gate := w.Weights.of(partGate)
	if !(t.later > 0) || !(t.later > gate[0]+weighed(gate[1:], t.gate[:])) {
		return
	}
	if x := weighed(w.Weights.of(partScore), t.score[:]); w.there == 0 || x < w.least-near { // of equals the first
		w.best, w.least, w.first = at, x, t
	}
	w.there += t.use
}

// Choice is the place of the job that goes next, and whether its checkpoint is waited for before it
// goes; -1 = none goes, since the jobs that may have too few GPUs.
func (w *Weighing) Choice() (at int, waits bool) {
	if w.there == 0 || w.there < w.Lacks-near {
		return -1, false
	}
	wait := w.Weights.of(partWait)
	return w.best, !w.Begun && w.first.wait[numWait-1] < 1 && wait[0]+weighed(wait[1:], w.first.wait[:]) > 0
}

// weighed is the sum of products.
func weighed(weights, x []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += float64(w * x[i])
	}
	return sum
}
