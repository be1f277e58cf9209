package cluster

import (
	"fmt"
	"slices"

	"tarry/internal/rng"
	"tarry/sim"
)

// Batch is a list of jobs that are dealt out to the parts at random; a window is a part's whole list, or some jobs
// drawn from it. Windows of one part have jobs in common, those of two parts have none.
type Batch struct {
	parts map[Part]*sim.Workload
	size  int
	count int
	seed  uint64
}

// NewBatch deals a list out in the ratio of shares, three numbers > 0. Windows are count draws of size jobs from a
// part, without replacement in each; size 0 = one window, the whole part. All jobs of a window come at time zero.
func NewBatch(w *sim.Workload, shares [3]float64, size, count int, seed uint64) (*Batch, error) {
	return deal(w, shares, size, count, seed, func(j *sim.Job) sim.Time { return j.Submit })
}

// NewDraws is NewBatch for jobs that come one after another, and keep their times: time zero of each window is the
// list's first submit, and each window lasts as long as the list. Jobs come to every window at the same rate, that
// of the list times size over its jobs.
func NewDraws(w *sim.Workload, shares [3]float64, size, count int, seed uint64) (*Batch, error) {
	first, _ := w.Span()
	return deal(w, shares, size, count, seed, func(*sim.Job) sim.Time { return first })
}

// deal makes a Batch in which a job comes zero earlier than in the list.
func deal(w *sim.Workload, shares [3]float64, size, count int, seed uint64, zero func(*sim.Job) sim.Time) (*Batch, error) {
	n := len(w.Jobs)
	sum := shares[0] + shares[1] + shares[2]
	a := int(float64(float64(n) * shares[0] / sum))
	b := int(float64(float64(n) * (shares[0] + shares[1]) / sum))
	least := min(a, b-a, n-b)
	if least < 1 || size > least {
		return nil, fmt.Errorf("workload %q: its parts have %d, %d and %d jobs, expected at least %d in each", w.Name, a, b-a, n-b, max(size, 1))
	}
	order := rng.Source{Seed: seed}.Stream("batch").Perm(n)
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
	out := &Batch{map[Part]*sim.Workload{}, size, count, seed}
	for p, part := range map[Part][]sim.Job{Train: jobs[:a], Validation: jobs[a:b], Test: jobs[b:]} {
		made, err := sim.NewWorkload(w.Name+"/"+string(p), part)
		if err != nil {
			return nil, err
		}
		out.parts[p] = made
	}
	return out, nil
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
	if b.size > 0 {
		r := rng.Source{Seed: b.seed, Replicate: uint64(i)}.Stream("batch/" + string(p))
		r.Shuffle(len(jobs), func(x, y int) { jobs[x], jobs[y] = jobs[y], jobs[x] })
		jobs = jobs[:b.size]
	}
	return sim.NewWorkload(fmt.Sprintf("%s/%d", b.parts[p].Name, i), jobs)
}
