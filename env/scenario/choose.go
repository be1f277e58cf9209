package scenario

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/internal/fixmath"
	"tarry/internal/stats"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/rng"
)

// defaultJudge is the policy under which predictors are compared where the run's own reads none.
const defaultJudge = "dally:order=gittins,evict=later,margin=1"

// Choice is which predictor was chosen, and by what.
type Choice struct {
	// Predictor was chosen, as users write it.
	Predictor string `json:"predictor"`
	// Policy is the policy under which the candidates were simulated.
	Policy string `json:"policy"`
	// Windows of validation were simulated for each candidate, with so many Jobs together.
	Windows int `json:"windows"`
	Jobs    int `json:"jobs"`
	// Candidates are in the order of the catalogue.
	Candidates []Judged `json:"candidates"`
}

// Judged is a candidate.
type Judged struct {
	Predictor string `json:"predictor"`
	// JCTS is the geometric mean over windows of mean completion times, in seconds.
	JCTS float64 `json:"jct_s"`
	// Ahead is by how many standard errors it beats the candidate that is chosen unless another is
	// ahead, in pairs of the same window; 0 for that candidate itself.
	Ahead float64 `json:"ahead"`
}

// String states the choice in a line, with what it cost.
func (c *Choice) String() string {
	var all []string
	for _, one := range c.Candidates {
		all = append(all, fmt.Sprintf("%s %.6g (%+.1f)", one.Predictor, one.JCTS, one.Ahead))
	}
	return fmt.Sprintf("predict: auto is %s, by mean completion time under %s on windows of validation, in s "+
		"(standard errors ahead): %s; %d simulations of %d jobs together", c.Predictor, c.Policy, strings.Join(all, ", "),
		c.Windows*len(c.Candidates), c.Jobs*len(c.Candidates))
}

// chooser is the choice of predictors of a Setup, which its runs share.
type chooser struct {
	of         entry.Chooser
	candidates once[*Setup]  // by name
	chosen     once[*Choice] // by policy
}

// Chooses reports whether the scenario's predictor is chosen among several.
func (s *Setup) Chooses() bool { return s.chooser != nil }

// Chosen is which predictor was chosen for a policy, by its completion times on windows of
// validation: none of their jobs is in a window of test, and none comes behind the first of these.
// A policy that reads no prediction, or "", has the choice of another, which Choice.Policy names. When
// ctx ends the choice does, with its error; the next call chooses anew.
func (s *Setup) Chosen(ctx context.Context, policy string) (*Choice, error) {
	return s.choose(ctx, policy, s.validation)
}

// ChosenOn is Chosen where the scenario has no parts: predictors are fitted on jobs of the past, and
// simulated on other workloads, which have been prepared.
func (s *Setup) ChosenOn(ctx context.Context, policy string, past []sim.Job, draws rng.Source,
	on []*sim.Workload) (*Choice, error) {
	return s.choose(ctx, policy, func() ([]judged, error) {
		var out []judged
		for _, w := range on {
			out = append(out, judged{w, func(of *Setup) (sim.Predictor, error) { return of.PredictorOf(past, draws) },
				func() sim.Outages { return s.Outages(draws.Stream("outages")) }})
		}
		return out, nil
	})
}

// Candidate is the setup with one of the predictors among which it chooses.
func (s *Setup) Candidate(name string) (*Setup, error) {
	return s.chooser.candidates.get(name, func() (*Setup, error) {
		p, err := s.from.Predictors.Parse(name)
		if err != nil {
			return nil, err
		}
		out := *s
		out.Scenario.Predict, out.predictor, out.fits, out.chooser = name, p, &fits{}, nil
		return &out, nil
	})
}

// choose compares the candidates under a policy once.
func (s *Setup) choose(ctx context.Context, policy string, windows func() ([]judged, error)) (*Choice, error) {
	if policy != "" {
		if k, err := s.from.Policies.Knows(policy); err != nil || k&know.Estimate == 0 {
			policy = "" // what is no name, as an agent's, steers a policy of the environment
		}
	}
	if policy == "" {
		policy = defaultJudge
	}
	return s.chooser.chosen.get(policy, func() (*Choice, error) {
		c, err := s.compare(ctx, policy, windows)
		if err != nil {
			return nil, wrong("predict", "predict: auto: %w", err)
		}
		return c, nil
	})
}

func (s *Setup) compare(ctx context.Context, policy string, windows func() ([]judged, error)) (*Choice, error) {
	_, fresh, err := s.from.Policies.Parse(policy, cluster.BestFit)
	if err != nil {
		return nil, err
	}
	on, err := windows()
	if err != nil {
		return nil, err
	}
	names, err := s.candidates(on)
	if err != nil {
		return nil, err
	}
	c := &Choice{Policy: policy, Windows: len(on)}
	for i := range on {
		c.Jobs += len(on[i].jobs.Jobs)
	}
	logs := make([][]float64, len(names))
	for k, name := range names {
		if logs[k], err = s.judge(ctx, name, fresh, on); err != nil {
			return nil, fmt.Errorf("%s under %s: %w", name, policy, err)
		}
	}
	c.pick(names, logs, s.chooser.of)
	return c, nil
}

// pick chooses by the logs of completion times of the candidates on the windows.
func (c *Choice) pick(names []string, logs [][]float64, of entry.Chooser) {
	name, margin := of.Unless()
	unless := max(0, slices.Index(names, name))
	best := unless
	for k := range names {
		c.Candidates = append(c.Candidates, Judged{names[k], fixmath.Exp(stats.Mean(logs[k])),
			ahead(logs[k], logs[unless])})
		if stats.Mean(logs[k]) < stats.Mean(logs[best]) {
			best = k
		}
	}
	if c.Candidates[best].Ahead < margin {
		best = unless
	}
	c.Predictor = names[best]
}

// ahead is by how many standard errors x is below y in the mean; 0 where they are the same, or there
// is one pair.
func ahead(x, y []float64) float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = y[i] - x[i]
	}
	n, mean, square := float64(len(d)), stats.Mean(d), 0.0
	for _, v := range d {
		square += float64((v - mean) * (v - mean))
	}
	if square == 0 || n < 2 {
		return 0
	}
	return mean / math.Sqrt(square/(n-1)/n)
}

// candidates are the names of the predictors to compare on some windows.
func (s *Setup) candidates(on []judged) ([]string, error) {
	names := s.chooser.of.Candidates()
	asked := slices.ContainsFunc(on, func(w judged) bool {
		return slices.ContainsFunc(w.jobs.Jobs, func(j sim.Job) bool { return j.Request > 0 })
	})
	if names != nil {
		return names, nil
	}
	for _, e := range s.from.Predictors {
		p, err := s.from.Predictors.Parse(e.Name)
		if err != nil {
			return nil, err
		}
		if asks, ok := p.(entry.Asking); p == nil || choosing(p) || ok && asks.Asks() && !asked {
			continue
		}
		names = append(names, e.Name)
	}
	return names, nil
}

func choosing(p entry.LearnedPredictor) bool {
	_, ok := p.(entry.Chooser)
	return ok
}

// buildChooser checks the candidates that are named.
func (s *Setup) buildChooser() error {
	of, ok := s.predictor.(entry.Chooser)
	if !ok {
		return nil
	}
	s.chooser = &chooser{of: of}
	var errs []error
	for i, name := range of.Candidates() {
		p, err := s.from.Predictors.Parse(name)
		switch g, states := p.(entry.Guesses); {
		case err != nil:
		case p == nil || choosing(p):
			err = fmt.Errorf("of has %s, expected predictors among which to choose", name)
		case slices.Contains(of.Candidates()[:i], name):
			err = fmt.Errorf("of has %s twice, expected different predictors", name)
		case states:
			if _, guessed := g.Guesses(); guessed {
				err = fmt.Errorf("of has %s, expected predictors that leave the requests of jobs as they are", name)
			}
		}
		if err != nil {
			errs = append(errs, wrong("predict", "predict: auto: %w", err))
		}
	}
	return errors.Join(errs...)
}
