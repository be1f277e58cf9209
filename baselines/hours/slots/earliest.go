package slots

import (
	"cmp"
	"slices"
)

// Earliest plans without prices: in order of due, ready and index, each job runs without a break as
// early as it fits. ok is false if one does not fit in time.
func (d *Day) Earliest() (plan Plan, ok bool) {
	order := make([]int, len(d.Jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, d.before)
	var p Planner
	p.Open(d)
	plan, ok = make(Plan, len(d.Jobs)), true
	for _, i := range order {
		ok = p.Early(i) && ok
		plan[i] = p.Slots(nil, i)
	}
	return plan, ok
}

// before orders jobs that run first, then by due, ready and index.
func (d *Day) before(a, b int) int {
	if x, y := d.Jobs[a].Begun, d.Jobs[b].Begun; x != y {
		if x {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(d.Jobs[a].Due, d.Jobs[b].Due), cmp.Compare(d.Jobs[a].Ready, d.Jobs[b].Ready), a-b)
}
