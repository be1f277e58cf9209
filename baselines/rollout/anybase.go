package rollout

import (
	"math"
	"slices"

	"tarry/baselines/over"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// NewPlanned gives the maker of a planner over any policy that a parser makes. Settings: Planned.
//
//  1. The base policy decides.
//  2. In each epoch, when something happens, the planner lists changes: a job goes first, is put
//     back, or is evicted.
//  3. The run as it stands is played to its end on rollout draws of the work left, with and
//     without each change, without arrivals.
//  4. The change of largest gain in the sum of completion times is taken if the gain exceeds so
//     many standard errors; it stays in force.
func NewPlanned(parse over.Parser) func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
		of := parse.Read(s, rule, "base", "fifo", over.PlannedKey)
		var plans Settings
		setting.Read(s, plans.hourly())
		plans.Exact = s.Bool("exact", false)
		if err := s.Err(); err != nil {
			return nil, err
		}
		cfg := plans.For(hourS)
		if cfg == nil {
			return of.Cloner, nil
		}
		if !cfg.Exact {
			cfg.Reads = know.Estimate
		}
		return newImprover(*cfg, of), nil
	}
}

// Planned describes the settings of NewPlanned for the catalogue.
func Planned() string {
	var s Settings
	return `base      the policy that is improved, NAME or "NAME:key=value,..."
` + setting.Help(s.hourly()) + `
exact     true: plays have the true run times, which makes it clairvoyant`
}

// hourS is the unit of times.
const hourS = 3600

// hourly are the settings of a planner over a policy without leases.
func (s *Settings) hourly() []setting.Row {
	rows := s.Rows()
	s.HoldLeases = 12
	for i := range rows {
		if rows[i].Key == "epoch" {
			rows[i].Unit = "h"
		}
	}
	at := slices.IndexFunc(rows, func(r setting.Row) bool { return r.Key == "epoch" })
	return slices.Insert(rows, at+1, setting.Row{Key: "hold", To: &s.HoldLeases, Low: 1e-3, High: math.Inf(1), Unit: "h",
		Doc: "longest time for which a job is delayed"})
}
