package score

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ByHand reads a function without hidden units, written NAME:WEIGHT joined by +.
func ByHand(text string) (*Func, error) {
	var names []string
	var weights []float64
	for part := range strings.SplitSeq(text, "+") {
		name, value, ok := strings.Cut(part, ":")
		w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || err != nil || !(math.Abs(w) <= 1e9) {
			return nil, fmt.Errorf("features has %q, expected NAME:WEIGHT with a number from -1e9 to 1e9, joined by +",
				part)
		}
		names, weights = append(names, strings.TrimSpace(name)), append(weights, w)
	}
	f, err := New(names, 0)
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	f.Set(weights)
	return f, nil
}
