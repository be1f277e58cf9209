package ranked

import (
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/law"
)

// Ranker is the order of a score.Func. It remembers scores until an input moves on.
type Ranker struct {
	f     *score.Func
	read  *Reader
	least score.Gates
	memos []memo
	epoch uint32 // of the common inputs that the function reads
	x     score.Inputs
}

// memo is what is known of a job's score.
type memo struct {
	since, until  sim.Time
	fixed, key    float64
	slope         score.Slope
	speed         sim.Speed
	epoch         uint32
	state         sim.JobState
	fresh, moving bool // moving: the job's present speed is looked at
}

// New is the order of a function; the Reader is its own from now on.
func New(f *score.Func, read *Reader) *Ranker { return &Ranker{f: f, read: read} }

// Func is the function. After Set, call Forget.
func (r *Ranker) Func() *score.Func { return r.f }

// SetLeast sets how the least run follows the lull and the doubt; the Reader must read them.
func (r *Ranker) SetLeast(g score.Gates) { r.least = g }

// Patience implements Order.
func (r *Ranker) Patience() float64 { return r.least.At(r.read.Common()) }

// Reader is what reads the inputs.
func (r *Ranker) Reader() *Reader { return r.read }

// Law implements rollout.Ranker.
func (r *Ranker) Law(v *sim.View, j sim.JobID) law.Law { return r.read.Law(v, j) }

// Forget has every score asked for again.
func (r *Ranker) Forget() {
	for j := range r.memos {
		r.memos[j].fresh = false
	}
}

// Knows is progress and the prediction, if the function reads them.
func (r *Ranker) Knows() know.Set { return r.read.Knows(r.f) }

// Start implements Order.
func (r *Ranker) Start(v *sim.View) {
	r.read.Start(v)
	r.memos = make([]memo, v.NumJobs())
}

// Begin implements Order.
func (r *Ranker) Begin(v *sim.View, asked int) bool {
	if !r.read.Begin(v, asked, r.f) {
		return false
	}
	r.epoch++
	return true
}

// Enter implements Order.
func (r *Ranker) Enter(v *sim.View, j sim.JobID) {
	r.read.Enter(v, j)
	r.memos[j].fresh = false
}

// Rank implements Order.
func (r *Ranker) Rank(v *sim.View, j sim.JobID) (key float64, until sim.Time) {
	m := &r.memos[j]
	switch {
	case !m.fresh || v.Now() >= m.until || v.Run(j).Since() != m.since || v.Run(j).State() != m.state || m.moving &&
		v.Run(j).Speed() != m.speed:
		r.renew(v, j, m)
	case m.epoch != r.epoch && r.f.Hidden() > 0:
		r.renew(v, j, m)
	case m.epoch != r.epoch:
		m.key, m.epoch = m.fixed+m.slope.At(r.read.Common()), r.epoch
	}
	return m.key, m.until
}

// renew asks the function.
func (r *Ranker) renew(v *sim.View, j sim.JobID, m *memo) {
	*m = memo{since: v.Run(j).Since(), state: v.Run(j).State(), epoch: r.epoch, fresh: true}
	m.until = r.read.Read(v, j, r.f, &r.x)
	if m.state == sim.Running && (r.f.Reads(score.Exposed) || readsAhead(r.f) || r.f.Reads(score.Attained)) {
		m.moving, m.speed = true, v.Run(j).Speed()
		if _, progressive := v.Speeds(); progressive { // the speed may have changed, and changed back, by the next question
			m.until = v.Now() + 1
		}
	}
	m.fixed, m.slope = r.f.Split(&r.x)
	m.key = m.fixed + m.slope.At(r.read.Common())
}

// Copied implements Order.
func (r *Ranker) Copied(dst Order) Order {
	c, ok := dst.(*Ranker)
	if !ok || c == nil {
		c = &Ranker{read: &Reader{}}
	}
	f, read, memos := c.f, c.read, c.memos
	*c = *r
	if c.f = f; f == nil || f == r.f {
		c.f = r.f.Clone()
	} else {
		f.CopyFrom(r.f)
	}
	c.read = read
	c.read.CopyFrom(r.read)
	c.memos = append(memos[:0], r.memos...)
	if r.memos == nil {
		c.memos = nil
	}
	return c
}
