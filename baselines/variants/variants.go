// Package variants is Dally's contest with rules that its paper has not: evictions, backfilling,
// elastic sizes, shared GPUs, tenants. The old spelling of each, as a setting of the policies dally,
// dally-manual, dally-nowait and dally-consolidated, stays, so that they can be had together; the
// policies dally-evict, dally-elastic, dally-shared and dally-tenants list the settings of each.
//
// Reading guide: settings.go reads the settings of all of them. Each rule is a package below this
// one: elastic, sharing, tenants. Evictions and backfilling are in baselines/contest, which all of these stand on.
package variants

import (
	"slices"

	"tarry/baselines/dally"
	"tarry/baselines/variants/elastic"
	"tarry/baselines/variants/sharing"
	"tarry/baselines/variants/tenants"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// New gives the maker of a published variant, which takes the settings of rules of ours, too, without
// listing them.
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
func NewEvict(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: evictions}
	c.Rule, c.Evict = rule, true
	return c.read(s)
}

// NewElastic is Dally for elastic jobs: they start smaller, give back what they have grown by, and
// grow.
func NewElastic(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: sizes, elastic: elastic.All()}
	c.Rule = rule
	return c.read(s)
}

// NewShared is Dally whose jobs share GPUs where both are predicted to lose a fifth of their speed
// at most.
func NewShared(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: shares, sharing: sharing.Rules{Loss: 0.2}}
	c.Rule = rule
	return c.read(s)
}

// NewTenants is Dally with timers for each virtual cluster, of which the cluster that holds least of
// its share goes first; evictions and backfilling are not taken.
func NewTenants(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s), takes: owners,
		tenants: tenants.Rules{TimersBy: tenants.ByVC, Fair: tenants.ByVC}}
	c.Rule = rule
	return c.read(s)
}
