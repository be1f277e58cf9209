package config

import (
	"context"
	"fmt"

	"tarry/sim"
)

// pastJobs gives predictors the jobs that they learn from before a replicate of a workload in one
// piece: generated jobs of other draws, or the jobs of a trace that ended before the replicate's
// window. In the first window of a trace there are none: a predictor then learns in the run alone.
type pastJobs struct {
	setup     *Setup
	open      func(replicate int) (*sim.Workload, error)
	first     *sim.Workload
	generated bool
	drawn     sim.Predictor // of generated jobs, for all replicates
	// past and validation are what one is chosen on: jobs to be fitted on, and other draws.
	past       []sim.Job
	validation []*sim.Workload
	fitted     map[string]sim.Predictor // by name
}

// replicate is the jobs of a replicate: another draw, or a window of the trace.
func (h *pastJobs) replicate(r int) (*sim.Workload, error) {
	switch n := h.setup.Config.Replicates; {
	case h.generated && r > 0:
		return h.open(r)
	case !h.generated && n > 1:
		return window(h.first, r, n)
	}
	return h.first, nil
}

// drawnReplicate is the number of the replicate that predictors of generated jobs learn from: no
// run has it.
const drawnReplicate = 1_000_003

// before gives the predictor of a replicate for a policy; nil where the run has none.
func (h *pastJobs) before(ctx context.Context, r int, policy string) (p sim.Predictor, err error) {
	s := h.setup
	if !s.Predicts() {
		return nil, nil
	}
	if s.Chooses() {
		return h.chosen(ctx, policy)
	}
	if h.generated {
		if h.drawn == nil {
			var w *sim.Workload
			if w, err = h.open(drawnReplicate); err != nil {
				return nil, err
			}
			h.drawn, err = s.PredictorOf(w.Jobs, s.source(drawnReplicate))
			s.Notes = append(s.Notes, fmt.Sprintf("predict: %s learns from %d other jobs of the same law before "+
				"the runs", s.Config.Predict, len(w.Jobs)))
		}
		return h.drawn, err
	}
	n := r * len(h.first.Jobs) / s.Config.Replicates
	if r == 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("predict: %s learns from the jobs before each window; before the "+
			"first there are none", s.Config.Predict))
	}
	return s.PredictorOf(endedBefore(h.first.Jobs, n), s.source(r))
}

// endedBefore lists the jobs among the first n of a trace that have ended, if each started at its
// submit, when the next one comes.
func endedBefore(jobs []sim.Job, n int) []sim.Job {
	var out []sim.Job
	for i := range jobs[:n] {
		if jobs[i].Submit+jobs[i].RunTime() <= jobs[n].Submit {
			out = append(out, jobs[i])
		}
	}
	return out
}
