package voda

import (
	"cmp"
	"slices"
)

// rank puts the i-th job of a pool, which is not in the order of Tiresias, where it belongs.
func (q *pool) rank(i int) {
	k, _ := slices.BinarySearchFunc(q.ranks, int32(i), q.compare)
	q.ranks = slices.Insert(q.ranks, k, int32(i))
}

// unrank takes the i-th job out of the order.
func (q *pool) unrank(i int) {
	k, _ := slices.BinarySearchFunc(q.ranks, int32(i), q.compare)
	q.ranks = slices.Delete(q.ranks, k, k+1)
}

// compare orders two jobs of the pool by queue and first start, equal ones by arrival.
func (q *pool) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(q.jobs[a].Queue, q.jobs[b].Queue),
		cmp.Compare(q.jobs[a].FirstStart, q.jobs[b].FirstStart), cmp.Compare(a, b))
}

// dropRank takes the i-th job out, which is about to leave the list: the jobs behind it move up.
func (q *pool) dropRank(i int) {
	q.unrank(i)
	for k, j := range q.ranks {
		if int(j) > i {
			q.ranks[k]--
		}
	}
}

// alter gives a job another queue and first start, and its place by them.
func (p *Policy) alter(q *pool, i, queue int, firstStart int64) {
	if p.cfg.queued {
		q.unrank(i)
	}
	q.jobs[i].Queue, q.jobs[i].FirstStart = queue, firstStart
	if p.cfg.queued {
		q.rank(i)
	}
}
