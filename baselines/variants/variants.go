// Package variants is Dally's contest with rules that its paper has not: evictions, backfilling,
// elastic sizes, shared GPUs, tenants. The old spelling of each, as a setting of the policies dally,
// dally-manual, dally-nowait and dally-consolidated, stays; the policy contest lists them.
//
// Reading guide: settings.go reads the settings of all of them. Each rule is a package below this
// one: elastic, sharing, tenants, and artist for the habits of the authors' simulator. Evictions and
// backfilling are in baselines/contest, which all of these stand on.
package variants

import (
	"slices"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// New gives the maker of a published variant, which takes the settings of rules of ours, too, and
// of the authors' simulator, without listing them.
func New(k dally.Variant) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	paper := dally.New(k)
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		if !slices.ContainsFunc(s.Keys(), beside) {
			return paper(s, rule)
		}
		c := rules{Config: k.Config(s), artist: true}
		c.Rule = rule
		return c.read(s)
	}
}

// NewContest is Dally's contest with all rules of ours.
func NewContest(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := rules{Config: dally.Auto.Config(s)}
	c.Rule = rule
	return c.read(s)
}
