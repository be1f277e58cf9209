package dally

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// whose says which jobs have something in common: timers (Config.TimersBy), or a share of the
// cluster (Config.Fair).
//
// Dally's paper has one cluster and one list of jobs, hence one set of timers and one order. Where
// tenants share a cluster the auto-tuner learns from the waits of all of them, so that one with
// short jobs sets the timers of one with long jobs that ask for as many GPUs; and the order by
// network sensitivity does not look at owners. Both settings are ours.
//
// With TimersBy each tenant has an auto-tuner of its own, with windows per demand as Dally's, or
// the constants that TimersOf states for it. The timers of a tenant are then what the published
// tuner gives on the history of this tenant alone.
//
// With Fair the tenant that holds the fewest GPUs per GPU of its quota goes first in the contest,
// and Dally's order holds among its jobs. GPUs whose lease is up count for nobody; those granted at
// the instant count for their new holder. A quota counts times its weight. Where the run states no
// quotas it is the weight alone, 1 by default; where it states some, a tenant without one comes
// after those that have one. byUser goes by virtual cluster first, and among equal ones and inside
// of one by GPUs per weight of the user. Timers hold as before: a tenant that is first may still
// decline what is free, and then the next is asked.
//
// Each tenant has an index of its own for each demand, and a contest asks all of them: with a
// thousand users a run takes about six times as long.
type whose uint8

// The choices.
const (
	// byNone has all jobs in common, as published.
	byNone whose = iota
	// byVC goes by virtual cluster (sim.Job.VC); jobs without one are a tenant of their own.
	byVC
	// byUser goes by user inside of a virtual cluster.
	byUser
)

// bys are how users write them: bys()[b] is choice b.
func bys() []string { return []string{"none", "vc", "user"} }

// tenantTimers are fixed timers of one tenant.
type tenantTimers struct {
	// Tenant is the name of the virtual cluster, or with byUser of the user, in whichever virtual
	// cluster.
	Tenant string
	// RackLeases and NetLeases are as those of Config.
	RackLeases, NetLeases float64
}

// tenantParams describes the settings for the catalogue.
const tenantParams = `
timers_by none | vc | user: whose waits the auto-tuner learns from, and whose timers it sets: all jobs', or apart by virtual cluster or user
timers_of with timers_by, fixed timers of tenants, NAME:T_RACK:T_NET in leases, inf allowed, joined by +; others have those of timers, t_rack and t_net (nobody)
fair      none | vc | user: the tenant that holds the fewest GPUs per GPU of its quota, or per weight, goes first in the contest; user: among
          virtual clusters, then among the users of one`

// readTenants reads the settings.
func (c *Config) readTenants(s *param.Set) {
	c.TimersBy = whose(slices.Index(bys(), s.Enum("timers_by", bys()...)))
	for _, text := range s.Texts("timers_of", nil) {
		name, rack, net, ok := parseTimers(text)
		if !ok {
			s.FaultAt("timers_of", "timers_of has %q, expected NAME:T_RACK:T_NET with two numbers of leases >= "+
				"0, or inf", text)
			continue
		}
		c.TimersOf = append(c.TimersOf, tenantTimers{name, rack, net})
	}
	if len(c.TimersOf) > 0 && c.TimersBy == byNone {
		s.FaultAt("timers_of", "timers_of is given with timers_by=none, expected timers_by=vc or user")
	}
	c.Fair = whose(slices.Index(bys(), s.Enum("fair", bys()...)))
	if c.Fair != byNone && (c.SettleS > 0 || c.Evict || c.Elastic.on()) {
		s.FaultAt("fair", "fair is %s with settle, evict or elastic rules, expected none of these: they go by an "+
			"order of jobs alone", bys()[c.Fair])
	}
}

// parseTimers reads NAME:T_RACK:T_NET; the name may hold colons.
func parseTimers(text string) (name string, rack, net float64, ok bool) {
	j := strings.LastIndexByte(text, ':')
	i := strings.LastIndexByte(text[:max(j, 0)], ':')
	if i < 0 {
		return "", 0, 0, false
	}
	rack, err := param.ParseFloat(text[i+1 : j])
	net, err2 := param.ParseFloat(text[j+1:])
	return text[:i], rack, net, err == nil && err2 == nil && rack >= 0 && net >= 0
}

// owner is a tenant by name; user is "" for a virtual cluster as such.
type owner struct {
	vc, user string
	isUser   bool
}

func ownerOf(v *sim.View, j sim.JobID, by whose) owner {
	if by == byUser {
		return owner{v.Job(j).VC(), v.Job(j).User(), true}
	}
	return owner{vc: v.Job(j).VC()}
}

// tenants has what Dally keeps of each.
type tenants struct {
	clockOf map[owner]int32 // index into clocks, plus 1
	clocks  []TimerSource
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

// clockFor is the index of a job's timers: 0 = the policy's own, else 1 + that of tenants.clocks.
func (p *Policy) clockFor(v *sim.View, j sim.JobID) int32 {
	if p.cfg.TimersBy == byNone {
		return 0
	}
	t, who := &p.tenants, ownerOf(v, j, p.cfg.TimersBy)
	i, ok := t.clockOf[who]
	if !ok {
		t.clocks = append(t.clocks, p.timersOf(who))
		i = int32(len(t.clocks))
		if t.clockOf == nil {
			t.clockOf = map[owner]int32{}
		}
		t.clockOf[who] = i
	}
	return i
}

// timersOf is a fresh source for a tenant.
func (p *Policy) timersOf(who owner) TimerSource {
	c := p.cfg
	c.LeaseS = p.evicts.leaseS // timers count in leases where grants are none, too
	name := who.vc
	if who.isUser {
		name = who.user
	}
	for _, t := range c.TimersOf {
		if t.Tenant == name {
			return fixed{leases(t.RackLeases, c.LeaseS), leases(t.NetLeases, c.LeaseS)}
		}
	}
	return c.Timers()
}

// source is the timers of a class.
func (p *Policy) source(c *class) TimerSource {
	if c.clock == 0 {
		return p.timers
	}
	return p.tenants.clocks[c.clock-1]
}

// partyFor is the index of the tenant in whose name a job contests; 0 without Config.Fair.
func (p *Policy) partyFor(v *sim.View, j sim.JobID) int32 {
	if p.cfg.Fair == byNone {
		return 0
	}
	return p.party(v, ownerOf(v, j, p.cfg.Fair))
}

func (p *Policy) party(v *sim.View, who owner) int32 {
	t := &p.tenants
	if i, ok := t.partyOf[who]; ok {
		return i
	}
	under := int32(-1)
	if who.isUser {
		under = p.party(v, owner{vc: who.vc})
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

// gets notes that a tenant has n GPUs more at this instant.
func (p *Policy) gets(i int32, n int) {
	if p.cfg.Fair == byNone {
		return
	}
	x := &p.tenants.parties[i]
	x.held += n
	if x.under != i {
		p.tenants.parties[x.under].held += n
	}
}

// count counts the GPUs of the jobs that run.
func (p *Policy) count(v *sim.View) {
	if p.cfg.Fair == byNone {
		return
	}
	for i := range p.tenants.parties {
		p.tenants.parties[i].held = 0
	}
	for _, j := range v.Running() {
		p.gets(p.classes[p.of[j]].party, len(v.Run(j).Held()))
	}
}

// ahead reports whether a contestant of class c goes before one of another class.
func (p *Policy) ahead(c *class, e *entry, than *class, other *entry) bool {
	if c.party != than.party {
		a, b := &p.tenants.parties[c.party], &p.tenants.parties[than.party]
		d := 0
		if a.under != b.under {
			d = p.tenants.parties[a.under].compare(&p.tenants.parties[b.under])
		}
		if d = cmp.Or(d, a.compare(b)); d != 0 {
			return d < 0
		}
	}
	return e.before(other)
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

// copyFrom copies what another has, with timers in the memory of old where it is of their kind.
func (t *tenants) copyFrom(o, old *tenants) {
	t.clockOf, t.partyOf = maps.Clone(o.clockOf), maps.Clone(o.partyOf)
	t.parties = append(old.parties[:0], o.parties...)
	t.clocks = old.clocks[:0]
	for i, from := range o.clocks {
		var to TimerSource
		if i < len(old.clocks) {
			to = old.clocks[i]
		}
		t.clocks = append(t.clocks, CopyTimers(to, from))
	}
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
