package config

import (
	"context"
	"fmt"

	"tarry/env/scenario"
	"tarry/sim"
)

// predict gives a run its predictor; where one is chosen, a predictor for each policy.
func (s *Setup) predict(run *Run, of func(policy string) (sim.Predictor, error)) (err error) {
	if !s.Chooses() {
		run.Predictor, err = of("")
		return err
	}
	for _, spec := range s.Config.Policies {
		if s.Config.Unchosen {
			break
		}
		p, err := of(s.Config.policySpec(spec))
		if err != nil {
			return s.Config.Located(err)
		}
		run.Chosen = append(run.Chosen, p)
	}
	return nil
}

// chooseFor chooses the predictors of the policies, until ctx ends.
func (s *Setup) chooseFor(ctx context.Context) error {
	if !s.Chooses() || s.Config.Unchosen {
		return nil
	}
	for _, spec := range s.Config.Policies {
		if _, err := s.Chosen(ctx, s.Config.policySpec(spec)); err != nil {
			return s.Config.Located(err)
		}
	}
	return nil
}

// predictor is the predictor of a run for a policy.
func (s *Setup) predictor(run *Run, policy int) sim.Predictor {
	if run.Chosen != nil {
		return run.Chosen[policy]
	}
	return run.Predictor
}

// predictorName is the predictor of a policy for people, and what was chosen.
func (s *Setup) predictorName(policy int) string {
	if s.choices != nil {
		return s.Config.Predict + ", chosen " + s.choices[policy].Predictor
	}
	return s.Config.Predict
}

// choicesOf is what was chosen for a policy, or for all of them by name.
func (s *Setup) choicesOf(policy int) any {
	if policy >= 0 {
		return s.choices[policy]
	}
	all := map[string]*scenario.Choice{}
	for i, spec := range s.Config.Policies {
		all[spec] = s.choices[i]
	}
	return all
}

// noteChoices keeps what was chosen, and notes it: once for policies that have one choice.
func (s *Setup) noteChoices() {
	if !s.Chooses() || s.Config.Unchosen {
		return
	}
	noted := map[*scenario.Choice]bool{}
	for _, spec := range s.Config.Policies {
		c, err := s.Chosen(context.Background(), s.Config.policySpec(spec))
		if err != nil { // the runs have asked for it
			continue
		}
		s.choices = append(s.choices, c)
		if !noted[c] {
			s.Notes = append(s.Notes, c.String())
		}
		noted[c] = true
	}
}

// noValidation is the fault of a recorded trace without parts.
func (s *Setup) noValidation() error {
	return fmt.Errorf("%spredict is %s, which chooses on windows of validation, and the trace is not cut into parts; "+
		"expected cuts, as --cuts part=test,horizon=72, or a predictor by name", s.Config.At("predict"),
		s.Config.Predict)
}

// chosenWindows is how many draws a predictor of generated jobs is chosen on.
const chosenWindows = 4

// chosen gives the predictor that is chosen for a policy, on draws that no run has, and that no
// predictor is fitted on.
func (h *pastJobs) chosen(ctx context.Context, policy string) (sim.Predictor, error) {
	s := h.setup
	if h.past == nil {
		w, err := h.open(drawnReplicate)
		if err != nil {
			return nil, err
		}
		h.past = w.Jobs
		for i := range chosenWindows {
			if w, err = h.open(drawnReplicate + 1 + i); err != nil {
				return nil, err
			}
			if w, _, err = s.Prepare(w, s.source(drawnReplicate+1+i)); err != nil {
				return nil, err
			}
			h.validation = append(h.validation, w)
		}
	}
	c, err := s.ChosenOn(ctx, policy, h.past, s.source(drawnReplicate), h.validation)
	if err != nil {
		return nil, err
	}
	if p := h.fitted[c.Predictor]; p != nil {
		return p, nil
	}
	of, err := s.Candidate(c.Predictor)
	if err != nil {
		return nil, err
	}
	p, err := of.PredictorOf(h.past, s.source(drawnReplicate))
	if err != nil {
		return nil, err
	}
	if h.fitted == nil {
		h.fitted = map[string]sim.Predictor{}
	}
	h.fitted[c.Predictor] = p
	return p, nil
}
