package predictors

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/figure"
)

// figures draws, for each kind of orders, what predictions gain against their R2.
func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	s, err := read(ctx, d)
	if err != nil {
		return nil, err
	}
	var out []sweep.Figure
	for _, k := range kinds() {
		f, err := s.gain(&k)
		if err != nil {
			return nil, fmt.Errorf("figure gain_%s: %w", k.name, err)
		}
		out = append(out, f)
	}
	for _, k := range kinds() {
		f, err := s.learnt(&k)
		if err != nil {
			return nil, fmt.Errorf("figure fitted_%s: %w", k.name, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// gain is a kind along the error of users' guesses.
func (s *sheet) gain(k *kind) (sweep.Figure, error) {
	var lines []figure.Series
	n := 0
	for _, order := range k.orders {
		c := s.along(order, k.base)
		one := figure.Series{Name: shortened(order)}
		for i := range c.levels {
			if n = len(c.logs[i]); n == 0 {
				continue
			}
			iv := percentOf(stats.Student(c.logs[i]))
			one.X, one.Y, one.Lo, one.Hi = append(one.X, stats.Mean(c.r2[i])), append(one.Y, iv.Point),
				append(one.Lo, iv.Lo), append(one.Hi, iv.Hi)
		}
		lines = append(lines, one)
	}
	caption := fmt.Sprintf("Mean completion time of %s against %s, by R2 of users' guesses", k.what, k.base)
	f, err := figure.Lines("", figure.Axis{Label: "R2 of log run time"}, s.yAxis(k), lines)
	if err != nil {
		return sweep.Figure{}, err
	}
	f.SetTitle(caption)
	f.Note = fmt.Sprintf("Errors of sigma = 2, 1, 0.5, 0.25 and none, which is clairvoyant. Geometric means over "+
		"%s; 95 %% intervals over settings.", counted(n))
	return sweep.Figure{Name: "gain_" + k.name, Caption: caption + ".", Figure: f}, nil
}

func counted(settings int) string {
	if settings == 1 {
		return "one setting"
	}
	return fmt.Sprintf("%d settings", settings)
}

func (s *sheet) yAxis(k *kind) figure.Axis {
	return figure.Axis{Label: "against " + k.base + " (%)", Marks: []figure.Mark{{At: 0}}}
}

// learnt is a kind with the predictors that learn, in classes of R2.
func (s *sheet) learnt(k *kind) (sweep.Figure, error) {
	var lines []figure.Series
	for _, order := range k.orders {
		one := figure.Series{Name: shortened(order)}
		for _, c := range s.byClass(order, k.base) {
			if c.pairs > 0 {
				one.X, one.Y, one.N = append(one.X, math.Max(c.r2, -0.5)), append(one.Y, c.iv.Point),
					append(one.N, c.pairs)
				one.Lo, one.Hi = append(one.Lo, c.iv.Lo), append(one.Hi, c.iv.Hi)
			}
		}
		if slices.ContainsFunc(one.Y, func(v float64) bool { return !math.IsNaN(v) }) {
			lines = append(lines, one)
		}
	}
	caption := fmt.Sprintf("Mean completion time of %s against %s, by R2 of predictors that learn", k.what, k.base)
	f, err := figure.Lines("", figure.Axis{Label: "R2 of log run time (mean of its class)"}, s.yAxis(k), lines)
	if err != nil {
		return sweep.Figure{}, err
	}
	f.SetTitle(caption)
	f.Note = "Pairs of setting and predictor in classes of R2: below 0, then steps of 0.2. Geometric means; 95 % " +
		"intervals over settings. A mean R2 below -0.5 is drawn there."
	return sweep.Figure{Name: "fitted_" + k.name, Caption: caption + ".", Figure: f}, nil
}
