package order

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/score"
)

// Export writes a vector as the text file that the policy ranked reads (weights=FILE).
func (e *Env) Export(w io.Writer, params []float64) error {
	r, err := e.Rule(params)
	if err != nil {
		return err
	}
	_, err = r.WriteTo(w)
	return err
}

// Import reads such a text: its features, law and globals become options.
func (e *Env) Import(name string, from io.Reader) (params []float64, options string, err error) {
	r, err := score.Parse(name, from)
	if err != nil {
		return nil, "", err
	}
	text := func(key string, x float64) string { return key + "=" + strconv.FormatFloat(x, 'g', -1, 64) }
	all := []string{"features=" + strings.Join(r.Func.Terms(), "+"), fmt.Sprintf("hidden=%d", r.Func.Hidden()),
		fmt.Sprintf("predicted=%v", r.Predictor != ""),
		text("median_s", r.Law.MedianS), text("spread", r.Law.Spread), text("margin", r.Globals.Margin),
		text("min_run", r.Globals.MinRun)}
	if l := r.Globals.Least; l != (score.Gates{}) {
		all = append(all, text("lull_min_run", l.Lull), text("doubt_min_run", l.Doubt))
	}
	gates := e.cfg.Globals && (e.cfg.Gates || r.Globals.Least != score.Gates{})
	if gates {
		all = append(all, "gates=true")
	}
	params = slices.Clone(r.Func.Weights())
	g := r.Globals
	if !g.Auto() {
		all = append(all, text("t_rack", g.Rack), text("t_net", g.Net))
	}
	if e.cfg.Globals {
		if g.Auto() {
			return nil, "", fmt.Errorf("%s: t_rack and t_net are auto, expected numbers with globals", name)
		}
		ln := toLn(g)
		if params = append(params, ln[:]...); gates {
			params = append(params, g.Least.Lull, g.Least.Doubt)
		}
	}
	return params, strings.Join(all, ","), nil
}
