package replay

import "math"

// planned is what planning a job gives.
type planned struct {
	steps steps // GPUs over time
	end   int64 // as the program plans and logs it: whole slots from now
	real  int64 // whole seconds
	free  steps // what is left for others
}

// pieces is the work of one call: the profile as it was and as it becomes.
type pieces struct {
	r        *Run
	j        *Job
	start    int64
	was      steps
	free     steps
	give     steps
	aligned  int64 // the deadline in whole slots from now
	from     int64 // where planning begins
	left     float64
	assigned int32 // what it gets now, 0 = what its plan states
	most     int32 // the largest number that the search came to
	last     int32 // the value that the program remembers as the last free number
}

// share plans a job as ElasticFlow's program does: its minimum satisfactory share, or, with a
// number for the present, that number up to the next change of the profile and its minimum
// satisfactory share from there.
func (r *Run) share(j *Job, was steps, assigned int32) planned {
	p := &pieces{r: r, j: j, start: r.now, was: was, from: r.now, left: j.left, assigned: assigned}
	p.free = append(steps{}, was...)
	p.give = steps{{p.start, 0}}
	p.aligned = align(p.start, j.deadlineOr(), r.cfg.SlotS)
	if p.aligned >= p.start && !p.free.has(p.aligned) {
		p.last = p.free.before(p.aligned, 0)
		p.free = p.free.set(p.aligned, p.last)
	}
	if assigned > 0 {
		if out, ok := p.present(); ok {
			return out
		}
	}
	if out, ok := p.least(); ok {
		return out
	}
	p.late()
	return p.after()
}

// present gives a number of GPUs up to the next change. ok: the job ends by then, in time.
func (p *pieces) present() (planned, bool) {
	q, next := p.assigned, p.aligned
	for _, x := range p.was {
		if x.at > p.start {
			next = x.at
			break
		}
	}
	p.give = p.give.set(p.start, q)
	rate := p.j.rate(q)
	end := ceil(float64(p.start) + p.left/rate)
	slotted := align(p.start, end, p.r.cfg.SlotS)
	if next >= slotted && p.j.deadlineOr() >= end {
		was := p.free.on(p.start)
		p.free = p.free.set(p.start, was-q)
		if !p.was.has(slotted) {
			p.free = p.free.set(slotted, was)
		}
		return planned{p.give, slotted, end, p.free}, true
	}
	until := next
	if next == p.aligned {
		until = p.j.deadlineOr()
	}
	p.left -= float64(float64(until-p.start) * rate)
	p.free = p.free.set(p.start, p.free.on(p.start)-q)
	p.from = next
	p.give = p.give.set(next, 0)
	return planned{}, false
}

// until is the end of a period that lasts to t: the last one before the deadline ends with it.
func (p *pieces) until(t int64) int64 {
	if t == p.aligned {
		return p.j.deadlineOr()
	}
	return t
}

// least looks for the smallest number of GPUs with which the job ends in time: from the deadline
// backwards.
func (p *pieces) least() (planned, bool) {
	low := int32(0)
	for _, q := range p.j.counts {
		if q > p.j.most || q > p.r.cfg.GPUs {
			break
		}
		for _, x := range p.free {
			if x.at < p.aligned && !p.give.has(x.at) {
				p.give = p.give.set(x.at, 0)
			}
		}
		to, sum := p.aligned, 0.0
		for i := len(p.free) - 1; i >= 0; i-- {
			x := p.free[i]
			if x.at >= p.aligned {
				continue
			}
			if x.at < p.from {
				break
			}
			if n := p.j.within(q, x.gpus); n > 0 {
				if sum += float64(float64(p.until(to)-x.at) * p.j.rate(n)); sum >= p.left {
					return p.fill(x.at, low, q), true
				}
			}
			to = x.at
		}
		low = q
	}
	p.most = low
	return planned{}, false
}

// fill gives q GPUs from a point on and the level below before it, or what is free of them, until
// the job ends.
func (p *pieces) fill(point int64, low, q int32) planned {
	at, n := int64(math.MinInt64), int32(0)
	real, slotted := int64(0), int64(math.MinInt64)
	level := func(x int) int32 {
		if p.free[x].at >= point {
			return p.j.within(q, p.free[x].gpus)
		}
		return p.j.within(low, p.free[x].gpus)
	}
	done := func() {
		s := ceil(p.left / p.j.rate(n))
		real, slotted = at+s, at+align(0, s, p.r.cfg.SlotS)
	}
	for i := 0; i < len(p.free) && p.free[i].at <= p.aligned; i++ {
		t := p.free[i].at
		if t < p.from {
			continue
		}
		if at != math.MinInt64 {
			p.spend(at, n)
			if n > 0 {
				work := float64(float64(p.until(t)-at) * p.j.rate(n))
				if at >= point && work >= p.left {
					done()
					break
				}
				p.left -= work
			}
		}
		at, n = t, level(i)
	}
	if slotted == math.MinInt64 {
		p.spend(at, n)
		done()
	}
	last := p.r.cfg.GPUs
	for _, x := range p.was {
		if x.at >= p.from && x.at < slotted {
			last = x.gpus
		}
	}
	if !p.was.has(slotted) {
		p.free = p.free.set(slotted, last)
	}
	return planned{p.give, slotted, real, p.free}
}

// spend gives GPUs from a point of the profile on.
func (p *pieces) spend(at int64, n int32) {
	p.give = p.give.set(at, n)
	if i, ok := p.free.find(at); ok {
		p.free[i].gpus -= n
	}
}

// late gives all that helps up to a deadline that cannot be met.
func (p *pieces) late() {
	at, n := int64(math.MinInt64), int32(0)
	for i := 0; i < len(p.free) && p.free[i].at <= p.aligned; i++ {
		t := p.free[i].at
		if t < p.from {
			continue
		}
		if at != math.MinInt64 {
			p.spend(at, n)
			if n > 0 {
				p.left -= float64(float64(p.until(t)-at) * p.j.rate(n))
			}
		}
		at, n = t, p.j.within(p.most, p.free[i].gpus)
	}
}

// after gives all that helps after the deadline.
func (p *pieces) after() planned {
	lat := max(p.aligned, p.from)
	for i := 0; i < len(p.free); i++ {
		t := p.free[i].at
		if t <= p.aligned {
			continue
		}
		q := p.j.within(p.j.most, p.free.on(lat))
		p.give = p.give.set(lat, q)
		if q == 0 {
			lat = t
			continue
		}
		work := float64(float64(t-lat) * p.j.rate(q))
		if work >= p.left {
			return p.ends(lat, q)
		}
		p.left -= work
		for _, x := range p.was {
			if x.at < lat {
				p.last = p.free.on(x.at)
			}
		}
		for k := range p.free {
			if x := &p.free[k]; x.at >= lat && x.at < t {
				x.gpus -= q
			}
		}
		lat = t
	}
	q := min(p.r.cfg.GPUs, p.j.most)
	if p.assigned > 0 {
		q = p.assigned
	}
	p.give = p.give.set(lat, q)
	end := ceil(float64(lat) + p.left/p.j.rate(q))
	slotted := align(p.start, end, p.r.cfg.SlotS)
	p.free = p.free.set(lat, p.r.cfg.GPUs-q).set(slotted, p.r.cfg.GPUs)
	return planned{p.give, slotted, end, p.free}
}

// ends lets a job end after its deadline, on q GPUs from lat on.
func (p *pieces) ends(lat int64, q int32) planned {
	end := ceil(float64(lat) + p.left/p.j.rate(q))
	slotted := align(p.start, end, p.r.cfg.SlotS)
	for i := range p.free {
		x := &p.free[i]
		if x.at < p.aligned || x.at >= slotted {
			continue
		}
		if p.was.has(x.at) {
			p.last = p.was.on(x.at)
		}
		if x.at >= lat {
			x.gpus -= q
		}
	}
	if lat != slotted {
		p.free = p.free.set(lat, p.last-q)
	}
	if !p.was.has(slotted) {
		p.free = p.free.set(slotted, p.last)
	}
	return planned{p.give, slotted, end, p.free}
}
