package order

import (
	"fmt"
	"math"

	"tarry/baselines/score"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
)

// Env is the environment; it is trait.Searchable, too.
type Env struct {
	schedenv.Searched[*played]
	cfg *Config
}

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	fresh, err := e.On(p)
	if err != nil {
		return nil, err
	}
	cfg := *e.cfg
	cfg.Part = p
	return &Env{Searched: fresh, cfg: &cfg}, nil
}

// Parameters are the weights of the score, and the globals as actions have them.
func (e *Env) Parameters() []trait.Parameter {
	r := e.cfg.Rule
	out := trait.Weights(r.Func.Names(), r.Func.Weights())
	if e.cfg.Globals {
		at := toLn(r.Globals)
		for i, n := range []string{"margin", "ln_min_run", "ln_t_rack", "ln_t_net"} {
			p := trait.Parameter{Name: n, Start: at[i], Sigma: trait.StartSigma, Lo: -mostLn, Hi: mostLn}
			if i == 0 {
				p.Lo, p.Hi = 0, mostMargin
			}
			out = append(out, p)
		}
	}
	if e.cfg.Gates {
		out = append(out, gate("lull_min_run", r.Globals.Least.Lull), gate("doubt_min_run", r.Globals.Least.Doubt))
	}
	return out
}

// gate is a parameter that is multiplied with the lull or the doubt.
func gate(name string, start float64) trait.Parameter {
	return trait.Parameter{Name: name, Start: start, Sigma: trait.StartSigma, Lo: -score.MostGate, Hi: score.MostGate}
}

// Answer writes the scores of the jobs in the list, and the globals.
func (e *Env) Answer(dst, obs, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	if len(dst) != e.Spec().Action.Len() || len(obs) != e.Spec().Observation.Len() {
		return fmt.Errorf("%s: %d action and %d observation entries, expected %d and %d", ID, len(dst), len(obs),
			e.Spec().Action.Len(), e.Spec().Observation.Len())
	}
	c := e.cfg
	n := c.Rule.Func.Len()
	each := c.rowLen()
	rows := obs[len(obs)-c.Jobs*each:]
	last := len(obs) - c.Jobs*each - 1
	x := score.Inputs{score.Pressure: obs[last]}
	if c.gated() {
		x[score.Pressure], x[score.Lull], x[score.Doubt] = obs[last-2], obs[last-1], obs[last]
	}
	for i := range c.Jobs {
		row := rows[i*each : (i+1)*each]
		if dst[i] = 0; row[0] == 0 {
			continue
		}
		copy(x[:score.Pressure], row[1:])
		copy(x[score.Left:], row[rowLen:])
		dst[i] = min(mostScore, max(-mostScore, c.Rule.Func.With(params[:n], &x)))
	}
	if c.Globals {
		at := dst[c.Jobs:]
		copy(at, params[n:n+numGlobals])
		if l := c.globalsOf(params[n:]).Least; l != (score.Gates{}) {
			by := l.At(score.Common{Lull: x[score.Lull], Doubt: x[score.Doubt]})
			at[1] = min(mostLn, max(-mostLn, at[1]+math.Log(by)))
		}
	}
	return nil
}

// Rule is what a vector stands for.
func (e *Env) Rule(params []float64) (*score.Rule, error) {
	if err := e.check(params); err != nil {
		return nil, err
	}
	r := *e.cfg.Rule
	r.Func = r.Func.Clone()
	n := r.Func.Len()
	r.Func.Set(params[:n])
	r.Globals = e.cfg.globalsOf(params[n:])
	if math.IsNaN(r.Law.MedianS) {
		r.Law = score.DefaultLaw()
	}
	return &r, nil
}
