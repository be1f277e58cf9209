package charge

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/series"
	"tarry/sim/setting"
)

// Law states what an agent is charged for energy with the reward "energy". A unit is the energy of
// one lease at the most that the cluster draws.
type Law struct {
	// Weight is the charge for a unit at the mean price, beside the job-leases per GPU of reward jct.
	Weight float64
	// Of is by what energy is priced: one of Prices.
	Of string
	// Over is the charge for a unit beyond the cap of the run, on top.
	Over float64
}

// Prices lists by what energy may be priced, the default first.
func Prices() []string { return []string{"kwh", "cost", "carbon"} }

// of gives the series by which energy is priced; nil = each kWh is charged alike.
func (l *Law) of(m *power.Model) *series.Series {
	switch l.Of {
	case "cost":
		return m.Price
	case "carbon":
		return m.Carbon
	}
	return nil
}

// Rows are the settings.
func (l *Law) Rows() []setting.Row {
	return []setting.Row{
		{Key: "energy_weight", To: &l.Weight, High: 1e9, Doc: "reward=energy: charge for a lease at the most that " +
			"the cluster draws"},
		{Key: "energy_price", To: &l.Of, Names: Prices(), Doc: "reward=energy: kwh | cost | carbon: what energy " +
			"is charged by; cost and carbon relative to the mean of kwh_price and carbon"},
		{Key: "over_weight", To: &l.Over, High: 1e9, Doc: "reward=energy: charge for a lease at that draw beyond the " +
			"power cap, on top"},
	}
}

// Validate reports every fault.
func (l *Law) Validate() (errs []string) {
	for _, f := range []struct {
		key string
		v   float64
	}{{"energy_weight", l.Weight}, {"over_weight", l.Over}} {
		if !(f.v >= 0) || math.IsInf(f.v, 1) {
			errs = append(errs, fmt.Sprintf("%s is %v, expected a finite number >= 0", f.key, f.v))
		}
	}
	if !slices.Contains(Prices(), l.Of) {
		errs = append(errs, fmt.Sprintf("energy_price is %q, expected one of %s%s", l.Of,
			strings.Join(Prices(), ", "), param.Hint(l.Of, Prices())))
	}
	return errs
}

// Check reports watts or prices that the law needs and a run does not state.
func (l *Law) Check(m *power.Model) error {
	switch {
	case m == nil:
		return errors.New("reward is energy and the run states no power, expected the setting power")
	case l.Of != "kwh" && l.of(m) == nil:
		return fmt.Errorf("energy_price is %s and the run states none, expected the setting of it", l.Of)
	case l.of(m) != nil && MeanOf(l.of(m)) == 0:
		return fmt.Errorf("energy_price is %s, which is 0 at all times, expected another", l.Of)
	}
	return nil
}

// Metrics names what Spent has in Append.
func Metrics() []string {
	return []string{"energy_kwh", "energy_cost", "carbon_kg", "over_cap_kwh"}
}
