package hours

import (
	"math"

	"tarry/sim"
	"tarry/sim/param"
)

// market is what work is shifted by: the price of energy, or its carbon intensity.
type market struct{ carbon bool }

func readMarket(s *param.Set) market { return market{s.Enum("by", "price", "carbon") == "carbon"} }

// at is the price at an instant, 1 where the run states none.
func (m market) at(v *sim.View, t sim.Time) float64 {
	x := v.Power().Price(t)
	if m.carbon {
		x = v.Power().Carbon(t)
	}
	if math.IsNaN(x) {
		return 1
	}
	return x
}

// hours reads a setting in hours.
func hours(s *param.Set, key string, def, lo, hi float64) sim.Time {
	return sim.Seconds(3600 * s.Float(key, def, lo, hi))
}
