package tabular

import (
	"strconv"
	"strings"
	"time"
)

// ParseClock reads a wall-clock time in microseconds since 1970, rounded: a date, or a date and a
// time of day between which is a blank or a T, with or without seconds, a fraction of them, and a
// zone (Z, UTC, +01:00, +0100, +01). Without a zone it is UTC.
func ParseClock(s string) (micros int64, ok bool) {
	if len(s) < len(time.DateOnly) {
		return 0, false
	}
	date, rest := s[:len(time.DateOnly)], s[len(time.DateOnly):]
	if date[4] == '/' && date[7] == '/' {
		date = date[:4] + "-" + date[5:7] + "-" + date[8:]
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil || day.Year() < 1970 {
		return 0, false
	}
	micros = day.UnixMicro()
	if rest == "" {
		return micros, true
	}
	if rest[0] != ' ' && rest[0] != 'T' {
		return 0, false
	}
	clock, east, ok := cutZone(rest[1:])
	if !ok {
		return 0, false
	}
	of, ok := timeOfDay(clock)
	micros += of - east
	return micros, ok && micros >= 0
}

// cutZone gives a time of day without its zone, and how far east of UTC the zone is.
func cutZone(s string) (clock string, east int64, ok bool) {
	for _, zone := range []string{"Z", "z", " UTC", "UTC", " GMT"} {
		if t, found := strings.CutSuffix(s, zone); found {
			return t, 0, true
		}
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 0 {
		return s, 0, true
	}
	digits := strings.Replace(s[i+1:], ":", "", 1)
	if len(digits) == 2 {
		digits += "00"
	}
	if len(digits) != 4 || !allDigits(digits) || digits[:2] > "18" || digits[2:] > "59" {
		return "", 0, false
	}
	hours, err1 := strconv.ParseInt(digits[:2], 10, 64)
	minutes, err2 := strconv.ParseInt(digits[2:], 10, 64)
	east = (hours*60 + minutes) * 60e6
	if s[i] == '-' {
		east = -east
	}
	return strings.TrimSuffix(s[:i], " "), east, err1 == nil && err2 == nil
}

// Zoned reports whether a wall-clock time that ParseClock reads states its zone.
func Zoned(s string) bool {
	if len(s) <= len(time.DateOnly) {
		return false
	}
	rest := s[len(time.DateOnly)+1:]
	clock, _, ok := cutZone(rest)
	return ok && len(clock) < len(rest)
}

// timeOfDay reads hh:mm or hh:mm:ss with a fraction, in microseconds.
func timeOfDay(s string) (int64, bool) {
	if len(s) == len("hh:mm") {
		s += ":00"
	}
	if len(s) < len(time.TimeOnly) || s[2] != ':' || s[:2] > "23" {
		return 0, false
	}
	return sixty(s)
}

// sixty reads h...h:mm:ss with a fraction, in microseconds, rounded.
func sixty(s string) (int64, bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 3 || len(parts[1]) != 2 || len(parts[2]) < 2 || len(parts[0]) == 0 || len(parts[0]) > 8 {
		return 0, false
	}
	whole, frac, dot := strings.Cut(parts[2], ".")
	if !allDigits(parts[0]+parts[1]+whole+frac) || len(whole) != 2 || dot && frac == "" || parts[1] > "59" ||
		whole > "59" {
		return 0, false
	}
	seconds, ok := ParseMicros(parts[2])
	hours, err1 := strconv.ParseInt(parts[0], 10, 64)
	minutes, err2 := strconv.ParseInt(parts[1], 10, 64)
	return (hours*60+minutes)*60e6 + seconds, ok && err1 == nil && err2 == nil
}
