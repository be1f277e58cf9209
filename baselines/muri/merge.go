package muri

import (
	"cmp"
	"slices"

	"tarry/internal/assign"
	"tarry/sim/stages"
)

// merge groups the candidates until they need no more GPUs than there are, in rounds of matching.
func (p *Policy) merge(demand, gpus int) {
	if demand <= gpus || p.apart() {
		return
	}
	if p.cfg.matching == "none" {
		p.mergeNext(demand, gpus)
		return
	}
	for i := range p.pools {
		p.pools[i].blocks = 0
	}
	for round := 0; round < p.cfg.rounds && demand > gpus; round++ {
		before := demand
		for _, i := range p.turns {
			if q := &p.pools[i]; !q.alone && demand > gpus {
				demand = p.mergePool(q, demand, gpus)
			}
		}
		if demand == before {
			break
		}
	}
}

// mergeNext merges each candidate with its own partners, without regard to stages.
func (p *Policy) mergeNext(demand, gpus int) {
	for _, i := range p.turns {
		q := &p.pools[i]
		for k := range q.groups {
			first := k - k%p.cfg.most
			if k == first || q.alone || demand <= gpus || !p.room.holds(q.groups[first].mib+q.groups[k].mib) {
				continue
			}
			q.groups[first].absorb(&q.groups[k])
			demand -= int(q.gpus)
		}
		q.tidy()
	}
}

// mergePool merges the matched groups of a pool, in the order of the second of each pair, until the
// demand fits. A merged group takes the place of the second.
func (p *Policy) mergePool(q *pool, demand, gpus int) int {
	size := p.cfg.block
	if size == 0 {
		size = len(q.groups)
	}
	for from := 0; from < len(q.groups) && demand > gpus; from += size {
		block := q.groups[from:min(from+size, len(q.groups))]
		for _, x := range p.pair(q, block) {
			if demand <= gpus {
				break
			}
			a, b := &block[x[0]], &block[x[1]]
			a.absorb(b)
			*a, *b = *b, *a
			demand -= int(q.gpus)
		}
	}
	q.tidy()
	return demand
}

// matched is a block by the numbers of its groups, and the pairs that were found, by the second.
type matched struct {
	numbers []int32
	pairs   [][2]int
}

// pair matches the next block of a pool. Where the same block of the last decision had the same groups,
// as it has when jobs came and went elsewhere, it has the same pairs.
func (p *Policy) pair(q *pool, block []group) [][2]int {
	if q.blocks == len(q.last) {
		q.last = append(q.last, matched{})
	}
	m := &q.last[q.blocks]
	q.blocks++
	p.number(block)
	if p.room.memory == 0 && slices.Equal(m.numbers, p.numbers) {
		return m.pairs
	}
	m.pairs = p.match(block, m.pairs[:0])
	slices.SortFunc(m.pairs, func(a, b [2]int) int { return cmp.Compare(a[1], b[1]) })
	if m.numbers = m.numbers[:0]; p.room.memory == 0 {
		m.numbers = append(m.numbers, p.numbers...)
	}
	return m.pairs
}

// number lists the numbers of groups, by their lists of classes.
func (p *Policy) number(block []group) {
	var buffer [stages.Most]int32
	p.numbers = p.numbers[:0]
	for i := range block {
		p.numbers = append(p.numbers, p.kinds.lists.list(block[i].classesOf(buffer[:0])))
	}
}

// absorb takes the jobs of another group over.
func (g *group) absorb(o *group) {
	g.n += copy(g.jobs[g.n:], o.members())
	g.key = min(g.key, o.key)
	g.mib += o.mib
	o.n = 0
}

// tidy drops the groups that were absorbed.
func (q *pool) tidy() {
	q.groups = slices.DeleteFunc(q.groups, func(g group) bool { return g.n == 0 })
}

// match pairs groups.
func (p *Policy) match(block []group, pairs [][2]int) [][2]int {
	p.weigh(block)
	if p.cfg.matching == "greedy" {
		slices.SortStableFunc(p.edges, func(a, b assign.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
		p.mate = append(p.mate[:0], make([]int, len(block))...)
		for _, e := range p.edges {
			if p.mate[e.A] == 0 && p.mate[e.B] == 0 {
				p.mate[e.A], p.mate[e.B] = 1, 1
				pairs = append(pairs, [2]int{e.A, e.B})
			}
		}
		return pairs
	}
	m, err := p.matcher.Solve(len(block), p.edges, false)
	if err != nil { // the weights are finite and the edges within the block
		return pairs
	}
	for a, b := range m.Mate {
		if a < b {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// weigh lists the pairs of groups that may be one, with the used ratio of both together.
func (p *Policy) weigh(block []group) {
	p.edges = p.edges[:0]
	for a := range block {
		for b := a + 1; b < len(block); b++ {
			if block[a].n+block[b].n > p.cfg.most || !p.room.holds(block[a].mib+block[b].mib) {
				continue
			}
			if w := p.ratio(&block[a], &block[b], p.numbers[a], p.numbers[b]); w > 0 {
				p.edges = append(p.edges, assign.Edge{A: a, B: b, Weight: w})
			}
		}
	}
}

// split lists the groups of a pool as they are to run. A group that is slower than its jobs one
// after the other, in the best order, is dissolved, unless dissolve=false.
func (p *Policy) split(q *pool) {
	var buffer [stages.Most]int32
	for i := range q.groups {
		g, sum := &q.groups[i], 0.0
		for _, m := range g.members() {
			sum += p.kinds.all[m.class].iterS
		}
		if of := g.classesOf(buffer[:0]); g.n == 1 || !p.cfg.dissolve || p.kinds.groupS(of, stages.Best) <= sum {
			g.timeS = p.kinds.groupS(of, p.cfg.order)
			p.groups = append(p.groups, *g)
			continue
		}
		for _, m := range g.members() {
			p.groups = append(p.groups, group{jobs: [stages.Most]*member{m}, n: 1, gpus: m.gpus, mib: m.mib,
				key: m.key, timeS: p.kinds.all[m.class].iterS})
		}
	}
}
