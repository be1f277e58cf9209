package jobcell

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"tarry/sim/tabular"
	"tarry/traces/columns"
)

// Kind states what a Value holds.
type Kind uint8

// The kinds of values.
const (
	// Null is a missing value.
	Null Kind = iota
	// Text is text to be interpreted, as a cell of CSV is.
	Text
	// Name is text that is taken as it stands, also where it is a word such as "None".
	Name
	// Whole is a whole number.
	Whole
	// Real is a float; NaN is a missing value.
	Real
	// Instant is microseconds since 1970, UTC.
	Instant
	// Length is a length of time in microseconds.
	Length
	// Truth is true or false: Int is 1 or 0.
	Truth
)

// Value is one cell of a table. The zero value is missing.
type Value struct {
	// Kind states which of the other fields holds the value.
	Kind Kind
	// Local states that an Instant has no time zone and is taken as UTC.
	Local bool
	// Int is the value of a Whole, an Instant, a Length or a Truth.
	Int int64
	// Real is the value of a Real.
	Real float64
	// Text is the value of a Text or a Name.
	Text string
}

// missing reports whether the value is unknown.
func (v Value) missing() bool {
	switch v.Kind {
	case Null:
		return true
	case Text:
		return tabular.IsUnknown(v.Text)
	case Real:
		return math.IsNaN(v.Real)
	}
	return false
}

// String gives the value as text, for errors.
func (v Value) String() string {
	switch v.Kind {
	case Text, Name:
		return v.Text
	case Whole:
		return strconv.FormatInt(v.Int, 10)
	case Real:
		return strconv.FormatFloat(v.Real, 'g', -1, 64)
	case Instant:
		return time.UnixMicro(v.Int).UTC().Format("2006-01-02T15:04:05.999999Z")
	case Length:
		return tabular.FormatMicros(v.Int) + " s"
	case Truth:
		return strconv.FormatBool(v.Int != 0)
	}
	return "NULL"
}

// name gives the value as a name.
func (v Value) name() (string, bool) {
	switch v.Kind {
	case Name:
		return v.Text, true
	case Text:
		return tabular.PlainName(v.Text), true
	case Real:
		if v.Real == math.Trunc(v.Real) && math.Abs(v.Real) < 1e15 {
			return strconv.FormatFloat(v.Real, 'f', 0, 64), true
		}
		return v.String(), true
	case Whole, Truth:
		return v.String(), true
	}
	return "", false
}

// whole gives the value as a whole number.
func (v Value) whole() (int64, bool) {
	switch v.Kind {
	case Text, Name:
		return tabular.ParseWhole(v.Text)
	case Whole:
		return v.Int, true
	case Real:
		if v.Real == math.Trunc(v.Real) && math.Abs(v.Real) <= 1<<53 {
			return int64(v.Real), true
		}
	}
	return 0, false
}

// real gives the value as a finite number; a length of time is seconds.
func (v Value) real() (float64, bool) {
	switch v.Kind {
	case Text, Name:
		return tabular.ParseFinite(v.Text)
	case Whole:
		return float64(v.Int), true
	case Real:
		return v.Real, !math.IsInf(v.Real, 0)
	case Length:
		return float64(v.Int) / 1e6, true
	}
	return 0, false
}

// span gives the value of a length of time in microseconds; a number is in the unit.
func (v Value) span(u columns.Unit) (int64, bool) {
	switch v.Kind {
	case Length:
		return v.Int, true
	case Whole:
		return u.Micros(v.Int), true
	case Real:
		return u.Real(v.Real)
	case Text, Name:
		if t, ok := tabular.ParseLength(v.Text); ok {
			return t, true
		}
		return u.Text(v.Text)
	}
	return 0, false
}

// instant gives the value of a wall-clock time.
func (v Value) instant() (int64, bool) {
	switch v.Kind {
	case Instant:
		return v.Int, v.Int >= 0
	case Text, Name:
		return tabular.ParseClock(v.Text)
	}
	return 0, false
}

// between is the want of a whole number in a range.
func between(lo, hi int64) string {
	if hi >= math.MaxInt32 {
		return fmt.Sprintf("a whole number >= %d", lo)
	}
	return fmt.Sprintf("a whole number from %d to %d", lo, hi)
}
