// Package tenants has timers and shares of tenants for a contest; both are ours.
//
// Dally's paper has one cluster and one list of jobs, hence one set of timers and one order. Where
// tenants share a cluster the auto-tuner learns from the waits of all of them, so that one with
// short jobs sets the timers of one with long jobs that ask for as many GPUs; and the order by
// network sensitivity does not look at owners.
//
// With timers_by each tenant has an auto-tuner of its own, with windows per demand as Dally's, or
// the constants that timers_of states for it. The timers of a tenant are then what the published
// tuner gives on the history of this tenant alone.
//
// With fair the tenant that holds the fewest GPUs per GPU of its quota goes first in the contest,
// and the order of jobs holds among its jobs. GPUs whose lease is up count for no tenant; those
// granted at the instant count for their new holder. A quota counts times its weight. Where the run
// states no quotas it is the weight alone, 1 by default; where it states some, a tenant without one
// comes after tenants that have one. ByUser goes by virtual cluster first, and among equal ones and
// inside of one by GPUs per weight of the user. Timers hold as before: a tenant that is first may
// still decline what is free, and then the next is asked.
//
// Each tenant has an index of its own for each demand, and a contest asks all of them: with a
// thousand users a run takes about six times as long.
//
// Reading guide: settings.go has the settings, tenants.go the parties and their timers.
package tenants

import (
	"cmp"
	"maps"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/plan"
)

// owner is a tenant by name; user is "" for a virtual cluster as such.
type owner struct {
	vc, user string
	isUser   bool
}

func ownerOf(v *sim.View, j sim.JobID, by Whose) owner {
	if by == ByUser {
		return owner{v.Job(j).VC(), v.Job(j).User(), true}
	}
	return owner{vc: v.Job(j).VC()}
}

// Owners are the tenants of a contest. It is a contest.Owners; build it with New.
type Owners struct {
	rules   Rules
	fresh   func() plan.TimerSource // the contest's own timers, at the start
	leaseS  float64
	clockOf map[owner]int32 // index into clocks, plus 1
	clocks  []plan.TimerSource
	partyOf map[owner]int32
	parties []party
}

// party is a tenant with a share of the cluster.
type party struct {
	under int32 // its virtual cluster; its own index where it is one
	// last is set for a tenant without a quota where others have one.
	last bool
	due  float64 // what GPUs are counted by: quota times weight, or weight; > 0
	held int     // GPUs at this instant
}

// New are the tenants of a contest by rules, one of which at least is on. fresh makes the timers of
// a tenant that has none of its own; leases have leaseS seconds.
func New(r Rules, leaseS float64, fresh func() plan.TimerSource) *Owners {
	return &Owners{rules: r, leaseS: leaseS, fresh: fresh}
}

// Of finds the timers and the party of a job.
func (t *Owners) Of(v *sim.View, j sim.JobID) (clock, party int32) {
	if t.rules.TimersBy != None {
		clock = t.clockFor(ownerOf(v, j, t.rules.TimersBy))
	}
	if t.rules.Fair != None {
		party = t.party(v, ownerOf(v, j, t.rules.Fair))
	}
	return clock, party
}

// clockFor is 1 + the index of a tenant's timers.
func (t *Owners) clockFor(who owner) int32 {
	i, ok := t.clockOf[who]
	if !ok {
		t.clocks = append(t.clocks, t.timersOf(who))
		i = int32(len(t.clocks))
		if t.clockOf == nil {
			t.clockOf = map[owner]int32{}
		}
		t.clockOf[who] = i
	}
	return i
}

// timersOf is a fresh source for a tenant.
func (t *Owners) timersOf(who owner) plan.TimerSource {
	name := who.vc
	if who.isUser {
		name = who.user
	}
	for _, f := range t.rules.TimersOf {
		if f.Tenant == name {
			return contest.NewFixed(f.RackLeases, f.NetLeases, t.leaseS)
		}
	}
	return t.fresh()
}

// Timers is the source with a number.
func (t *Owners) Timers(clock int32) plan.TimerSource { return t.clocks[clock-1] }

// Apart reports whether tenants have timers of their own.
func (t *Owners) Apart() bool { return t.rules.TimersBy != None }

// Ordered reports whether tenants go before one another.
func (t *Owners) Ordered() bool { return t.rules.Fair != None }

// party is the index of a tenant with a share.
func (t *Owners) party(v *sim.View, who owner) int32 {
	if i, ok := t.partyOf[who]; ok {
		return i
	}
	under := int32(-1)
	if who.isUser {
		under = t.party(v, owner{vc: who.vc})
	}
	i := int32(len(t.parties))
	if under < 0 {
		under = i
	}
	x := party{under: under}
	x.due, x.last = due(v, who)
	t.parties = append(t.parties, x)
	if t.partyOf == nil {
		t.partyOf = map[owner]int32{}
	}
	t.partyOf[who] = i
	return i
}

// Gets notes that a tenant has n GPUs more at this instant.
func (t *Owners) Gets(i int32, n int) {
	if t.rules.Fair == None {
		return
	}
	x := &t.parties[i]
	x.held += n
	if x.under != i {
		t.parties[x.under].held += n
	}
}

// Begin counts the GPUs of the jobs that run.
func (t *Owners) Begin(v *sim.View, p *contest.Policy) {
	if t.rules.Fair == None {
		return
	}
	for i := range t.parties {
		t.parties[i].held = 0
	}
	for _, j := range v.Running() {
		p.Gets(p.ClassOf(j), len(v.Run(j).Held()))
	}
}

// Compare orders two tenants.
func (t *Owners) Compare(i, j int32) int {
	a, b := &t.parties[i], &t.parties[j]
	d := 0
	if a.under != b.under {
		d = t.parties[a.under].compare(&t.parties[b.under])
	}
	return cmp.Or(d, a.compare(b))
}

// compare is below 0 where a holds less of what is due to it.
func (a *party) compare(b *party) int {
	switch {
	case a.last != b.last && b.last:
		return -1
	case a.last != b.last:
		return 1
	}
	return cmp.Compare(float64(a.held)/a.due, float64(b.held)/b.due)
}

// Copied gives an independent copy in the memory of dst, with timers in its memory where they are
// of their kind.
func (t *Owners) Copied(dst contest.Owners) contest.Owners {
	c, ok := dst.(*Owners)
	if !ok {
		c = new(Owners)
	}
	clocks, parties := c.clocks, c.parties
	*c = *t
	c.clockOf, c.partyOf = maps.Clone(t.clockOf), maps.Clone(t.partyOf)
	c.parties = append(parties[:0], t.parties...)
	c.clocks = clocks[:0]
	for i, from := range t.clocks {
		var to plan.TimerSource
		if i < len(clocks) {
			to = clocks[i]
		}
		c.clocks = append(c.clocks, contest.CopyTimers(to, from))
	}
	return c
}

// due is what a tenant's GPUs are counted by, and whether it comes after all that have a quota.
func due(v *sim.View, who owner) (gpus float64, last bool) {
	t := v.Tenants()
	if who.isUser {
		return t.UserWeight(who.vc, who.user), false
	}
	w := t.Weight(who.vc)
	if q, ok := t.Quota(who.vc); ok {
		return w * float64(q), false
	}
	return w, t.GPUs() > 0
}
