package printed

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Unit is the unit of the times in a table. JSON and CSV have seconds always.
type Unit struct {
	// Name is in words, Short is the symbol.
	Name, Short string
	// Seconds is the length of one.
	Seconds float64
	// Decimals are printed of each time; for h, min and d so many that the least mean completion
	// time has four digits.
	Decimals int
}

// Second is the unit of tables whose heads or notes state seconds.
func Second() Unit { return Unit{Name: "seconds", Short: "s", Seconds: 1} }

// UnitFor gives the unit for a table with these mean completion times in seconds, by the longest of
// them: days from 5 days, hours from 3 hours, minutes from 10 minutes, else seconds. NaN and 0 do not
// count. The report in HTML has the same bounds.
func UnitFor(means []float64) Unit {
	longest, least := 0.0, math.Inf(1)
	for _, m := range means {
		if m > 0 && !math.IsInf(m, 0) {
			longest, least = max(longest, m), min(least, m)
		}
	}
	u := Second()
	switch {
	case longest >= 5*86400:
		u = Unit{Name: "days", Short: "d", Seconds: 86400}
	case longest >= 3*3600:
		u = Unit{Name: "hours", Short: "h", Seconds: 3600}
	case longest >= 600:
		u = Unit{Name: "minutes", Short: "min", Seconds: 60}
	default:
		return u
	}
	u.Decimals = 1
	for shown := 10 * least / u.Seconds; u.Decimals < 4 && shown < 1000; shown *= 10 {
		u.Decimals++
	}
	return u
}

// IsTime reports a column that is a time, by its name: it ends in _s, and is no GPU-seconds or
// machine-seconds.
func IsTime(name string) bool {
	return strings.HasSuffix(name, "_s") && !strings.HasSuffix(name, "_gpu_s") && !strings.HasSuffix(name, "_node_s") &&
		!strings.HasSuffix(name, "_kwh_s")
}

// Time writes a time of seconds; "-" for NaN. Fine adds a digit to a short one.
func (u Unit) Time(seconds float64, fine bool) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	decimals := u.Decimals
	short := 100.0
	for range decimals {
		short /= 10
	}
	if fine && seconds/u.Seconds < short {
		decimals++
	}
	return strconv.FormatFloat(seconds/u.Seconds, 'f', decimals, 64)
}

// Signed writes a difference of times with its sign.
func (u Unit) Signed(seconds float64) string {
	return fmt.Sprintf("%+.*f", u.Decimals, seconds/u.Seconds)
}
