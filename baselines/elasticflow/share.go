package elasticflow

import (
	"math"

	"tarry/sim"
)

// member is an admitted job, or one that asks to be.
type member struct {
	id       sim.JobID
	deadline sim.Time // Never = best effort
	levels   []int32  // numbers of GPUs that help, ascending
	rates    []float64
	left     float64
	plan     steps // in force
	fresh    steps // a new one
	late     bool  // it cannot end in time any more
	tight    bool  // it was admitted without the margin before its deadline
	gpus     int32 // now
	trial    steps // with the next level now
	value    float64
	stale    bool // trial and value are of another profile

	level [maxLevels]int32 // the beginnings of the slices above
	speed [maxLevels]float64
	store [3][8]step
}

// maxLevels bounds the levels of a job: it doubles its GPUs so often.
const maxLevels = 24

// reset makes the books of another job.
func (m *member) reset(id sim.JobID, deadline sim.Time, left float64) {
	if m.plan == nil {
		m.levels, m.rates = m.level[:0], m.speed[:0]
		m.plan, m.fresh, m.trial = m.store[0][:0], m.store[1][:0], m.store[2][:0]
	}
	m.id, m.deadline, m.left = id, deadline, left
	m.late, m.tight, m.gpus = false, false, 0
	m.levels, m.rates, m.plan = m.levels[:0], m.rates[:0], m.plan[:0]
}

// rate is the speed at a level.
func (m *member) rate(n int32) float64 {
	for i, l := range m.levels {
		if l == n {
			return m.rates[i]
		}
	}
	return 0
}

// within is the largest level that is at most q and at most free, 0 if there is none.
func (m *member) within(q, free int32) int32 {
	best := int32(0)
	for _, n := range m.levels {
		if n > q || n > free {
			break
		}
		best = n
	}
	return best
}

// most is the largest level.
func (m *member) most() int32 { return m.levels[len(m.levels)-1] }

// above is the next level, 0 where there is none.
func (m *member) above(n int32) int32 {
	for _, l := range m.levels {
		if l > n {
			return l
		}
	}
	return 0
}

// margin is by how much plans end before deadlines where they can: the kernel rounds the end of a
// job up to a microsecond at each change of its GPUs.
const margin = 100 * sim.Microsecond

// rounding is what sums of work may be off by, in microseconds of a job's run, as for the ends of
// jobs in the kernel.
const rounding = 1e-3

// due is when a plan must have ended.
func (m *member) due() sim.Time {
	switch {
	case m.deadline == sim.Never:
		return sim.Never
	case m.tight:
		return m.deadline
	}
	return m.deadline - margin
}

// tighten plans a job up to its deadline itself: one that ends in time to the microsecond is not
// turned away.
func (m *member) tighten() bool {
	m.tight = true
	return true
}

// clock has the present and the slots.
type clock struct {
	now, slot sim.Time
}

// release is the end of a plan at which its GPUs come free: the next whole slot from now, but not
// after until.
func (c clock) release(end, until sim.Time) sim.Time {
	if c.slot > 0 {
		if over := (end - c.now) % c.slot; over > 0 {
			end += c.slot - over
		}
	}
	return min(end, until)
}

// lasts is how long work takes, rounded up.
func lasts(work, rate float64) sim.Time {
	t := math.Ceil(work/rate - rounding)
	if !(t < float64(sim.Never/8)) {
		return sim.Never / 8
	}
	return max(1, sim.Time(t))
}

// least gives the minimum satisfactory share: the smallest number of GPUs q such that the job ends
// in time if it has q, or as many of them as are free, from some step of the profile on and the
// next smaller level before it. The profile is what is free from now on. With work left, it begins
// at from. ok is false if there is no such number; the plan is appended to dst.
func (c clock) least(m *member, free steps, from sim.Time, left float64, dst steps) (plan steps, q int32, ok bool) {
	due, low := m.due(), int32(0)
	if due <= from {
		return dst, 0, false
	}
	for _, q = range m.levels {
		sum, to := 0.0, due
		for i := len(free) - 1; i >= 0; i-- {
			at := max(free[i].at, from)
			if at >= to {
				continue
			}
			if n := m.within(q, free[i].gpus); n > 0 {
				sum += float64(float64(to-at) * m.rate(n))
			}
			if sum >= left-float64(rounding*m.rate(q)) {
				return c.fill(m, free, from, left, at, low, q, dst), q, true
			}
			if to = at; at == from {
				break
			}
		}
		low = q
	}
	return dst, 0, false
}

// fill appends the plan with q GPUs from a point on and low before it.
func (c clock) fill(m *member, free steps, from sim.Time, left float64, point sim.Time, low, q int32, dst steps) steps {
	for i := range free {
		to := sim.Never
		if i+1 < len(free) {
			to = free[i+1].at
		}
		at := max(free[i].at, from)
		if at >= to {
			continue
		}
		n := m.within(q, free[i].gpus)
		if at < point {
			n = m.within(low, free[i].gpus)
		}
		dst = dst.push(at, n)
		if n == 0 {
			continue
		}
		rate := m.rate(n)
		if end := lasts(left, rate); end <= to-at {
			return dst.push(c.release(at+end, to), 0)
		}
		left -= float64(rate * float64(to-at))
	}
	return dst
}

// soonest appends the plan of elastic earliest deadline first: as many GPUs as help, or as are
// free, from now until the job ends. ok reports whether that is in time.
func (c clock) soonest(m *member, free steps, dst steps) (plan steps, ok bool) {
	left := m.left
	for i := range free {
		to := sim.Never
		if i+1 < len(free) {
			to = free[i+1].at
		}
		at := max(free[i].at, c.now)
		if at >= to {
			continue
		}
		n := m.within(m.most(), free[i].gpus)
		dst = dst.push(at, n)
		if n == 0 {
			continue
		}
		rate := m.rate(n)
		if end := lasts(left, rate); end <= to-at {
			return dst.push(c.release(at+end, to), 0), at+end <= m.due()
		}
		left -= float64(rate * float64(to-at))
	}
	return dst, false
}

// keeps reports whether the plan in force still ends in time.
func (c clock) keeps(m *member, plan steps) bool {
	left, due := m.left, m.due()
	for i, x := range plan {
		to := sim.Never
		if i+1 < len(plan) {
			to = plan[i+1].at
		}
		at := max(x.at, c.now)
		if x.gpus == 0 || at >= to {
			continue
		}
		if left -= float64(m.rate(x.gpus) * float64(min(to, due)-at)); left <= float64(rounding*m.rate(x.gpus)) {
			return true
		}
		if to >= due {
			break
		}
	}
	return false
}
