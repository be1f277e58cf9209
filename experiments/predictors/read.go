package predictors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/sim/law"
)

// which names what was run.
type which struct{ setting, predictor, policy string }

// window is one of a setting's.
type window struct {
	seed      uint64
	replicate int64
}

// sheet is the rows of the sweep.
type sheet struct {
	// settings and predictors are in the order of the cells.
	settings, predictors []string
	jct                  map[which]map[window]float64
	told                 map[[2]string]law.Tally // setting and predictor -> over all windows and schedulers
}

// read puts the rows of trials and predictions together.
func read(ctx context.Context, d *sweep.Data) (*sheet, error) {
	trials, err := sweep.Rows[results.Trial](ctx, d)
	if err != nil {
		return nil, err
	}
	said, err := sweep.Rows[results.Prediction](ctx, d)
	if err != nil {
		return nil, err
	}
	s := &sheet{jct: map[which]map[window]float64{}, told: map[[2]string]law.Tally{}}
	for i := range trials {
		r := &trials[i]
		c, ok := d.Cell(r.Keys)
		if !ok || math.IsNaN(r.JCTMean) || r.Unfinished > 0 || r.Rejected > 0 {
			continue
		}
		k := which{c.Axes["setting"], c.Axes["predictor"], r.Policy}
		if !s.add(k.setting, k.predictor) {
			continue
		}
		if s.jct[k] == nil {
			s.jct[k] = map[window]float64{}
		}
		s.jct[k][window{r.Seed, r.Replicate}] = r.JCTMean
	}
	for i := range said {
		if c, ok := d.Cell(said[i].Keys); ok {
			k := [2]string{c.Axes["setting"], c.Axes["predictor"]}
			s.told[k] = pooled(s.told[k], &said[i])
		}
	}
	s.complete()
	if len(s.settings) == 0 {
		return nil, fmt.Errorf("no setting of the sweep has all its predictors, or it is another sweep: expected " +
			"rows of trials with the axes setting and predictor")
	}
	if i := slices.Index(s.predictors, exact); i >= 0 { // the truth comes last
		s.predictors = append(slices.Delete(s.predictors, i, i+1), exact)
	}
	return s, nil
}

// complete leaves out the settings that were not run with all predictors: means over settings are
// then over the same ones.
func (s *sheet) complete() {
	ran := map[[2]string]bool{}
	for k := range s.jct {
		ran[[2]string{k.setting, k.predictor}] = true
	}
	s.settings = slices.DeleteFunc(s.settings, func(one string) bool {
		return slices.ContainsFunc(s.predictors, func(p string) bool { return p != asked && !ran[[2]string{one, p}] })
	})
}

// add notes a setting and a predictor. It reports false where the predictor is request and the
// users of the setting made none.
func (s *sheet) add(setting, predictor string) bool {
	if predictor == asked && !slices.Contains(stating(), setting) {
		return false
	}
	if !slices.Contains(s.settings, setting) {
		s.settings = append(s.settings, setting)
	}
	if !slices.Contains(s.predictors, predictor) {
		s.predictors = append(s.predictors, predictor)
	}
	return true
}

// pooled adds the jobs of a row to others'.
func pooled(t law.Tally, r *results.Prediction) law.Tally {
	if r.Jobs == 0 {
		return t
	}
	n := float64(r.Jobs)
	squares := func(mean, sd float64) float64 { return n * (float64(mean*mean) + float64(sd*sd)) }
	t.Jobs += int(r.Jobs)
	t.LogRun += float64(n * r.LogRunMean)
	t.LogRun2 += float64(squares(r.LogRunMean, r.LogRunSD))
	t.Error += float64(n * r.ErrorMean)
	t.Error2 += float64(squares(r.ErrorMean, r.ErrorSD))
	t.Spread += float64(n * r.SpreadMean)
	t.Below50 += int(math.Round(n * r.Below50))
	t.Below90 += int(math.Round(n * r.Below90))
	return t
}

// r2 is how much of the variance of log run time a predictor explains on a setting, as its
// schedulers saw it; 1 for the truth, NaN where it did not run.
func (s *sheet) r2(setting, predictor string) float64 {
	if predictor == exact {
		return 1
	}
	t := s.told[[2]string{setting, predictor}]
	return t.R2()
}

// paired gives the mean completion times under an order and under a base, which needs no predictor,
// on the windows that both ran.
func (s *sheet) paired(setting, predictor, policy, base string) (x, b []float64) {
	with := s.jct[which{setting, exact, base}]
	of := s.jct[which{setting, predictor, policy}]
	var both []window
	for w := range of {
		if _, ok := with[w]; ok {
			both = append(both, w)
		}
	}
	slices.SortFunc(both, func(a, b window) int {
		if a.seed != b.seed {
			return int(a.seed) - int(b.seed)
		}
		return int(a.replicate - b.replicate)
	})
	for _, w := range both {
		x, b = append(x, of[w]), append(b, with[w])
	}
	return x, b
}
