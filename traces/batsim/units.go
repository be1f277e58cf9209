package batsim

import (
	"strings"

	"tarry/sim/tabular"
)

// quantity reads a number with a unit of SimGrid, such as 125MBps, 1.25E8Bps or 1Gf; a number alone
// has the unit without a prefix. Of several, the first fits.
func quantity(text string, units ...string) (float64, bool) {
	text = strings.TrimSpace(text)
	number := text
	for _, unit := range units {
		if rest, ok := strings.CutSuffix(text, unit); ok {
			number = strings.TrimSpace(rest)
			break
		}
	}
	times := 1.0
	for _, p := range []struct {
		name string
		of   float64
	}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9},
		{"T", 1e12}, {"P", 1e15}} {
		if rest, ok := strings.CutSuffix(number, p.name); ok && number != text {
			number, times = rest, p.of
			break
		}
	}
	v, ok := tabular.ParseFinite(number)
	return float64(v * times), ok && v >= 0
}

// gbps reads a bandwidth in GB/s.
func gbps(text string) (float64, bool) {
	if v, ok := quantity(text, "Bps"); ok {
		return v / 1e9, v > 0
	}
	v, ok := quantity(text, "bps")
	return v / 8e9, ok && v > 0
}

// latency reads a time in nanoseconds.
func latency(text string) (float64, bool) {
	for _, u := range []struct {
		name string
		of   float64
	}{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}} {
		if rest, ok := strings.CutSuffix(strings.TrimSpace(text), u.name); ok {
			v, ok := tabular.ParseFinite(strings.TrimSpace(rest))
			return float64(v * u.of), ok && v >= 0 && v <= 1e9
		}
	}
	return 0, false
}
