package scenario

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/rng"
)

// Batch is a list of jobs that are dealt out to the parts at random; a window is a part's whole
// list, or some jobs drawn from it, copies among them where that is set. Windows of one part have
// jobs in common, windows of two parts have none.
type Batch struct {
	parts  map[Part]*sim.Workload
	size   int
	count  int
	copies int
	// round is the time between the first and the last submit of the list.
	round sim.Time
	seed  uint64
}

// batch deals a list out in the ratio of shares, three numbers > 0. Windows are b.count draws of
// b.size jobs from a part, without replacement in each; size 0 = one window, the whole part. All
// jobs of a window come at time zero.
func batch(w *sim.Workload, b Batch, shares [3]float64) (*Batch, error) {
	return deal(w, b, shares, func(j *sim.Job) sim.Time { return j.Submit })
}

// draws is batch for jobs that come one after another, and keep their times: time zero of each
// window is the list's first submit, and each window lasts as long as the list. Jobs come to every
// window at the same rate, the list's rate times size over its jobs.
func draws(w *sim.Workload, b Batch, shares [3]float64) (*Batch, error) {
	first, last := w.Span()
	b.round = last - first
	return deal(w, b, shares, func(*sim.Job) sim.Time { return first })
}

// deal makes a Batch with the settings of b, in which a job comes zero earlier than in the list.
func deal(w *sim.Workload, b Batch, shares [3]float64, zero func(*sim.Job) sim.Time) (*Batch, error) {
	n := len(w.Jobs)
	sum := shares[0] + shares[1] + shares[2]
	train := int(float64(float64(n) * shares[0] / sum))
	test := int(float64(float64(n) * (shares[0] + shares[1]) / sum))
	need := max(1, (b.size+b.copies-1)/b.copies)
	if min(train, test-train, n-test) < need {
		return nil, fmt.Errorf("workload %q: its parts have %d, %d and %d jobs, expected at least %d in each", w.Name,
			train, test-train, n-test, need)
	}
	order := rng.Source{Seed: b.seed}.Stream("batch").Perm(n)
	jobs := make([]sim.Job, n)
	for i, k := range order {
		j := w.Jobs[k]
		from := zero(&j)
		if j.Deadline > 0 {
			j.Deadline -= from
		}
		j.Submit -= from
		jobs[i] = j
	}
	b.parts = map[Part]*sim.Workload{}
	for p, part := range map[Part][]sim.Job{Train: jobs[:train], Validation: jobs[train:test], Test: jobs[test:]} {
		made, err := sim.NewWorkload(w.Name+"/"+string(p), part)
		if err != nil {
			return nil, err
		}
		b.parts[p] = made
	}
	return &b, nil
}

// Jobs is all that the windows of a part are drawn from.
func (b *Batch) Jobs(p Part) *sim.Workload { return b.parts[p] }

// Windows is 1 where a window is the whole part.
func (b *Batch) Windows(Part) int {
	if b.size == 0 {
		return 1
	}
	return b.count
}

// Window is the part's list, or a draw from it.
func (b *Batch) Window(p Part, i int) (*sim.Workload, error) {
	jobs := slices.Clone(b.parts[p].Jobs)
	for k := 1; k < b.copies; k++ {
		for _, j := range b.parts[p].Jobs {
			jobs = append(jobs, b.copied(j, k))
		}
	}
	if b.size > 0 {
		r := rng.Source{Seed: b.seed, Replicate: uint64(i)}.Stream("batch/" + string(p))
		r.Shuffle(len(jobs), func(x, y int) { jobs[x], jobs[y] = jobs[y], jobs[x] })
		jobs = jobs[:b.size]
	}
	return sim.NewWorkload(fmt.Sprintf("%s/%d", b.parts[p].Name, i), jobs)
}

// copied is the k-th copy of a job, k >= 1: its name states which, and it comes k/copies of the
// list's time later, from its end on again at its start, so that copies neither come together nor
// make the list longer.
func (b *Batch) copied(j sim.Job, k int) sim.Job {
	j.ID = fmt.Sprintf("%s#%d", j.ID, k+1)
	if b.round > 0 {
		at := (j.Submit + b.round/sim.Time(b.copies)*sim.Time(k)) % b.round
		if j.Deadline > 0 {
			j.Deadline += at - j.Submit
		}
		j.Submit = at
	}
	return j
}
