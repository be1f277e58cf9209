// Package places has the rules of places for orders without one of their own: any, consolidation
// and delay timers. One set for all of them.
package places

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings of a Rule for the catalogue.
const Params = `place      any: the finest unit that has the GPUs now | consolidate: on the fullest machine with room if one can hold the
           job, else on wholly free machines, no more than it needs; otherwise it waits | lowest: the same on the lowest machine
           with room | delay: one machine if one can hold it, then a rack, then anywhere, as it has waited
delay_machine_s  with place=delay: how long a job waits for one machine, s, inf = without end
delay_rack_s     with place=delay: how long it then waits for one rack, s, inf = without end`

// Rule is a rule of places for orders without one of their own. The zero value takes any.
//
// With delay the waits are as in baselines/delay: they count from the moment at which a job
// begins to wait, and add up. A job for which a near place is not there holds back the jobs of its
// demand behind it in the order, not others.
type Rule struct {
	rule          string // "" = any
	machine, rack sim.Time
}

// Read reads the settings; faults are noted in the set.
func Read(s *param.Set) Rule {
	p := Rule{rule: s.Enum("place", "any", "consolidate", "lowest", "delay")}
	wait := func(key string) sim.Time {
		x := s.Float(key, 21600, 0, math.Inf(1))
		if s.Has(key) && p.rule != "delay" {
			s.FaultAt(key, "%s is given with place=%s, expected place=delay", key, p.rule)
		}
		if x > 1e12 {
			return sim.Never
		}
		return sim.Seconds(x)
	}
	p.machine, p.rack = wait("delay_machine_s"), wait("delay_rack_s")
	if p.rule == "any" {
		p.rule = ""
	}
	return p
}

// Put chooses and takes the GPUs of a job that starts.
type Put = func(*sim.View, *plan.Placer, sim.JobID, *plan.Demand) ([]cluster.GPU, bool)

// Put is the rule for a placer and Roster; nil = any.
func (p Rule) Put() Put {
	if p.rule == "" {
		return nil
	}
	return p.put
}

// Refusing is Put for Rebuild, nil where the rule refuses no free GPUs.
func (p Rule) Refusing() Put {
	if p.rule == "delay" && p.machine == 0 && p.rack == 0 {
		return nil
	}
	return p.Put()
}

// Whole reports whether a job of several machines starts on wholly free ones alone.
func (p Rule) Whole() bool { return p.rule == "consolidate" || p.rule == "lowest" }

func (p Rule) put(v *sim.View, to *plan.Placer, j sim.JobID, d *plan.Demand) ([]cluster.GPU, bool) {
	switch p.rule {
	case "consolidate":
		return to.Consolidate(v, d)
	case "lowest":
		return to.Lowest(v, d)
	case "delay":
		return to.PlaceWithin(v, d, p.limit(v, to, j, d))
	}
	return to.Place(v, d)
}

// limit is the coarsest level that a job takes now. The least is the finest that can ever hold it,
// by GPUs and by the hosts.
func (p Rule) limit(v *sim.View, to *plan.Placer, j sim.JobID, d *plan.Demand) cluster.Level {
	waited := sim.Time(0)
	if v.Run(j).State() == sim.Waiting {
		waited = v.Now() - v.Run(j).Since()
	}
	finest := to.FinestEver(v.Topology(), d)
	if finest == cluster.LevelMachine && waited >= p.machine {
		finest, waited = cluster.LevelRack, waited-p.machine
	}
	if finest == cluster.LevelRack && waited >= p.rack {
		finest = cluster.LevelCluster
	}
	return finest
}
