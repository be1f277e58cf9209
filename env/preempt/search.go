package preempt

import (
	"fmt"
	"io"
	"slices"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/plan/victim"
)

// Env is version 2 where a vector can stand in for the agent; it is trait.Searchable, too.
type Env struct {
	schedenv.Searched[*played]
	cfg *Config
}

// newV2 makes version 2: one that can be searched where the observation has all that a vector reads.
func newV2(c Config, options string) (env.Env, error) {
	if !c.searchable() {
		return New(c, options)
	}
	return newSearched(c, options)
}

func newSearched(c Config, options string) (*Env, error) {
	inner, err := New(c, options)
	if err != nil {
		return nil, err
	}
	if err := c.own(); err != nil {
		return nil, err
	}
	return &Env{Searched: schedenv.Searched[*played]{Env: inner}, cfg: &c}, nil
}

// searchable reports whether keys are the ranks that the observation has, nothing of it is hidden,
// and the blocked job can use each GPU of a candidate.
func (c *Config) searchable() bool {
	if c.Base != nil || c.Dally.Order.Name != "gittins" || len(c.Hide) > 0 {
		return false
	}
	fits := func(r *schedenv.Config) bool {
		return r.Predictor != nil && r.Topology != nil && len(r.Topology.Types()) < 2
	}
	if len(c.Regimes) == 0 {
		return fits(&c.Config)
	}
	return !slices.ContainsFunc(c.Regimes, func(r schedenv.Config) bool { return !fits(&r) })
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

// Parameters are the weights of the score, the margin and the weights of the gate, and the weights
// of a wait. They start as the rule least-lost-per-gpu with Config.Margin and Config.WaitCheckpoint.
func (e *Env) Parameters() []trait.Parameter {
	names := victim.WeightNames()
	out := trait.Weights(names, e.start())
	margin := &out[slices.Index(names, "margin")]
	margin.Lo, margin.Hi = 0, victim.MostWeight
	return out
}

// start is the vector that Parameters start with.
func (e *Env) start() victim.Weights {
	wait := 0.0
	if e.cfg.WaitCheckpoint > 0 {
		wait = float64(e.cfg.WaitCheckpoint) / float64(e.cfg.Lease())
	}
	return victim.RuleWeights(e.cfg.Margin, wait)
}

// check reports whether a vector has the right length.
func (e *Env) check(params []float64) error {
	if err := victim.Weights(params).Check(); err != nil {
		return fmt.Errorf("%s: %w", e.cfg.id(), err)
	}
	return nil
}

// Export writes a vector as the text file that the policy dally reads (weights=FILE).
func (e *Env) Export(w io.Writer, params []float64) error { return victim.Weights(params).Export(w) }

// Answer adds the candidate with the least score of the candidates that may go, if they have the GPUs
// that are lacking; else it leaves it at that, or waits.
func (e *Env) Answer(dst, obs, params []float64) error {
	if err := e.check(params); err != nil {
		return err
	}
	if want := e.Spec().Observation.Len(); len(dst) != 1 || len(obs) != want {
		return fmt.Errorf("%s: %d action and %d observation entries, expected 1 and %d", e.cfg.id(), len(dst), len(obs),
			want)
	}
	dst[0] = float64(e.cfg.act(obs, params))
	return nil
}

// vector is a fresh scheduler with a vector in the agent's place; it sets asked at its first question.
func (e *Env) vector(params []float64, warm sim.Time, asked *bool) sim.Policy {
	return schedenv.AsPolicy(e.cfg.fresh(), func(obs []float64, _ []bool, action []float64) {
		*asked = true
		action[0] = float64(e.cfg.act(obs, params))
	}, warm, *e.Spec())
}
