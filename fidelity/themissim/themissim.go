// Package themissim is Themis (baselines/themis) with the bids of its authors' simulator: the value
// of a bid is the speed that the GPUs give and not 1/rho, and a part of the apps, threshold, is
// considered in place of 1 - f; its 0 means the worst-off app alone. That simulator has also
// ideal=alone,idle=ratio,payments=false,left=auction,align=false (T_id has no factor N), and
// admit=1.5 where it holds new apps back: settings of Themis. No runs of it are stored;
// `make reference` compares auctions.
package themissim

import (
	"tarry/baselines/themis"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `threshold  part of the apps that bids, the largest rho first; 0 = the worst-off alone
` + themis.OtherParams

// New makes Themis with these bids. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return themis.NewBy(themis.Bids{Speedup: true, Part: part})(s, rule)
}

func part(s *param.Set) float64 { return s.Float("threshold", 0, 0, 1) }
