package queueing

import (
	"cmp"
	"slices"

	"tarry/sim"
)

// ranked are waiting jobs whose scores do not change while they wait, as a binary heap. Jobs that
// were started otherwise stay in it until they come first.
type ranked []scored

type scored struct {
	score float64
	job   sim.JobID
}

func (a scored) before(b scored) bool {
	return a.score < b.score || a.score == b.score && a.job < b.job
}

func (h *ranked) push(x scored) {
	*h = append(*h, x)
	i := len(*h) - 1
	for ; i > 0 && x.before((*h)[(i-1)/2]); i = (i - 1) / 2 {
		(*h)[i] = (*h)[(i-1)/2]
	}
	(*h)[i] = x
}

// pop removes the first.
func (h *ranked) pop() {
	n := len(*h) - 1
	x := (*h)[n]
	*h = (*h)[:n]
	i := 0
	for c := 1; c < n; c = 2*i + 1 {
		if c+1 < n && (*h)[c+1].before((*h)[c]) {
			c++
		}
		if !(*h)[c].before(x) {
			break
		}
		(*h)[i] = (*h)[c]
		i = c
	}
	if n > 0 {
		(*h)[i] = x
	}
}

// least takes in the jobs that began to wait and gives the place in Waiting of the one with the
// lowest score, which is picked.
func (p *picked) least(v *sim.View) int {
	for _, j := range p.joined {
		p.ranked.push(scored{p.score(v, j), j})
	}
	p.joined = p.joined[:0]
	for {
		j := p.ranked[0].job
		p.ranked.pop()
		if !p.easy.queue.Has(j) { // it was started behind another
			continue
		}
		if i, ok := slices.BinarySearchFunc(p.waiting, j, cmp.Compare[sim.JobID]); ok {
			return i
		}
		if i := slices.Index(p.waiting, j); i >= 0 { // after a fault jobs do not wait in order of their numbers
			return i
		}
	}
}
