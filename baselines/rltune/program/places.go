package program

import (
	"cmp"
	"slices"
)

// split is how many whole machines of a type a job takes, and how many GPUs of one more.
func (p *Program) split(j, on int) (whole, rest int) {
	n, size := p.jobs[j].GPUs, p.size[on]
	if n <= size {
		return 0, n
	}
	return n / size, n % size
}

// room reports whether a machine has room for so many GPUs of a job.
func (p *Program) room(j, m, gpus int) bool {
	x, job := &p.machines[m], &p.jobs[j]
	return x.GPUs >= gpus && x.CPUMilli/gpus >= job.CPUMilli && x.MemMiB/gpus >= job.MemMiB
}

// takeWhole gives a job so many whole machines of a type, the first that have room; false = there are
// not enough, and it has none.
func (p *Program) takeWhole(j, on, whole int) bool {
	size := p.size[on]
	for m := range p.machines {
		if whole == 0 {
			break
		}
		if p.machines[m].Type == on && p.machines[m].Size == size && p.room(j, m, size) {
			p.add(j, Part{m, size})
			whole--
		}
	}
	if whole > 0 {
		p.leave(j)
	}
	return whole == 0
}

// candidates appends to try one machine of each kind of a type that has room for so many GPUs: of
// machines alike the first, the fewest free GPUs first. It gives where they begin.
func (p *Program) candidates(j, on, gpus int) (from int) {
	from = len(p.try)
next:
	for m := range p.machines {
		x := &p.machines[m]
		if x.Type != on || !p.room(j, m, gpus) {
			continue
		}
		for _, k := range p.try[from:] {
			if p.machines[k] == *x {
				continue next
			}
		}
		p.try = append(p.try, m)
	}
	slices.SortStableFunc(p.try[from:], func(a, b int) int {
		return cmp.Compare(p.machines[a].GPUs, p.machines[b].GPUs)
	})
	return from
}

// fit gives a job a place on a type: whole machines, and the machine that leaves the fewest GPUs.
func (p *Program) fit(j, on int) bool {
	whole, rest := p.split(j, on)
	if whole > 0 && !p.takeWhole(j, on, whole) {
		return false
	}
	if rest == 0 {
		return true
	}
	best := -1
	for m := range p.machines {
		if p.machines[m].Type == on && p.room(j, m, rest) &&
			(best < 0 || p.machines[m].GPUs < p.machines[best].GPUs) {
			best = m
		}
	}
	if best < 0 {
		p.leave(j)
		return false
	}
	p.add(j, Part{best, rest})
	return true
}

// greedy places the jobs in order.
func (p *Program) greedy() {
	for _, j := range p.order {
		from := p.byValue(j)
		for _, on := range p.kinds[from:] {
			if p.fit(j, on) {
				break
			}
		}
		p.kinds = p.kinds[:from]
	}
}

// byValue appends to kinds the types on which a job runs, the most valuable first, and gives where
// they begin.
func (p *Program) byValue(j int) (from int) {
	from = len(p.kinds)
	for on := range p.types {
		if p.Value(j, on) > 0 && p.size[on] > 0 {
			p.kinds = append(p.kinds, on)
		}
	}
	slices.SortStableFunc(p.kinds[from:], func(a, b int) int { return cmp.Compare(p.Value(j, b), p.Value(j, a)) })
	return from
}

// add gives a job GPUs of a machine.
func (p *Program) add(j int, x Part) {
	p.places[j] = append(p.places[j], x)
	p.charge(j, x, 1)
}

// drop takes the last of a job's parts back.
func (p *Program) drop(j int) {
	last := len(p.places[j]) - 1
	p.charge(j, p.places[j][last], -1)
	p.places[j] = p.places[j][:last]
}

// leave takes all of a job's parts back.
func (p *Program) leave(j int) {
	for len(p.places[j]) > 0 {
		p.drop(j)
	}
}

// charge takes a job's part from a machine, or gives it back.
func (p *Program) charge(j int, x Part, sign int) {
	m, n := &p.machines[x.Machine], sign*x.GPUs
	m.GPUs -= n
	m.CPUMilli -= n * p.jobs[j].CPUMilli
	m.MemMiB -= n * p.jobs[j].MemMiB
}

// Behind places one more job greedily on what Solve or Greedy left, or on all where neither was
// called since the last Reset; empty = it has no room. The slice is valid until the next Reset.
func (p *Program) Behind(j Job, values []float64) []Part {
	p.AddJob(j, values)
	n := len(p.jobs) - 1
	for len(p.places) <= n {
		p.places = append(p.places, make([]Part, 0, roomy))
	}
	p.places[n] = p.places[n][:0]
	from := p.byValue(n)
	for _, on := range p.kinds[from:] {
		if p.fit(n, on) {
			break
		}
	}
	p.kinds = p.kinds[:from]
	p.jobs, p.values = p.jobs[:n], p.values[:n*p.types]
	return p.places[n]
}
