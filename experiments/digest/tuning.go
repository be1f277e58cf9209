package digest

import (
	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
	"tarry/run/tune"
)

// learned reports whether cells of a kind leave something that was fitted, and then measured beside
// baselines.
func learned(kind string) bool { return kind == "learn" || kind == "tune" }

// fittedName names what a cell trained or tuned: after its value on an axis, or else after the
// agent, or the optimiser with the scheduler.
func fittedName(c *sweep.Cell, axisName string) string {
	if v := c.Axes[axisName]; v != "" {
		return v
	}
	text := func(key, otherwise string) string {
		if v, ok := c.Settings[key].(string); ok {
			return v
		}
		return otherwise
	}
	if c.Kind == "tune" {
		return text("optimiser", tune.Default().Optimiser) + "(" + text("policy", "") + ")"
	}
	return text("agent", "ppo")
}

// Tuning draws how well the best point so far did on training, against the scheduler as it stands
// in per cent, over the simulations that the optimiser asked for: as Curves, a line per value of an
// axis.
func (b *Book) Tuning(name, caption, series string, rows []results.Tune) {
	var points []results.Curve
	spent := map[results.Keys]int64{}
	for _, r := range rows {
		c, ok := b.d.Cell(r.Keys)
		if !ok || r.Stage != "search" {
			continue
		}
		at := results.Keys{Experiment: r.Experiment, Cell: r.Cell}
		spent[at] += r.Windows
		at.Policy = fittedName(&c, series)
		points = append(points, results.Curve{Keys: at, EnvSteps: spent[results.Keys{Experiment: r.Experiment,
			Cell: r.Cell}], ReturnMean: 100 * r.Best})
	}
	y := figure.Axis{Label: "difference (%)", Marks: []figure.Mark{{At: 0, Name: "as it stands"}}}
	b.paintCurves(name, caption, series, figure.Axis{Label: "simulations that the optimiser asked for"}, y,
		b.curves(points, series, nil, func(r *results.Curve) float64 { return r.ReturnMean }))
}
