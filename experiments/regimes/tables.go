package regimes

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tarry/experiments/sweep"
	"tarry/internal/run/bounds"
	"tarry/internal/stats"
)

// tables gives those of docs/timers-mixture.md: regimes has the agent and the best constants, constants all of these.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	s, err := read(ctx, d)
	if err != nil {
		return nil, err
	}
	by, err := s.byRegime()
	if err != nil {
		return nil, err
	}
	all, err := s.byConstant()
	return map[string]string{"regimes": by, "constants": all}, err
}

// percent writes an interval with one digit.
func percent(iv stats.Interval) string {
	if math.IsNaN(iv.Lo) {
		return fmt.Sprintf("%+.1f", iv.Point)
	}
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", iv.Point, iv.Lo, iv.Hi)
}

// byRegime has a row per regime and one for the mean over them.
func (s *scores) byRegime() (string, error) {
	var b strings.Builder
	single := s.best(-1)
	fmt.Fprintf(&b, "| regime | search | best single constant (%s) | best constant there | search against the best single | search against the best there |\n|---|---|---|---|---|---|\n", short(single))
	for k := range len(s.regimes) + 1 {
		regime, name := k, "**mean**"
		if k < len(s.regimes) {
			name = s.regimes[k]
		} else {
			regime = -1
		}
		own := s.best(regime)
		cells := []string{name}
		for _, pair := range [][2]string{{search, dally}, {single, dally}, {own, dally}, {search, single}, {search, own}} {
			iv, err := s.against(pair[0], pair[1], regime)
			if err != nil {
				return "", err
			}
			cells = append(cells, percent(iv))
		}
		cells[3] = short(own) + ": " + cells[3]
		if regime < 0 {
			over, err := s.againstHindsight()
			if err != nil {
				return "", err
			}
			cells[3], cells[5] = percent(over[0]), percent(over[1])
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String(), nil
}

// hindsight is the name under which the best constant of each regime is kept.
const hindsight = "best constant of each regime"

// againstHindsight compares the best constant of each regime with Dally, and the agent with it, over the mixture.
func (s *scores) againstHindsight() (out [2]stats.Interval, err error) {
	n := len(s.regimes)
	row := make([]float64, s.windows)
	for k := range n {
		own := s.of[s.best(k)][0]
		for i := k; i < s.windows; i += n {
			row[i] = own[i]
		}
	}
	s.of[hindsight] = stats.Grid{row}
	if out[0], err = s.against(hindsight, dally, -1); err == nil {
		out[1], err = s.against(search, hindsight, -1)
	}
	return out, err
}

// byConstant has a row per constant: its mean with an interval, then each regime.
func (s *scores) byConstant() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "| T_rack, T_net (leases) | mean | %s |\n|---|---|%s\n", strings.Join(s.regimes, " | "), strings.Repeat("---|", len(s.regimes)))
	for _, c := range bounds.Timers() {
		mean, err := s.against(c, dally, -1)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | %s |", short(c), percent(mean))
		for k := range s.regimes {
			iv, err := s.against(c, dally, k)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, " %+.1f |", iv.Point)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
