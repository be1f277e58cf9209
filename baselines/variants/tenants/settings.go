package tenants

import (
	"slices"
	"strings"

	"tarry/sim/param"
)

// Whose states which jobs have something in common: timers (Rules.TimersBy), or a share of the
// cluster (Rules.Fair).
type Whose uint8

// The choices.
const (
	// None has all jobs in common, as published.
	None Whose = iota
	// ByVC goes by virtual cluster (sim.Job.VC); jobs without one are a tenant of their own.
	ByVC
	// ByUser goes by user inside of a virtual cluster.
	ByUser
)

// choices are how users write them: choices()[w] is choice w.
func choices() []string { return []string{"none", "vc", "user"} }

// String is how users write it.
func (w Whose) String() string { return choices()[w] }

// Rules are the settings.
type Rules struct {
	// TimersBy has tenants with timers of their own, TimersOf are the timers that are fixed for
	// some.
	TimersBy Whose
	TimersOf []Timers
	// Fair has the tenant go first that holds least of what is due to it.
	Fair Whose
}

// Timers are fixed timers of one tenant.
type Timers struct {
	// Tenant is the name of the virtual cluster, or with ByUser of the user, in whichever virtual
	// cluster.
	Tenant string
	// RackLeases and NetLeases are the timers in leases; 0 = at once, +Inf = never.
	RackLeases, NetLeases float64
}

// On reports whether a rule is on.
func (r *Rules) On() bool { return r.TimersBy != None || r.Fair != None }

// Params describes the settings for the catalogue.
const Params = `timers_by none | vc | user: whose waits the auto-tuner learns from, and whose timers it sets: all jobs', or apart by virtual cluster or user
timers_of with timers_by, fixed timers of tenants, NAME:T_RACK:T_NET in leases, inf allowed, joined by +; others have timers, t_rack and t_net (none)
fair      none | vc | user: the tenant that holds the fewest GPUs per GPU of its quota, or per weight, goes first in the contest; user: among
          virtual clusters, then among the users of one`

// Read reads the settings; TimersBy and Fair are their defaults. other is set where rules are on with which Fair does not go.
func (r *Rules) Read(s *param.Set, other bool) {
	r.TimersBy = read(s, "timers_by", r.TimersBy)
	for _, text := range s.Texts("timers_of", nil) {
		name, rack, net, ok := parseTimers(text)
		if !ok {
			s.FaultAt("timers_of", "timers_of has %q, expected NAME:T_RACK:T_NET with two numbers of leases >= "+
				"0, or inf", text)
			continue
		}
		r.TimersOf = append(r.TimersOf, Timers{name, rack, net})
	}
	if len(r.TimersOf) > 0 && r.TimersBy == None {
		s.FaultAt("timers_of", "timers_of is given with timers_by=none, expected timers_by=vc or user")
	}
	r.Fair = read(s, "fair", r.Fair)
	if r.Fair != None && other {
		s.FaultAt("fair", "fair is %s with evict or elastic rules, expected none of these: they go by an "+
			"order of jobs alone", r.Fair)
	}
}

// read reads a choice.
func read(s *param.Set, key string, def Whose) Whose {
	return Whose(slices.Index(choices(), s.Enum(key, append([]string{def.String()}, choices()...)...)))
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
