package knowable

import (
	"container/heap"

	"tarry/sim"
)

// lastJobs is how many ended jobs of a kind count.
const lastJobs = 5

// past is the mean log run of the last jobs that had ended when a job was submitted: of its user
// and size, of its user, of all (the virtual cluster stands for the user in a workload without
// users); what has none takes the next wider, and all take 0 before the first has ended. A job is
// taken to start at its submit: what it waited in the recorded cluster is no part of a workload.
func (d *data) past() []column {
	n := len(d.jobs)
	pair, user, all := make([]float64, n), make([]float64, n), make([]float64, n)
	pairs, users, every := map[kind]*ring{}, map[string]*ring{}, &ring{}
	var running ends
	for i := range d.jobs {
		j := &d.jobs[i]
		for len(running) > 0 && running[0].at <= j.Submit {
			done := heap.Pop(&running).(ending).job
			of := &d.jobs[done]
			every.add(d.y[done])
			at(users, d.owner(of)).add(d.y[done])
			at(pairs, d.kind(of)).add(d.y[done])
		}
		all[i] = every.mean(0)
		user[i] = users[d.owner(j)].mean(all[i])
		pair[i] = pairs[d.kind(j)].mean(user[i])
		heap.Push(&running, ending{j.Submit + sim.Seconds(runOf(j)), i})
	}
	return []column{{number: pair}, {number: user}, {number: all}}
}

// at gives the ring of a key, made when there is none.
func at[K comparable](m map[K]*ring, k K) *ring {
	r := m[k]
	if r == nil {
		r = &ring{}
		m[k] = r
	}
	return r
}

// ring holds the last few values.
type ring struct {
	values [lastJobs]float64
	n      int
}

func (r *ring) add(x float64) {
	r.values[r.n%lastJobs] = x
	r.n++
}

// mean is the mean of the values; none when there is none.
func (r *ring) mean(none float64) float64 {
	if r == nil || r.n == 0 {
		return none
	}
	n := min(r.n, lastJobs)
	sum := 0.0
	for _, v := range r.values[:n] {
		sum += v
	}
	return sum / float64(n)
}

// ending is when a job ends.
type ending struct {
	at  sim.Time
	job int
}

// ends is a heap of endings; endings of one instant leave in the order of jobs.
type ends []ending

func (e ends) Len() int { return len(e) }
func (e ends) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].job < e[k].job
}
func (e ends) Swap(i, k int) { e[i], e[k] = e[k], e[i] }

// Push and Pop implement container/heap.
func (e *ends) Push(x any) { *e = append(*e, x.(ending)) }

// Pop takes the last.
func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
