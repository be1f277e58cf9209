package predict

import (
	"tarry/sim"
	"tarry/sim/param"
)

// auto stands for the predictor that a run chooses among several by completion times (entry.Chooser).
// The choice needs a cluster: env/scenario makes it. Without one it predicts as mix.
type auto struct {
	Predictor
	of            []string
	windows, jobs int
	margin        float64
}

// Candidates are the names that were given; nil = all that are there.
func (a *auto) Candidates() []string { return a.of }

// Unless is mix, which was worse than its parts on no log.
func (a *auto) Unless() (name string, errors float64) { return "mix", a.margin }

// Bounds limits what the choice costs.
func (a *auto) Bounds() (windows, jobs int) { return a.windows, a.jobs }

// Clone copies what it predicts as.
func (a *auto) Clone() sim.Predictor { return a.Predictor.Clone() }

// Auto is the predictor with the shortest completion times on validation.
func Auto() Entry {
	return predictor("auto", "the predictor with the shortest mean completion times on windows of validation, under "+
		"the run's own policy", "",
		"of       candidates, joined by +; all = each predictor that the jobs have something for\n"+
			"margin   standard errors by which a candidate must be ahead of mix, or of the first of `of`\n"+
			"windows  windows of validation on which each candidate is simulated, at most\n"+
			"jobs     jobs of these windows together: the window that reaches it is the last", newAuto)
}

func newAuto(s *param.Set) (Predictor, error) {
	a := &auto{of: s.Texts("of", []string{"all"}), windows: s.Int("windows", 48, 1, 10000),
		jobs: s.Int("jobs", 20000, 1, 1<<30), margin: s.Float("margin", 1, 0, 1e6)}
	if len(a.of) == 1 && a.of[0] == "all" {
		a.of = nil
	}
	fallback, err := newMix(param.Parse("", ""))
	a.Predictor = fallback
	if err != nil {
		return nil, err
	}
	return a, s.Err()
}

// Asks reports that a predictor goes by requests of the jobs alone, of which some must have one.
func (p *online) Asks() bool {
	_, ok := p.est.(*request)
	return ok && p.sigma < 0
}
