package tiresias

import "tarry/sim"

// agenda is a heap of jobs by due instant, at most one entry per job; ties by JobID. pos is
// sized by the number of jobs.
type agenda struct {
	heap []errand
	pos  []int32 // job -> index in heap + 1; 0 = not in it
}

type errand struct {
	at  sim.Time
	job sim.JobID
}

func (a *errand) before(b *errand) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

// first is the earliest due instant, Never when there is none.
func (g *agenda) first() sim.Time {
	if len(g.heap) == 0 {
		return sim.Never
	}
	return g.heap[0].at
}

func (g *agenda) add(at sim.Time, j sim.JobID) {
	g.drop(j)
	g.heap = append(g.heap, errand{at, j})
	g.up(len(g.heap) - 1)
}

// drop removes a job's entry, if there is one.
func (g *agenda) drop(j sim.JobID) {
	i := int(g.pos[j]) - 1
	if i < 0 {
		return
	}
	g.pos[j] = 0
	n := len(g.heap) - 1
	last := g.heap[n]
	g.heap = g.heap[:n]
	if i == n {
		return
	}
	g.heap[i] = last
	g.up(g.down(i))
}

func (g *agenda) up(i int) {
	e := g.heap[i]
	for ; i > 0 && e.before(&g.heap[(i-1)/2]); i = (i - 1) / 2 {
		g.put(i, g.heap[(i-1)/2])
	}
	g.put(i, e)
}

// down sinks the entry at i and gives its new place.
func (g *agenda) down(i int) int {
	e := g.heap[i]
	for {
		c := 2*i + 1
		if c >= len(g.heap) {
			break
		}
		if c+1 < len(g.heap) && g.heap[c+1].before(&g.heap[c]) {
			c++
		}
		if !g.heap[c].before(&e) {
			break
		}
		g.put(i, g.heap[c])
		i = c
	}
	g.put(i, e)
	return i
}

func (g *agenda) put(i int, e errand) {
	g.heap[i] = e
	g.pos[e.job] = int32(i + 1)
}
