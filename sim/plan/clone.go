package plan

import (
	"maps"
	"slices"
)

// Clone gives an independent copy, for a policy that is resumed from a snapshot.
func (q *Queue) Clone() Queue {
	c := *q
	c.nodes, c.classes, c.index = slices.Clone(q.nodes), slices.Clone(q.classes), maps.Clone(q.index)
	c.order = nil
	return c
}

// CopyFrom makes q equal to another queue, in its own memory.
func (q *Queue) CopyFrom(o *Queue) {
	nodes, classes, index, order := q.nodes, q.classes, q.index, q.order
	*q = *o
	q.order = order
	q.nodes, q.classes = append(nodes[:0], o.nodes...), append(classes[:0], o.classes...)
	if index == nil {
		index = map[Demand]int32{}
	}
	clear(index)
	maps.Copy(index, o.index)
	q.index = index
}

// Clone gives an independent copy. It is taken between decisions.
func (p *Placer) Clone() *Placer {
	return &Placer{rule: p.rule, extra: slices.Clone(p.extra), touched: slices.Clone(p.touched),
		parts:  slices.Clone(p.parts),
		listed: slices.Clone(p.listed), cpu: slices.Clone(p.cpu), mem: slices.Clone(p.mem),
		hosts: slices.Clone(p.hosts)}
}

// CopyFrom makes p equal to another placer between decisions, in its own memory.
func (p *Placer) CopyFrom(o *Placer) {
	p.rule = o.rule
	p.extra, p.touched = append(p.extra[:0], o.extra...), append(p.touched[:0], o.touched...)
	p.parts, p.listed = append(p.parts[:0], o.parts...), append(p.listed[:0], o.listed...)
	p.cpu, p.mem, p.hosts = append(p.cpu[:0], o.cpu...), append(p.mem[:0], o.mem...), append(p.hosts[:0], o.hosts...)
}

// Clone gives an independent copy but for the functions: replace the functions that belong to the
// policy.
func (b *Rebuild) Clone() Rebuild {
	c := *b
	c.run, c.draining, c.most, c.count, c.chosen = slices.Clone(b.run), slices.Clone(b.draining), slices.Clone(b.most),
		slices.Clone(b.count), nil
	c.index, c.lost, c.planned, c.places, c.off = b.index.clone(), nil, nil, nil, nil
	c.cap.usable, c.cap.left = slices.Clone(b.cap.usable), slices.Clone(b.cap.left)
	return c
}
