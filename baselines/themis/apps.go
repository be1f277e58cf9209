package themis

import (
	"math"
	"slices"

	"tarry/sim"
)

// app is a job, or the jobs of a user or group that are in the system: as one job, its work is the
// sum of theirs and its speed the sum of theirs.
type app struct {
	name string
	jobs []member // in the system, in the order in which they came
	// start is when the first came that found no other; area is what book.area was then.
	start sim.Time
	area  float64
	// last is rho when the app last had GPUs.
	last  float64
	apart bool // it is not admitted yet
	// Of this decision:
	left, alone, now float64 // its jobs' work left, T_id, the time since start in microseconds
	speed, least     float64 // on the GPUs that stay the app's; the least that it can run at
	rho              float64 // with the GPUs that stay the app's
	wants            bool    // it could use GPUs of the offer
}

// member is a job of an app.
type member struct {
	job          sim.JobID
	lo, hi, unit int       // counts that it can use: from lo to hi by unit
	typ          int       // index of its GPU type, -1 = any
	curve        []float64 // speed at each count, placed at best
	work         float64   // what the policy takes for its work, in microseconds of one reference GPU
	wide         bool      // no type alone has GPUs enough, several together have
}

// most is the job's speed on all GPUs that it can use.
func (m *member) most() float64 { return m.curve[m.hi] }

// book has the apps in the system.
type book struct {
	apps   []app
	vacant []int32
	live   []int32 // as they were ordered last, so that there is little to order, then new ones
	of     []int32 // job -> 1 + app
	byName map[string]int32
	spare  []member // for the first job of apps that are new
	area   float64  // integral of the number of apps over time, in microseconds
	seen   sim.Time
}

// follow takes note of who came and went.
func (p *Policy) follow(v *sim.View) {
	b := &p.book
	b.area += float64(float64(len(b.live)) * float64(v.Now()-b.seen))
	b.seen = v.Now()
	if n := v.NumJobs(); len(b.of) < n {
		b.of, p.won = append(b.of, make([]int32, n-len(b.of))...), append(p.won, make([]int32, n-len(p.won))...)
	}
	for _, ev := range v.Events() {
		switch {
		case ev.Job == sim.NoJob:
		case ev.Kind == sim.Arrive:
			a := b.enter(v, ev.Job, p.cfg.app)
			if a.jobs = append(a.jobs, p.member(v, ev.Job)); len(a.jobs) == 1 {
				a.apart = !math.IsInf(p.cfg.admit, 1)
			}
		case ev.Kind == sim.Finish:
			b.leave(ev.Job)
		}
	}
}

// member looks at a job that arrives.
func (p *Policy) member(v *sim.View, j sim.JobID) member {
	m := member{job: j, unit: v.Job(j).WorkerGPUs(), typ: p.typeOf(v, j), curve: p.curves.Of(v, j), work: v.Job(j).Work()}
	m.lo, m.hi = v.Job(j).Range()
	if !p.cfg.known {
		m.work = v.Job(j).Estimate()
	}
	if m.wide = m.lo >= len(m.curve); m.wide { // no type alone has as many
		m.curve = make([]float64, m.lo+1)
		m.curve[m.lo] = p.classes.anywhere(v, j, m.lo)
	}
	m.hi = min(m.hi, len(m.curve)-1)
	m.hi -= (m.hi - m.lo) % m.unit
	return m
}

// typeOf is the index of the type that a job insists on, -1 for any.
func (p *Policy) typeOf(v *sim.View, j sim.JobID) int {
	t := v.Topology().Types()
	if len(t) == 1 {
		return 0
	}
	if v.Job(j).GPUType() == "" {
		return -1
	}
	return slices.Index(t, v.Job(j).GPUType())
}

// enter gives the app of a job that arrives.
func (b *book) enter(v *sim.View, j sim.JobID, by string) *app {
	name := ""
	switch by {
	case "user":
		name = v.Job(j).User()
	case "group":
		name = v.Job(j).Group()
	}
	i, ok := int32(0), false
	if by != "job" {
		i, ok = b.byName[name]
	}
	if !ok {
		if n := len(b.vacant); n > 0 {
			i = b.vacant[n-1]
			b.vacant = b.vacant[:n-1]
		} else {
			i = int32(len(b.apps))
			if len(b.spare) == 0 {
				b.spare = make([]member, 256)
			}
			b.apps = append(b.apps, app{jobs: b.spare[:0:1]})
			b.spare = b.spare[1:]
		}
		a := &b.apps[i]
		*a = app{name: name, jobs: a.jobs[:0], start: v.Now(), area: b.area, last: 1}
		b.live = append(b.live, i)
		if by != "job" {
			b.byName[name] = i
		}
	}
	b.of[j] = 1 + i
	return &b.apps[i]
}

func (b *book) leave(j sim.JobID) {
	i := b.of[j] - 1
	if i < 0 {
		return
	}
	b.of[j] = 0
	a := &b.apps[i]
	k := slices.IndexFunc(a.jobs, func(m member) bool { return m.job == j })
	if a.jobs = slices.Delete(a.jobs, k, k+1); len(a.jobs) > 0 {
		return
	}
	delete(b.byName, a.name)
	b.vacant = append(b.vacant, i)
	k = slices.Index(b.live, i)
	b.live = slices.Delete(b.live, k, k+1)
}

// contention is the number of apps that an app shares the cluster with, itself included.
func (p *Policy) contention(v *sim.View, a *app) float64 {
	if life := v.Now() - a.start; life > 0 && !p.cfg.now {
		return max(1, (p.book.area-a.area)/float64(life))
	}
	return float64(len(p.book.live))
}

// measure sets what rho is made of: T_id and the sums over an app's jobs, with the GPUs that stay
// the app's.
func (p *Policy) measure(v *sim.View, a *app) {
	work, best, wide := 0.0, 0.0, 0
	a.left, a.speed, a.least, a.wants = 0, 0, math.Inf(1), false
	for i := range a.jobs {
		m := &a.jobs[i]
		a.left += p.left(v, m)
		work += m.work
		best += m.most()
		wide += m.hi
		if s := m.curve[m.lo]; s > 0 {
			a.least = min(a.least, s)
		}
		switch held := p.keeps(v, m.job); {
		case held > 0:
			a.speed += v.Run(m.job).Speed().Rate
			a.wants = a.wants || p.cfg.grow && held < m.hi
		case v.Run(m.job).State() == sim.Waiting || v.Run(m.job).State() == sim.Running:
			a.wants = true
		}
	}
	gpus, n := float64(v.Topology().GPUs()), p.contention(v, a)
	switch p.cfg.ideal {
	case "scaled":
		a.alone = n * alone(work, best, wide, gpus)
	case "share":
		part := max(1, gpus/n)
		if m := &a.jobs[0]; len(a.jobs) == 1 {
			wide = m.lo + max(0, min(int(part), m.hi)-m.lo)/m.unit*m.unit
			best = m.curve[wide]
		}
		a.alone = alone(work, best, wide, part)
	default:
		a.alone = alone(work, best, wide, gpus)
	}
	a.now = float64(v.Now() - a.start)
	a.rho = p.rho(v, a, a.speed)
	if a.speed > 0 {
		a.last = a.rho
	}
}

// alone is the time that work takes at a speed that needs wide GPUs, where there may be fewer.
func alone(work, best float64, wide int, gpus float64) float64 {
	t := work / best
	if w := float64(wide); gpus < w {
		t *= w / gpus
	}
	return t
}

// rho is the estimated time of the app in the cluster as it is shared, over T_id, if it has this
// speed from now on.
func (p *Policy) rho(v *sim.View, a *app, speed float64) float64 {
	switch {
	case speed > 0:
		return bounded((a.now + a.left/speed) / a.alone)
	case p.cfg.ratio:
		return bounded(a.last * (p.waited(v, a)/60e6 + 1))
	}
	return bounded((a.now + p.waited(v, a) + float64(max(p.cfg.lease, 1)) + a.left/a.least) / a.alone)
}

// bounded keeps a ratio away from 0 and infinity, where speed models give those.
func bounded(x float64) float64 {
	if !(x > 1e-100) {
		return 1e-100
	}
	return min(x, 1e100)
}

// waited is how long an app has had no GPUs: the longest wait of its jobs, in microseconds.
func (p *Policy) waited(v *sim.View, a *app) float64 {
	since := v.Now()
	for i := range a.jobs {
		if j := a.jobs[i].job; v.Run(j).State() != sim.Waiting {
			return 0
		} else {
			since = min(since, v.Run(j).Since())
		}
	}
	return float64(v.Now() - since)
}

// left is what the policy takes for the work left, in microseconds of one reference GPU. Of an
// estimate that the job has nearly reached, or passed, a twentieth is left.
func (p *Policy) left(v *sim.View, m *member) float64 {
	if p.cfg.known {
		return v.Run(m.job).Left()
	}
	return max(m.work-v.Run(m.job).Done(), m.work/20)
}

// ranked is an app with what it is ordered by.
type ranked struct {
	rho   float64
	first sim.JobID
	app   int32
}

// worst orders apps by rho, the largest first; of equals the app whose first job came first.
func (a ranked) worst(b ranked) int {
	switch {
	case a.rho > b.rho:
		return -1
	case a.rho < b.rho:
		return 1
	}
	return int(a.first - b.first)
}

// rank puts apps in order, the worst off first. They are nearly in order most of the time: each goes
// where it belongs among those before it, unless that takes too many steps.
func rank(apps []ranked) {
	steps := 4 * len(apps)
	for i := 1; i < len(apps); i++ {
		x, k := apps[i], i
		for ; k > 0 && x.worst(apps[k-1]) < 0; k-- {
			apps[k] = apps[k-1]
		}
		apps[k] = x
		if steps -= i - k; steps < 0 {
			slices.SortFunc(apps, ranked.worst)
			return
		}
	}
}
