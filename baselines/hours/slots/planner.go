package slots

import (
	"math"
	"slices"
)

// Planner plans the jobs of a day one by one, each where it adds least to the cost of what is
// planned. A job that cannot be done in time runs as early as it fits. It keeps its memory from day
// to day.
type Planner struct {
	d     *Day
	use   []int64 // GPU time in use, by slot
	cost  float64 // of the jobs, without nodes
	mean  float64 // price, for what is left of a job after the last slot
	pick  []bool  // by job and slot
	set   []bool  // the job is planned
	late  []bool  // it is not done in time
	try   []bool
	old   []bool
	order []int
}

// Open begins a day, of which no job is planned. Jobs may be added to it later, else it may not change.
func (p *Planner) Open(d *Day) {
	p.d, p.cost, p.mean = d, 0, 0
	p.use, p.try = zeros(p.use, len(d.Slots)), zeros(p.try, len(d.Slots))
	length := 0.0
	for _, s := range d.Slots {
		p.mean += float64(s.Price * float64(s.Len))
		length += float64(s.Len)
	}
	p.mean /= max(1, length)
	p.pick, p.set, p.late = p.pick[:0], p.set[:0], p.late[:0]
	p.grow()
}

// zeros gives n zeros, in the memory of s where it has room.
func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// grow makes room for the jobs of the day.
func (p *Planner) grow() {
	n := len(p.d.Jobs)
	for len(p.pick) < n*len(p.d.Slots) {
		p.pick = append(p.pick, false)
	}
	for len(p.set) < n {
		p.set, p.late = append(p.set, false), append(p.late, false)
	}
}

// of is the slots in which a job runs.
func (p *Planner) of(i int) []bool { return p.pick[i*len(p.d.Slots) : (i+1)*len(p.d.Slots)] }

// Runs reports whether a job is planned to run in a slot.
func (p *Planner) Runs(i, t int) bool { return p.of(i)[t] }

// Waits reports whether a job is planned for later, and in time.
func (p *Planner) Waits(i int) bool { return p.set[i] && !p.late[i] && !p.of(i)[0] }

// Gains reports whether a job that waits saves by that: one for which slot 0 only has no room does
// not.
func (p *Planner) Gains(i int) bool {
	j := &p.d.Jobs[i]
	if p.use[0]+int64(j.GPUs)*min(j.Left, p.d.Slots[0].Len) <= p.d.room(0) {
		return true
	}
	if !p.d.Preempt {
		return cheaper(p.own(j, slices.Index(p.of(i), true)), p.own(j, 0))
	}
	dearest := math.Inf(-1)
	for t, in := range p.of(i) {
		if in {
			dearest = max(dearest, p.d.Slots[t].Price)
		}
	}
	return dearest < p.d.Slots[0].Price
}

// own is price x watts of a job, without nodes, that starts in a slot.
func (p *Planner) own(j *Job, t int) (sum float64) {
	left := j.Left
	for ; t < len(p.d.Slots) && left > 0; t++ {
		part := min(left, p.d.Slots[t].Len)
		sum += p.d.jobCost(j, t, part)
		left -= part
	}
	return sum + float64(p.mean*float64(j.Watts*(float64(left)/hour)))
}

// Slots appends the slots in which a job runs.
func (p *Planner) Slots(dst []int, i int) []int {
	for t, in := range p.of(i) {
		if in {
			dst = append(dst, t)
		}
	}
	return dst
}

// On is how many nodes a slot needs.
func (p *Planner) On(t int) int { return p.d.needs(t, p.use[t]) }

// Cost is the cost of what is planned.
func (p *Planner) Cost() float64 {
	sum, prev := p.cost, p.d.On
	for t := range p.use {
		on := p.On(t)
		sum += p.d.nodesCost(t, on, prev)
		prev = on
	}
	return sum
}

// Insert plans a job where it costs least, of equals early; false = nowhere in time, and it runs as
// early as it fits, or nowhere.
func (p *Planner) Insert(i int) bool {
	p.grow()
	j, at := &p.d.Jobs[i], -1
	switch {
	case p.d.Preempt && p.scattered(i):
		p.add(i, p.try)
		return true
	case p.d.Preempt:
	case j.Begun:
		at = 0
	default:
		at = p.cheapest(j)
	}
	if at >= 0 {
		p.add(i, p.span(j, at))
		return true
	}
	p.Early(i)
	p.late[i] = true
	return false
}

// cheapest is the slot from which a job costs least that does not pause; -1 = none in time.
func (p *Planner) cheapest(j *Job) int {
	best, at := math.Inf(1), -1
	for t := j.Ready; t < len(p.d.Slots) && j.startsIn(t) && p.inTime(j, t); t++ {
		if c, ok := p.added(j, t); ok && cheaper(c, best) {
			best, at = c, t
		}
	}
	return at
}

// cheaper reports whether a is less than b by more than rounding: of equals the first one stays.
func cheaper(a, b float64) bool {
	return math.IsInf(b, 1) || a < b-float64(1e-9*max(math.Abs(a), math.Abs(b)))
}

// inTime reports whether a job that starts in a slot is done before it is due. What is due after the
// last slot may start in any.
func (p *Planner) inTime(j *Job, t int) bool {
	left := j.Left
	for ; t < len(p.d.Slots) && left > 0; t++ {
		left -= p.d.Slots[t].Len
	}
	return left <= 0 && t <= j.Due || j.Due > len(p.d.Slots)
}

// Early plans a job without a break as early as it fits; false = not in time.
func (p *Planner) Early(i int) bool {
	p.grow()
	j := &p.d.Jobs[i]
	for t := j.Ready; t < len(p.d.Slots); t++ {
		if _, ok := p.added(j, t); ok {
			p.add(i, p.span(j, t))
			return p.inTime(j, t)
		}
	}
	return false
}

// Now plans a job from slot 0 on without a break, whether it fits or not.
func (p *Planner) Now(i int) {
	p.Remove(i)
	p.add(i, p.span(&p.d.Jobs[i], 0))
}

// span marks the slots of a job that runs from a slot on without a break.
func (p *Planner) span(j *Job, t int) []bool {
	clear(p.try)
	for left := j.Left; t < len(p.try) && left > 0; t++ {
		p.try[t] = true
		left -= p.d.Slots[t].Len
	}
	return p.try
}

// added is the additional cost of a job that starts in a slot and runs without a break; false = the
// GPUs are in use.
func (p *Planner) added(j *Job, t int) (sum float64, ok bool) {
	d, left := p.d, j.Left
	was, is := p.before(t), p.before(t)
	for ; t < len(d.Slots); t++ {
		part := min(left, d.Slots[t].Len)
		use := p.use[t] + int64(j.GPUs)*part
		if part > 0 && use > d.room(t) {
			return 0, false
		}
		old, now := d.needs(t, p.use[t]), d.needs(t, use)
		sum += d.jobCost(j, t, part) + (d.nodesCost(t, now, is) - d.nodesCost(t, old, was))
		was, is = old, now
		if left -= part; left == 0 && was == is {
			return sum, true
		}
	}
	return sum + p.after(j, left), true
}

// before is how many nodes are on before a slot.
func (p *Planner) before(t int) int {
	if t == 0 {
		return p.d.On
	}
	return p.On(t - 1)
}

// after is the cost of what is left of a job after the last slot, at the mean price.
func (p *Planner) after(j *Job, left int64) float64 {
	w := j.Watts
	if p.d.Off {
		w += float64(p.d.NodeW * float64(j.GPUs) / float64(p.d.PerNode))
	}
	return float64(p.mean * float64(w*(float64(left)/hour)))
}

// add plans a job in slots.
func (p *Planner) add(i int, in []bool) {
	copy(p.of(i), in)
	p.set[i], p.late[i] = true, false
	p.book(i, 1)
}

// book adds a job's slots to what is in use, or takes them away.
func (p *Planner) book(i int, sign int64) {
	j := &p.d.Jobs[i]
	left := j.Left
	for t, in := range p.of(i) {
		if in {
			part := min(left, p.d.Slots[t].Len)
			p.use[t] += sign * int64(j.GPUs) * part
			p.cost += float64(float64(sign) * p.d.jobCost(j, t, part))
			left -= part
		}
	}
}

// Remove takes a job out of the plan.
func (p *Planner) Remove(i int) {
	if p.set[i] {
		p.book(i, -1)
		clear(p.of(i))
		p.set[i] = false
	}
}

// scattered marks the slots in which a job costs least that may pause; false = there are too few
// before it is due.
func (p *Planner) scattered(i int) bool {
	j := &p.d.Jobs[i]
	clear(p.try)
	end := min(j.Due, len(p.d.Slots))
	for left := j.Left; left > 0; {
		best, at := math.Inf(1), -1
		for t := j.Ready; t < end; t++ {
			part := min(left, p.d.Slots[t].Len)
			use := p.use[t] + int64(j.GPUs)*min(j.Left, p.d.Slots[t].Len)
			if p.try[t] || use > p.d.room(t) {
				continue
			}
			if c := (p.d.jobCost(j, t, part) + p.moreNodes(j, t)) / float64(part); cheaper(c, best) {
				best, at = c, t
			}
		}
		if at < 0 { // what is due after the last slot may be done then
			return j.Due > len(p.d.Slots)
		}
		p.try[at] = true
		left -= p.d.Slots[at].Len
	}
	return true
}

// moreNodes is what the nodes of a slot cost more when a job runs in it, beside the slots marked.
func (p *Planner) moreNodes(j *Job, t int) float64 {
	d := p.d
	if !d.Off {
		return 0
	}
	with := func(t int) int {
		use := p.use[t]
		if p.try[t] {
			use += int64(j.GPUs) * min(j.Left, d.Slots[t].Len)
		}
		return d.needs(t, use)
	}
	prev := d.On
	if t > 0 {
		prev = with(t - 1)
	}
	old, now := with(t), d.needs(t, p.use[t]+int64(j.GPUs)*min(j.Left, d.Slots[t].Len))
	sum := d.nodesCost(t, now, prev) - d.nodesCost(t, old, prev)
	if t+1 < len(d.Slots) {
		next := with(t + 1)
		sum += d.nodesCost(t+1, next, now) - d.nodesCost(t+1, next, old)
	}
	return sum
}

// Improve plans jobs anew one by one, in at most so many passes, as long as the cost falls.
func (p *Planner) Improve(passes int) {
	cost := p.Cost()
	for range passes {
		was := cost
		for i := range p.d.Jobs {
			if !p.set[i] || p.late[i] || p.d.Jobs[i].Begun && !p.d.Preempt {
				continue
			}
			old := append(p.old[:0], p.of(i)...)
			p.old = old
			p.Remove(i)
			if inTime := p.Insert(i); !inTime || !cheaper(p.Cost(), cost) {
				p.Remove(i)
				p.add(i, old)
			}
			cost = p.Cost()
		}
		if !cheaper(cost, was) {
			return
		}
	}
}

// Plan plans all jobs of a day, the first due first, and improves the plan. It reports whether all
// are done in time.
func (p *Planner) Plan(d *Day, passes int) bool {
	p.Open(d)
	p.order = p.order[:0]
	for i := range d.Jobs {
		p.order = append(p.order, i)
	}
	slices.SortFunc(p.order, d.before)
	ok := true
	for _, i := range p.order {
		ok = p.Insert(i) && ok
	}
	p.Improve(passes)
	return ok
}

// Take plans the jobs of a day as a solver does.
func (p *Planner) Take(d *Day, s *Solver) {
	p.Open(d)
	for i := range d.Jobs {
		for t := range p.try {
			p.try[t] = s.Runs(i, t)
		}
		p.add(i, p.try)
	}
}

// Clone gives an independent copy, with a copy of its day.
func (p *Planner) Clone(d *Day) Planner {
	c := *p
	c.d, c.use, c.pick, c.set, c.late = d, slices.Clone(p.use), slices.Clone(p.pick), slices.Clone(p.set),
		slices.Clone(p.late)
	c.try, c.old, c.order = slices.Clone(p.try), nil, nil
	return c
}
