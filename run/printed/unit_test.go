package printed

import (
	"math"
	"testing"
)

// TestUnitFor: the longest mean chooses the unit, the least one the decimals; what no job finished
// under does not count.
func TestUnitFor(t *testing.T) {
	for _, c := range []struct {
		means         []float64
		short         string
		decimals      int
		time, diff    string
		shown, differ float64
	}{
		{nil, "s", 0, "12", "-1", 12, -1},
		{[]float64{math.NaN(), 0}, "s", 0, "12", "-1", 12, -1},
		{[]float64{599, 30}, "s", 0, "599", "+30", 599, 30},
		{[]float64{600, math.NaN()}, "min", 2, "10.00", "-0.50", 600, -30},
		{[]float64{7997, 8009}, "min", 1, "133.3", "+0.2", 7997, 12},
		{[]float64{3 * 3600, 1800}, "h", 4, "0.5000", "-2.5000", 1800, -9000},
		{[]float64{36000, 72000}, "h", 2, "20.00", "+10.00", 72000, 36000},
		{[]float64{5 * 86400, 4 * 86400}, "d", 3, "4.000", "+1.000", 4 * 86400, 86400},
	} {
		u := UnitFor(c.means)
		time, diff := u.Time(c.shown, false), u.Signed(c.differ)
		if u.Short != c.short || u.Decimals != c.decimals || time != c.time || diff != c.diff {
			t.Errorf("%v: %+v writes %s and %s, expected %s with %d decimals, %s and %s", c.means, u,
				time, diff, c.short, c.decimals, c.time, c.diff)
		}
	}
}

// TestTime: short times may have a digit more; NaN has no number; GPU-seconds are no times.
func TestTime(t *testing.T) {
	u := UnitFor([]float64{8000})
	for _, c := range []struct {
		seconds float64
		fine    bool
		want    string
	}{{90, true, "1.50"}, {90, false, "1.5"}, {6000, true, "100.0"}, {math.NaN(), true, "-"}} {
		if got := u.Time(c.seconds, c.fine); got != c.want {
			t.Errorf("%v s is written %s, expected %s", c.seconds, got, c.want)
		}
	}
	for name, want := range map[string]bool{"jct_mean_s": true, "killed_gpu_s": false, "ces_asleep_node_s": false,
		"comm_frac": false} {
		if IsTime(name) != want {
			t.Errorf("%s is a time: %v, expected %v", name, IsTime(name), want)
		}
	}
}
