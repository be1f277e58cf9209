package regimes

import (
	"context"
	"fmt"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/figure"
	rows "tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	s, err := read(ctx, d)
	if err != nil {
		return nil, err
	}
	single := s.best(-1)
	relative, err := s.dots("JCT against dally (%)", func(int) [][2]string {
		return [][2]string{{search, dally},
			{single, dally}}
	},
		[]string{search, "constant " + short(single)})
	if err != nil {
		return nil, err
	}
	best, err := s.dots("JCT against the constant (%)", func(k int) [][2]string {
		return [][2]string{{search,
			s.best(k)}, {search, single}}
	},
		[]string{"the best there", "the best single one"})
	if err != nil {
		return nil, err
	}
	curves, err := sweep.Rows[rows.Curve](ctx, d)
	if err != nil {
		return nil, err
	}
	b := digest.NewLearned(d, nil, "learner")
	b.Curves("validation", "Minus the mean cost on windows of validation; -1 is Dally.", "learner",
		"minus cost on validation", curves,
		func(c *sweep.Cell) bool { return c.Axes["learner"] == search },
		func(r *rows.Curve) float64 { return r.Validation })
	more, err := b.Figures()
	return append([]sweep.Figure{
		{Name: "relative", Caption: "Mean completion time against Dally in each regime. " + relative.Note,
			Figure: relative},
		{Name: "against_best", Caption: "The agent against the best constant of each regime and the best single " +
			"one, with hindsight. " + best.Note, Figure: best},
	}, more...), err
}

// dots draws pairs of policies by regime.
func (s *scores) dots(label string, pairs func(regime int) [][2]string, names []string) (*figure.Figure, error) {
	series := make([]figure.Series, len(names))
	for i, n := range names {
		series[i].Name = n
	}
	for k := range s.regimes {
		for i, p := range pairs(k) {
			iv, err := s.against(p[0], p[1], k)
			if err != nil {
				return nil, err
			}
			one := &series[i]
			one.Y, one.Lo, one.Hi, one.N = append(one.Y, iv.Point), append(one.Lo, iv.Lo), append(one.Hi, iv.Hi),
				append(one.N, iv.N)
		}
	}
	f, err := figure.Forest("", figure.Axis{Label: label, Marks: []figure.Mark{{At: 0}}}, s.regimes, series)
	if err == nil {
		f.Note = fmt.Sprintf("Windows per regime: %d; 95 %% intervals over training seeds and windows.",
			s.windows/len(s.regimes))
	}
	return f, err
}
