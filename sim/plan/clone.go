package plan

import (
	"maps"
	"slices"
)

// Clone gives an independent copy, for a policy that is resumed from a snapshot.
func (q *Queue) Clone() Queue {
	c := *q
	c.nodes, c.classes, c.index = slices.Clone(q.nodes), slices.Clone(q.classes), maps.Clone(q.index)
	return c
}

// Clone gives an independent copy. It is taken between decisions.
func (p *Placer) Clone() *Placer {
	return &Placer{rule: p.rule, extra: slices.Clone(p.extra), touched: slices.Clone(p.touched), parts: slices.Clone(p.parts),
		listed: slices.Clone(p.listed), cpu: slices.Clone(p.cpu), mem: slices.Clone(p.mem), hosts: slices.Clone(p.hosts)}
}

// Clone gives an independent copy but for the functions: replace those that belong to the policy.
func (b *Rebuild) Clone() Rebuild {
	c := *b
	c.run, c.draining, c.most, c.count, c.chosen = slices.Clone(b.run), slices.Clone(b.draining), slices.Clone(b.most), slices.Clone(b.count), nil
	c.cap.usable, c.cap.left = slices.Clone(b.cap.usable), slices.Clone(b.cap.left)
	return c
}
