package sim

import (
	"fmt"
	"math"
)

// Time is a simulated instant or duration in integer microseconds.
// Integers keep runs identical between machines: a float clock would depend
// on how the compiler fuses multiplications and additions.
type Time int64

const (
	// Microsecond is the resolution of the clock.
	Microsecond Time = 1
	// Second is one simulated second.
	Second Time = 1_000_000
	// Never is later than every event.
	Never Time = math.MaxInt64
)

// maxSeconds is the longest duration that Seconds accepts (about 146 000 years);
// it leaves room to add two such times without overflow.
const maxSeconds = float64(math.MaxInt64/4) / 1e6

// Seconds converts seconds to a Time, rounded to the nearest microsecond.
// It saturates at plus or minus a quarter of the range; NaN becomes 0.
// Readers must refuse such values before they come here.
func Seconds(s float64) Time {
	switch {
	case math.IsNaN(s):
		return 0
	case s >= maxSeconds:
		return Time(math.MaxInt64 / 4)
	case s <= -maxSeconds:
		return Time(-math.MaxInt64 / 4)
	}
	return Time(math.Round(float64(s * 1e6)))
}

// Seconds gives the time in seconds. Never is +Inf.
func (t Time) Seconds() float64 {
	if t == Never {
		return math.Inf(1)
	}
	return float64(t) / 1e6
}

// String prints the time in seconds, as short as it can.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return fmt.Sprintf("%gs", t.Seconds())
}

// add returns t+d, saturating at Never, so that an infinite lease or timer
// stays infinite.
func (t Time) add(d Time) Time {
	if t == Never || d == Never || t > Never-d {
		return Never
	}
	return t + d
}
