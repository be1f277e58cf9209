package columns

import (
	"math"
	"strconv"
	"strings"

	"tarry/sim/tabular"
)

// Unit is nanoseconds of one unit of time; 0 is none.
type Unit int64

// The units of time.
const (
	Nanosecond  Unit = 1
	Microsecond Unit = 1e3
	Millisecond Unit = 1e6
	Second      Unit = 1e9
	minute      Unit = 60e9
	hour        Unit = 3600e9
	day         Unit = 86400e9
)

// unitNames lists the units with the words that a column's name may end in, the usual one first.
func unitNames() []struct {
	unit  Unit
	text  string
	words []string
} {
	return []struct {
		unit  Unit
		text  string
		words []string
	}{
		{Second, "seconds", []string{"s", "sec", "secs", "second", "seconds"}},
		{Microsecond, "microseconds", []string{"us", "usec", "micros", "microseconds"}},
		{Millisecond, "milliseconds", []string{"ms", "msec", "millis", "milliseconds"}},
		{Nanosecond, "nanoseconds", []string{"ns", "nsec", "nanos", "nanoseconds"}},
		{minute, "minutes", []string{"min", "mins", "minute", "minutes"}},
		{hour, "hours", []string{"h", "hr", "hrs", "hour", "hours"}},
		{day, "days", []string{"d", "day", "days"}},
	}
}

// unitOf gives the unit that a word names; 0 where it names none.
func unitOf(word string) Unit {
	for _, u := range unitNames() {
		for _, w := range u.words {
			if w == word {
				return u.unit
			}
		}
	}
	return 0
}

// String names the unit.
func (u Unit) String() string {
	for _, n := range unitNames() {
		if n.unit == u {
			return n.text
		}
	}
	return "no unit"
}

// Micros is a number of units in microseconds, rounded half away from zero; the largest or least
// number where it does not fit.
func (u Unit) Micros(x int64) int64 {
	if u >= Microsecond {
		by := int64(u / Microsecond)
		if x > math.MaxInt64/by || x < math.MinInt64/by {
			if x < 0 {
				return math.MinInt64
			}
			return math.MaxInt64
		}
		return x * by
	}
	q, r := x/1e3, x%1e3
	switch {
	case r >= 500:
		q++
	case r <= -500:
		q--
	}
	return q
}

// Real is a number of units in microseconds, rounded.
func (u Unit) Real(x float64) (int64, bool) {
	if u == Second {
		if math.Abs(x) > 1e15 { // and infinite
			return 0, false
		}
		return tabular.ParseMicros(strconv.FormatFloat(x, 'f', -1, 64)) // as if it were written in CSV
	}
	micros := x * (float64(u) / 1e3)
	return int64(math.Round(micros)), math.Abs(micros) < 1<<62
}

// Text is a number of units, as text, in microseconds.
func (u Unit) Text(s string) (int64, bool) {
	if u == Second {
		return tabular.ParseMicros(s)
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return u.Micros(n), true
	}
	x, ok := tabular.ParseFinite(s)
	if !ok {
		return 0, false
	}
	return u.Real(x)
}

// cutUnit takes the unit off a name in small letters; 0 where it has none.
func cutUnit(name string) (stem string, u Unit) {
	at := strings.LastIndexByte(name, '_')
	if at <= 0 {
		return name, 0
	}
	if u := unitOf(name[at+1:]); u != 0 {
		return name[:at], u
	}
	return name, 0
}
