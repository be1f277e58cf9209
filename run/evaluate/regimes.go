package evaluate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/sim/param"
)

// mixedOf names the scenarios of the option mixture by their files, without folder and ending.
func mixedOf(options string) []string {
	var out []string
	for _, path := range param.Parse("", options).Texts("mixture", nil) {
		out = append(out, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	}
	return out
}

// RegimeOf names the scenario of a window of an environment, ID:key=value,...; "" = it has no mixture.
func RegimeOf(env string, window int64) string {
	_, options, _ := strings.Cut(env, ":")
	names := mixedOf(options)
	if len(names) == 0 || window < 0 {
		return ""
	}
	return names[window%int64(len(names))]
}

// Mixed is a policy on the scenarios of a mixture: its mean completion time in per cent of the
// reference's on the same windows, less 100.
type Mixed struct {
	Policy string
	// Regimes are in the order of Setup.Regimes; Mean is over all of them, each weighed alike.
	// Intervals are over windows, and over training seeds where there are several.
	Regimes []stats.Interval
	Mean    stats.Interval
}

// PerRegime compares the rows of a mixture with one of them, on each window the ratio of the mean
// completion times.
func (s *Setup) PerRegime(rows []Row, reference string) ([]Mixed, error) {
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Policy == reference })
	n := len(s.Regimes)
	if n == 0 || at < 0 {
		return nil, fmt.Errorf("%d regimes and no policy %q, expected a mixture and one of its policies", n, reference)
	}
	base := rows[at].grid(s.Windows)
	if len(base) > 1 {
		return nil, fmt.Errorf("%s has %d seeds, expected one", reference, len(base))
	}
	var out []Mixed
	for _, r := range rows {
		if r.Member || r.Chosen {
			continue
		}
		m := Mixed{Policy: r.Policy}
		x := r.grid(s.Windows).Over(base[0])
		for k := range n {
			iv, err := stats.Percent(x.Every(n, k), stats.Ones(s.Windows/n))
			if err != nil {
				return nil, err
			}
			m.Regimes = append(m.Regimes, iv)
		}
		var err error
		if m.Mean, err = stats.Percent(x.Rounds(n), stats.Ones(s.Windows/n)); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// grid has a row of completion times for each seed.
func (r *Row) grid(windows int) stats.Grid {
	var g stats.Grid
	for i := 0; i < len(r.JCT); i += windows {
		g = append(g, r.JCT[i:i+windows])
	}
	return g
}
