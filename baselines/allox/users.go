package allox

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
)

// user is what a user has received.
type user struct {
	received float64  // until an instant, in seconds times part of a type
	at       sim.Time // that instant
	part     float64  // of the types' GPUs, that its running jobs hold
	running  int
	waiting  int
	admitted bool
}

// userOf is a user's number, a new one for a new name.
func (p *Policy) userOf(name string) int {
	u, ok := p.names[name]
	if !ok {
		u = len(p.users)
		p.names[name] = u
		p.users = append(p.users, user{})
	}
	return u
}

// settle brings what a user has received to an instant.
func (u *user) settle(now sim.Time) {
	u.received += float64((now - u.at).Seconds() * u.part)
	u.at = now
}

// began notes that a job runs.
func (p *Policy) began(now sim.Time, h holder) {
	u := &p.users[h.user]
	u.settle(now)
	u.part += h.part
	u.running++
	p.running = append(p.running, h)
}

// release notes that a job does not run any more.
func (p *Policy) release(now sim.Time, j sim.JobID) {
	i := slices.IndexFunc(p.running, func(h holder) bool { return h.job == j })
	if i < 0 {
		return
	}
	h := p.running[i]
	p.running = slices.Delete(p.running, i, i+1)
	u := &p.users[h.user]
	u.settle(now)
	u.part -= h.part
	if u.running--; u.running == 0 {
		u.part = 0
	}
}

// rank orders the users with waiting jobs by what they have received, least first; equals as they
// came.
func (p *Policy) rank(now sim.Time) {
	p.ranked = p.ranked[:0]
	for i := range p.users {
		u := &p.users[i]
		u.admitted = false
		if u.waiting > 0 {
			u.settle(now)
			p.ranked = append(p.ranked, i)
		}
	}
	slices.SortStableFunc(p.ranked, func(a, b int) int { return cmp.Compare(p.users[a].received, p.users[b].received) })
}

// admit admits the first part of the ranked users, rounded up, and gives their number.
func (p *Policy) admit(alpha float64) int {
	n := min(len(p.ranked), int(math.Ceil(float64(alpha*float64(len(p.ranked))))))
	for _, i := range p.ranked[:n] {
		p.users[i].admitted = true
	}
	return n
}
