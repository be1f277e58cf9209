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
	try   []bool
	old   []bool
	order []int
}

// Open begins a day, of which no job is planned. The day's slots and jobs may not change after that,
// but by Add.
func (p *Planner) Open(d *Day) {
	p.d, p.cost, p.mean = d, 0, 0
	p.use = append(p.use[:0], make([]int64, len(d.Slots))...)
	p.try = append(p.try[:0], make([]bool, len(d.Slots))...)
	length := 0.0
	for _, s := range d.Slots {
		p.mean += s.Price * float64(s.Len)
		length += float64(s.Len)
	}
	p.mean /= max(1, length)
	p.pick, p.set = p.pick[:0], p.set[:0]
	p.grow()
}

func (p *Planner) grow() {
	for n := len(p.d.Jobs) * len(p.d.Slots); len(p.pick) < n; {
		p.pick = append(p.pick, false)
	}
	for len(p.set) < len(p.d.Jobs) {
		p.set = append(p.set, false)
	}
}

// of is the slots in which a job runs.
func (p *Planner) of(i int) []bool { return p.pick[i*len(p.d.Slots) : (i+1)*len(p.d.Slots)] }

// Runs reports whether a job is planned to run in a slot.
func (p *Planner) Runs(i, t int) bool { return p.of(i)[t] }

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

// Insert plans a job where it costs least, among equals early; false = nowhere in time, and it runs
// as early as it fits, or nowhere.
func (p *Planner) Insert(i int) bool {
	best, at := math.Inf(1), -1
	j := &p.d.Jobs[i]
	switch {
	case p.d.Preempt && p.scattered(i):
		p.add(i, p.try)
		return true
	case !p.d.Preempt:
		for t := j.Ready; t < len(p.d.Slots); t++ {
			if j.Begun && t > 0 || !p.inTime(j, t) {
				break
			}
			if c, ok := p.added(j, t); ok && cheaper(c, best) {
				best, at = c, t
			}
		}
	}
	if at >= 0 {
		p.add(i, p.span(j, at))
		return true
	}
	p.Early(i)
	return false
}

// cheaper reports whether a is less than b by more than rounding: of equals the first one stays.
func cheaper(a, b float64) bool {
	return math.IsInf(b, 1) || a < b-1e-9*max(math.Abs(a), math.Abs(b))
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
	j := &p.d.Jobs[i]
	for t := j.Ready; t < len(p.d.Slots); t++ {
		if _, ok := p.added(j, t); ok {
			p.add(i, p.span(j, t))
			return p.inTime(j, t)
		}
		if j.Begun {
			break
		}
	}
	if j.Begun { // more runs than a node's failure left room for
		p.add(i, p.span(j, 0))
	}
	return false
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
		w += p.d.NodeW * float64(j.GPUs) / float64(p.d.PerNode)
	}
	return p.mean * float64(w*(float64(left)/hour))
}

// add plans a job in slots.
func (p *Planner) add(i int, in []bool) {
	copy(p.of(i), in)
	p.set[i] = true
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
			p.cost += float64(sign) * p.d.jobCost(j, t, part)
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
			if !p.set[i] {
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
