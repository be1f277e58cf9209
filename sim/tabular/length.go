package tabular

import (
	"strconv"
	"strings"
)

// ParseLength reads a length of time that is written with units, in microseconds: Slurm's
// D-HH:MM:SS (also D-HH:MM), HH:MM:SS, the "0 days 00:00:20" and "1 day, 0:00:20" of data frames
// and databases, and ISO 8601's P1DT2H3M4.5S. Seconds may have a fraction.
func ParseLength(s string) (micros int64, ok bool) {
	if rest, found := strings.CutPrefix(s, "P"); found {
		return isoLength(rest)
	}
	if count, rest, found := strings.Cut(s, " day"); found {
		rest = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, "s"), ","), " ")
		return days(count, rest)
	}
	if count, rest, found := strings.Cut(s, "-"); found && rest != "" && !strings.Contains(count, ":") {
		if strings.Count(rest, ":") == 1 {
			rest += ":00"
		}
		if hours, _, _ := strings.Cut(rest, ":"); len(hours) > 2 || len(hours) == 2 && hours > "23" {
			return 0, false
		}
		return days(count, rest)
	}
	return sixty(s)
}

// days adds whole days and a time that may be absent.
func days(count, rest string) (int64, bool) {
	if count == "" || len(count) > 8 || !allDigits(count) {
		return 0, false
	}
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		return 0, false
	}
	micros := n * 86400e6
	if rest == "" {
		return micros, micros <= maxMicros
	}
	more, ok := sixty(rest)
	return micros + more, ok && micros+more <= maxMicros
}

// isoLength reads what follows the P of a length: 1DT2H3M4.5S.
func isoLength(s string) (int64, bool) {
	date, clock, timed := strings.Cut(s, "T")
	if date == "" && clock == "" || timed && clock == "" {
		return 0, false
	}
	sum, ok := units(date, "WD", []int64{7 * 86400, 86400})
	more, ok2 := units(clock, "HMS", []int64{3600, 60, 1})
	return sum + more, ok && ok2
}

// units adds numbers with a letter of unit behind each, in the order of the letters.
func units(s, letters string, seconds []int64) (sum int64, ok bool) {
	for i := range letters {
		number, rest, found := strings.Cut(s, letters[i:i+1])
		if !found {
			continue
		}
		v, ok := ParseMicros(number)
		if !ok || v < 0 || v > maxMicros || strings.ContainsAny(number, "eE+-") {
			return 0, false
		}
		sum += v / 1e6 * seconds[i] * 1e6
		sum += v % 1e6 * seconds[i]
		if sum < 0 || sum > maxMicros {
			return 0, false
		}
		s = rest
	}
	return sum, s == ""
}
