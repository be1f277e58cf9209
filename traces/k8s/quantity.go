package k8s

import (
	"math"
	"strings"
	"time"

	"tarry/sim/tabular"
)

// quantity reads an amount as Kubernetes writes it, such as 31850m, 263Gi or 8.
func quantity(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	times := 1.0
	for _, s := range []struct {
		suffix string
		of     float64
	}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"Pi", 1 << 50}, {"n", 1e-9}, {"u", 1e-6},
		{"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}} {
		if rest, ok := strings.CutSuffix(text, s.suffix); ok {
			text, times = rest, s.of
			break
		}
	}
	v, ok := tabular.ParseFinite(text)
	return float64(v * times), ok && v >= 0
}

// resources are amounts by resource; a text, or a number in files that were written by hand.
type resources map[string]tabular.Text

// amount gives a resource in parts of so much, rounded down; false where it is no amount.
func (r resources) amount(name string, part float64) (int64, bool) {
	text, ok := r[name]
	if !ok {
		return 0, true
	}
	v, ok := quantity(string(text))
	if v = math.Floor(v/part + 1e-9); !ok || v > 1<<50 {
		return 0, false
	}
	return int64(v), true
}

// clock reads a time as Kubernetes writes it, in microseconds since 1970; 0 where there is none.
func clock(text string) (int64, bool) {
	if text == "" {
		return 0, true
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Unix() < 0 || t.Year() > 2200 {
		return 0, false
	}
	return t.UnixMicro(), true
}
