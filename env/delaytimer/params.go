package delaytimer

import (
	"fmt"
	"io"
	"strings"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/internal/weights"
)

// Env is the continuous environment with regime=true; it is trait.Searchable.
//
// A parameter is a weight. Each timer of a class is one sum on the scale of actions (natural
// logarithm of leases / ln 60), cut to -1..1:
//
//	a = bias + tuner b + cost c + pressure p + size s + cost_pressure c p
//
// b is the base policy's own timer, c rack_cost for T_rack and net_cost for T_net, p the cluster's
// demand, and s the class's size, the last three from -1 to 1 as actions are. It starts as the base
// policy: tuner = 1, all else 0.
type Env struct {
	schedenv.Searched[*played]
	cfg   *Config
	teach []float64 // parameters that are demonstrated; nil = a baseline's
	seen  []float64 // the pending observation
}

// terms names the weights of one timer.
func terms() []string {
	return []string{"bias", "tuner", "cost", "pressure", "size", "cost_pressure"}
}

const (
	mostWeight = 16
	startSigma = 1
	tunerSigma = 0.5
)

// Another makes a fresh environment on a part; see schedenv.Env.
func (e *Env) Another(p schedenv.Part) (env.Env, error) {
	fresh, err := e.On(p)
	if err != nil {
		return nil, err
	}
	cfg := *e.cfg
	cfg.Part = p
	return &Env{Searched: fresh, cfg: &cfg, teach: e.teach}, nil
}

// Parameters are the weights of both timers.
func (e *Env) Parameters() []trait.Parameter {
	var out []trait.Parameter
	for _, timer := range []string{"rack", "net"} {
		for _, n := range terms() {
			p := trait.Parameter{Name: timer + "_" + n, Sigma: startSigma, Lo: -mostWeight, Hi: mostWeight}
			if n == "tuner" {
				p.Start, p.Sigma = 1, tunerSigma
			}
			out = append(out, p)
		}
	}
	return out
}

// Answer writes the timers of all classes.
func (e *Env) Answer(dst, obs, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	if len(dst) != e.Spec().Action.Len() || len(obs) != e.Spec().Observation.Len() {
		return fmt.Errorf("%s: %d action and %d observation entries, expected %d and %d", e.cfg.id(), len(dst),
			len(obs), e.Spec().Action.Len(), e.Spec().Observation.Len())
	}
	e.cfg.answer(dst, obs, params)
	return nil
}

// The place of the cluster's demand, and of a class's size; behind the class's own features come
// the features of the option regime.
const (
	atDemand = 8
	atSize   = 1
)

func (c *Config) answer(dst, obs, params []float64) {
	width, n := c.width(), len(terms())
	rows := obs[len(obs)-Classes*width:]
	p := 2*obs[atDemand] - 1
	for i := range Classes {
		row := rows[i*width : (i+1)*width]
		own := row[features:]
		for k := range 2 {
			w, cost, size := params[k*n:(k+1)*n], 2*own[k]-1, 2*row[atSize]-1
			a := w[0] + float64(w[1]*(2*own[2+k]-1)) + float64(w[2]*cost) + float64(w[3]*p) + float64(w[4]*size) +
				float64(w[5]*float64(cost*p))
			dst[2*i+k] = min(1, max(-1, a))
		}
	}
}

// check reports whether a vector has the right length.
func (e *Env) check(params []float64) error {
	if n := 2 * len(terms()); len(params) != n {
		return fmt.Errorf("%s: %d parameters, expected %d", e.cfg.id(), len(params), n)
	}
	return nil
}

// magic begins the text of a vector.
const magic = "tarry-timers 1"

// names are the parameters' names.
func (e *Env) names() []string {
	var out []string
	for _, p := range e.Parameters() {
		out = append(out, p.Name)
	}
	return out
}

// Export writes a vector as text, "name = value" in each line.
func (e *Env) Export(w io.Writer, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s", magic, weights.Lines(e.names(), params))
	return err
}

// parse reads what Export wrote.
func (e *Env) parse(name string, in io.Reader) ([]float64, error) {
	r, names := weights.New(name, in), e.names()
	out := make([]float64, len(names))
	if r.First(magic) {
		r.Pairs(names, func(i int, text string) { out[i] = r.Number(names[i], text, -mostWeight, mostWeight) })
		r.Require(names, "every weight of both timers")
	}
	return out, r.Err()
}

// teacher begins the name of weights that are demonstrated.
const teacher = "weights:"

// Follow names a baseline, or as weights:FILE the parameters that tarry export weights wrote.
func (e *Env) Follow(policy string) error {
	path, ok := strings.CutPrefix(policy, teacher)
	if !ok {
		e.teach = nil
		return e.Env.Follow(policy)
	}
	x, err := weights.Load(path, e.parse)
	if err == nil {
		e.teach = x
	}
	return err
}

// Demonstrate writes what the teacher would do now.
func (e *Env) Demonstrate(action []float64) error {
	switch {
	case e.teach == nil:
		return e.Env.Demonstrate(action)
	case e.seen == nil:
		return fmt.Errorf("%s: demonstrate: %w", e.cfg.id(), env.ErrResetNeeded)
	}
	return e.Answer(action, e.seen, e.teach)
}

// Reset starts an episode; see schedenv.Env.
func (e *Env) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	obs, info, err := e.Env.Reset(seed, options)
	if e.seen = obs; err != nil {
		e.seen = nil
	}
	return obs, info, err
}

// Step answers the pending question; see schedenv.Env.
func (e *Env) Step(action []float64) (env.Step, error) {
	s, err := e.Env.Step(action)
	if e.seen = s.Obs; err != nil || s.Done() {
		e.seen = nil
	}
	return s, err
}
