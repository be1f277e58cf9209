// Package variants is Dally's contest with rules that its paper has not: evictions, backfilling,
// elastic sizes, shared GPUs, tenants. The old spelling of each, as a setting of the policies dally,
// dally-manual, dally-nowait and dally-consolidated, stays, so that they can be had together; the
// policies dally-evict, dally-elastic, dally-shared and dally-tenants list the settings of each;
// dally-links has timers that see links.
//
// Reading guide: settings.go reads the settings of all of them. Each rule is a package below this
// one: elastic, linked, sharing, tenants. Evictions and backfilling are in baselines/contest, which all of these stand on.
package variants

import (
	"slices"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/baselines/variants/elastic"
	"tarry/baselines/variants/linked"
	"tarry/baselines/variants/sharing"
	"tarry/baselines/variants/tenants"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// New gives the maker of a published variant, which takes the settings of rules of ours, too, without
// listing them.
//
//  1. Whenever GPUs come free, a job arrives or a timer opens, all jobs without GPUs contest for
//     them in the order of N = W / (T_run / T_ideal), least first: W the fraction of work done,
//     T_ideal = work / GPUs.
//  2. A job takes one slot or machine at any time; one rack once it has waited T_rack leases, or
//     if it is larger than a machine; any GPUs once it has waited T_net leases, or if it is
//     larger than a rack. Else it declines.
//  3. Timers count from the moment the job lost its last GPU, or arrived.
//  4. A grant is a lease; at its end the GPUs are contested again, their holder included.
//  5. dally tunes timers by demand: D = mean + 2 stddev of the waits (in leases of the window H)
//     before acceptances, T_rack = min(ceil(0.8 H), max(6, ceil D_machine)), T_net = min(H,
//     max(12, ceil D_rack)). dally-manual has constants, dally-nowait 0, dally-consolidated
//     infinity.
func New(k dally.Variant) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	paper := dally.New(k)
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		if !slices.ContainsFunc(s.Keys(), beside) {
			return paper(s, rule)
		}
		c := rules{Config: k.Config(s), takes: anything}
		c.Rule = rule
		return c.read(s)
	}
}

// NewEvict is Dally with evictions, and backfilling as a setting.
//
//  1. Contest, timers and leases as in dally.
//  2. The first in order that lacks GPUs has the job evicted that comes last in the order, if
//     GPUs of later jobs, free ones and ones about to come free would do; the contest runs again,
//     and so on.
//  3. A job is spared in its first min_run leases; a job that waits for a better place evicts no
//     job.
//  4. backfill=easy: jobs overtake the first that lacks GPUs only behind its reservation.
func NewEvict(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: evictions}
	c.Rule, c.Evict = rule, true
	return c.read(s)
}

// NewElastic is Dally for elastic jobs: they start smaller, give back what they have grown by, and
// grow.
//
//  1. Contest, timers and leases as in dally.
//  2. An elastic job that finds no place of its size takes one of fewer GPUs, down to its least
//     count.
//  3. Idle GPUs go to elastic jobs near what they have; jobs give back what they have grown by
//     when others wait.
func NewElastic(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: sizes, elastic: elastic.All()}
	c.Rule = rule
	return c.read(s)
}

// NewShared is Dally whose jobs share GPUs where both are predicted to lose a fifth of their speed
// at most.
//
//  1. Contest, timers and leases as in dally.
//  2. A job that found no free place shares the GPUs of one running job of one machine, if
//     neither is predicted to lose more than loss of its speed alone.
//  3. Of all that it may share it takes the GPUs where the greater of both losses is least; a GPU
//     has two jobs at most.
//  4. The pair ends with the first of the two.
func NewShared(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: shares, sharing: sharing.Rules{Loss: 0.2}}
	c.Rule = rule
	return c.read(s)
}

// NewLinks is Dally whose timers and order follow the use of links that jobs share.
//
//  1. Contest, timers and leases as in dally.
//  2. With links in use for the part u of their capacity, timers are (1-u)^-link_timers times as long:
//     T_rack by the machines' uplinks, T_net by the links between racks.
//  3. With link_order, jobs that transfer much go first while links are busy.
//  4. Where the speed model has no links, it is dally.
func NewLinks(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c, r := dally.Auto.Config(s), linked.Rules{Timers: 1}
	c.Rule = rule
	c.Read(s)
	if r.Read(s); c.Order.Name != dally.Sensitive().Name && r.Order > 0 {
		s.FaultAt("link_order", "link_order is %v with order=%s, expected order=network", r.Order, c.Order.Name)
	}
	return newLinks(c, r), s.Err()
}

func newLinks(c dally.Config, r linked.Rules) sim.Policy {
	c.Order = r.Ordered(c.Order, dally.Resolution)
	return linked.New(c.Timers(), r, func(t plan.TimerSource) *contest.Policy { return dally.NewPolicy(c, t) })
}

// NewTenants is Dally with timers for each virtual cluster, of which the cluster that holds least of
// its share goes first; evictions and backfilling are not taken.
//
//  1. Contest and leases as in dally.
//  2. The tenant that holds the fewest GPUs per GPU of its quota (or per weight) is asked first;
//     the order of dally holds among its jobs.
//  3. Each tenant has timers of its own, tuned on its own waits; a tenant that declines passes
//     its turn on.
func NewTenants(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: owners,
		tenants: tenants.Rules{TimersBy: tenants.ByVC, Fair: tenants.ByVC}}
	c.Rule = rule
	return c.read(s)
}
