package gandivafair

import (
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// user is one owner of tickets. Slices are by type of GPU.
type user struct {
	tickets float64
	jobs    []sim.JobID // that have not ended
	pinned  int         // of them, jobs that insist on a type
	level   float64     // the pass, among the user's own jobs, of the last one picked: new jobs start there
	gens    []standing
}

// standing is what a user is in one generation of GPUs.
type standing struct {
	pass   float64 // GPU-seconds charged, over weight
	weight float64 // tickets for this generation
	share  float64 // GPUs that belong to the user
	homed  int32   // GPUs that its jobs homed here ask for
	waits  int32   // its jobs that wait here
}

// job is what the policy keeps of one.
type job struct {
	user, at int32 // at is the index among the user's jobs
	home     int32 // server, nowhere for wide jobs
	last     int32 // server of the latest grant, nowhere for none
	gen      int32 // type of the home; mixed = a wide job that no single type can hold
	where    place
	wide     bool
	candid   bool     // it runs and stands in a queue for the next quantum
	charged  bool     // from...until is charged to its user
	from     sim.Time // start of what is charged
	run0     sim.Time // its running time when it got its GPUs
	pass     float64  // GPU-seconds charged, among the user's own jobs
}

// place is where a job is in the policy's books.
type place uint8

const (
	away    place = iota // not arrived, ended, or writing a checkpoint
	queued               // waits
	pending              // picked, its GPUs are not free yet
	runs
)

const (
	nowhere = int32(-1)
	mixed   = int32(-1)
)

// readTickets reads NAME:TICKETS+NAME:TICKETS.
func readTickets(s *param.Set) map[string]float64 {
	const want = "NAME:TICKETS+NAME:TICKETS..., tickets from 1e-6 to 1e6"
	text, out := s.Text("tickets", ""), map[string]float64{}
	if text == "" {
		return out
	}
	for part := range strings.SplitSeq(text, "+") {
		i := strings.LastIndexByte(part, ':')
		if i < 1 {
			s.Wrong("tickets", want)
			return out
		}
		n, err := param.ParseFloat(part[i+1:])
		if _, twice := out[part[:i]]; err != nil || !(n >= 1e-6 && n <= 1e6) || twice {
			s.Wrong("tickets", want)
			return out
		}
		out[part[:i]] = n
	}
	return out
}

// owner gives the user of a job, a new one if it is the first.
func (p *Policy) owner(v *sim.View, j sim.JobID) int32 {
	name, weight := v.Job(j).User(), 1.0
	switch p.cfg.by {
	case "vc":
		name = v.Job(j).VC()
		weight = v.Tenants().Weight(name)
	case "group":
		name = v.Job(j).Group()
	default:
		weight = v.Tenants().UserWeight(v.Job(j).VC(), name)
	}
	if u, ok := p.names[name]; ok {
		return u
	}
	n, ok := p.cfg.tickets[name]
	if !ok {
		n = weight
	}
	p.names[name] = int32(len(p.users))
	p.users = append(p.users, user{tickets: n, gens: make([]standing, len(p.gens))})
	return int32(len(p.users) - 1)
}

// join books a job that has arrived. A user that had none starts at the minimum of waiting users.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	p.grow(v)
	u := p.owner(v, j)
	o, x := &p.users[u], &p.jobs[j]
	if len(o.jobs) == 0 {
		p.tickets += o.tickets
		p.active = append(p.active, u)
		for k := range o.gens {
			s := &o.gens[k]
			low := p.minimum(k, u)
			s.pass, s.weight = max(s.pass, low), o.tickets
			s.share = float64(float64(p.gens[k].gpus)*o.tickets) / p.tickets
		}
	}
	*x = job{user: u, at: int32(len(o.jobs)), home: nowhere, last: nowhere, pass: o.level}
	o.jobs = append(o.jobs, j)
	if v.Job(j).GPUType() != "" {
		o.pinned++
	}
	p.dirty = true
}

// quit takes a job that has ended off the books.
func (p *Policy) quit(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	o := &p.users[x.user]
	n := len(o.jobs) - 1
	last := o.jobs[n]
	o.jobs[x.at], p.jobs[last].at = last, x.at
	o.jobs = o.jobs[:n]
	if v.Job(j).GPUType() != "" {
		o.pinned--
	}
	if n == 0 {
		o.pinned = 0
		p.tickets -= o.tickets
		for i, u := range p.active {
			if u == x.user {
				p.active = append(p.active[:i], p.active[i+1:]...)
			}
		}
	}
	p.dirty = true
}

// passOf is the pass of a user for a type; for mixed the mean over types.
func (p *Policy) passOf(u, gen int32) float64 {
	if gen >= 0 {
		return p.users[u].gens[gen].pass
	}
	sum := 0.0
	for k := range p.users[u].gens {
		sum += p.users[u].gens[k].pass
	}
	return sum / float64(len(p.gens))
}

// bill adds GPU-seconds to the passes of a job and of its user.
func (p *Policy) bill(j sim.JobID, seconds float64) {
	x := &p.jobs[j]
	used := float64(seconds * float64(p.gpus(j)))
	x.pass += used
	for k := range p.gens {
		s := &p.users[x.user].gens[k]
		switch {
		case x.gen == int32(k):
			s.pass += used / s.weight
		case x.gen == mixed:
			s.pass += float64(used*float64(p.gens[k].gpus)) / (float64(p.total) * s.weight)
		}
	}
}

// charge bills a job for the time from now to the end of the quantum, if a job waits for its type.
func (p *Policy) charge(now sim.Time, j sim.JobID) {
	x := &p.jobs[j]
	if o := &p.users[x.user]; x.pass > o.level {
		o.level = x.pass
	}
	x.from, x.charged = now, p.contested(x.gen) && p.until > now
	if x.charged {
		p.bill(j, (p.until - now).Seconds())
	}
}

// refund gives back what was charged for the time from now on.
func (p *Policy) refund(now sim.Time, j sim.JobID) {
	if x := &p.jobs[j]; x.charged && p.until > now {
		p.bill(j, -(p.until - now).Seconds())
	}
	p.jobs[j].charged = false
}

// late takes back what was charged before a picked job got its GPUs.
func (p *Policy) late(now sim.Time, j sim.JobID) {
	if x := &p.jobs[j]; x.charged && now > x.from {
		p.bill(j, -(min(now, p.until) - x.from).Seconds())
		x.from = now
	}
}

// contested reports whether jobs wait for a type.
func (p *Policy) contested(gen int32) bool {
	if gen >= 0 {
		return p.gens[gen].contested
	}
	for k := range p.gens {
		if p.gens[k].contested {
			return true
		}
	}
	return false
}

// minimum is the least pass of the users that wait for a type, other than one; if none waits, the
// largest of all.
func (p *Policy) minimum(k int, but int32) float64 {
	low, high, any := 0.0, 0.0, false
	for _, u := range p.active {
		s := &p.users[u].gens[k]
		if u == but {
			continue
		}
		if high = max(high, s.pass); s.waits > 0 && (!any || s.pass < low) {
			low, any = s.pass, true
		}
	}
	if any {
		return low
	}
	return high
}

// levelOut raises the users that have all they want, so that no user saves up for later: they may
// be behind the least of waiting users by no more than the largest step that a user can take in a
// quantum.
func (p *Policy) levelOut() {
	for k := range p.gens {
		low, step := p.minimum(k, nowhere), 0.0
		for _, u := range p.active {
			s := &p.users[u].gens[k]
			step = max(step, float64(min(int(s.homed), p.gens[k].gpus))/s.weight)
		}
		low -= float64(step * p.cfg.quantum.Seconds())
		for _, u := range p.active {
			if s := &p.users[u].gens[k]; s.waits == 0 {
				s.pass = max(s.pass, low)
			}
		}
	}
}

// contend opens or closes the account of a type: passes count while a user waits. When one begins
// to wait all are equal, and what runs is charged to the end of the quantum.
func (p *Policy) contend(v *sim.View) {
	for k := range p.gens {
		g := &p.gens[k]
		if g.contested == (g.waits > 0) {
			continue
		}
		if g.contested = g.waits > 0; !g.contested {
			continue
		}
		high := 0.0
		for _, u := range p.active {
			high = max(high, p.users[u].gens[k].pass)
		}
		for _, u := range p.active {
			p.users[u].gens[k].pass = high
		}
		p.until = (v.Now()/p.cfg.quantum + 1) * p.cfg.quantum
		for _, u := range p.active {
			for _, j := range p.users[u].jobs {
				if x := &p.jobs[j]; x.where == runs && x.gen == int32(k) {
					p.charge(v.Now(), j)
				}
			}
		}
	}
}
