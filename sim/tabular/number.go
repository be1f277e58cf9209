package tabular

import (
	"math"
	"strconv"
	"strings"
)

// ParseMicros reads decimal seconds as microseconds. Up to six decimals are exact;
// further digits round half away from zero. Exponents go through a float. NaN,
// infinities and values outside the range of an int64 are refused.
func ParseMicros(s string) (int64, bool) {
	t, negative := strings.CutPrefix(s, "-")
	if !negative {
		t = strings.TrimPrefix(t, "+")
	}
	whole, frac, _ := strings.Cut(t, ".")
	if whole == "" && frac == "" {
		return 0, false
	}
	if !allDigits(whole) || !allDigits(frac) || len(whole) > 12 {
		return floatMicros(s)
	}
	var v int64
	for i := range len(whole) {
		v = v*10 + int64(whole[i]-'0')
	}
	for i := range 6 {
		v *= 10
		if i < len(frac) {
			v += int64(frac[i] - '0')
		}
	}
	if len(frac) > 6 && frac[6] >= '5' {
		v++
	}
	if negative {
		v = -v
	}
	return v, true
}

// FormatMicros writes microseconds as decimal seconds that ParseMicros reads back.
func FormatMicros(v int64) string {
	sign := ""
	u := uint64(v)
	if v < 0 {
		sign, u = "-", -u
	}
	s := sign + strconv.FormatUint(u/1e6, 10)
	if rest := u % 1e6; rest != 0 {
		f := strconv.FormatUint(1e6+rest, 10)[1:]
		s += "." + strings.TrimRight(f, "0")
	}
	return s
}

func floatMicros(s string) (int64, bool) {
	f, ok := ParseFinite(s)
	if !ok || math.Abs(f) > 9e12 {
		return 0, false
	}
	return int64(math.Round(float64(f * 1e6))), true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
