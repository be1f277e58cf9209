package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tarry/env"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/rng"
)

// A predictor is fitted on training jobs that are not of the window for which it is asked. Where
// windows come out of a list of jobs, these are the training part's; for a window of the training
// part itself, the jobs of them that are not near it. For a window of another part they are the
// jobs that have ended when it begins, each as if it had started at once; in lists that are dealt
// out at random there is no such order, and it is all of them. Where windows are drawn from a law,
// they are the jobs of other training windows.

// fits keeps fitted predictors. Setups are shared by goroutines: two that need different fits make
// them at the same time.
type fits struct {
	cutting sync.Once
	past    []sim.Job
	block   map[string]int // job -> which of the blocks of past it is in
	fitted  once[entry.LearnedPredictor]
	drawn   once[[]sim.Job] // windows of a law that fits are made on
	first   int             // of the windows of a law that the fit for other parts is made on
}

// folds is how many blocks the training part is cut into: for a window in it, the blocks that hold
// its jobs are left out.
const folds = 8

// enoughJobs is how many jobs of a law a predictor is fitted on, at least.
const enoughJobs = 4000

// buildPredictor reads the scenario's predictor.
func (s *Setup) buildPredictor() error {
	p, err := s.from.Predictors.Parse(s.Scenario.Predict)
	if err != nil {
		return wrong("predict", "%w", err)
	}
	s.predictor, s.fits = p, &fits{}
	return s.buildChooser()
}

// guesses is the error of the users that are simulated; ok is false where jobs keep the requests
// that they have.
func (s *Setup) guesses() (sigma float64, ok bool) {
	if g, states := s.predictor.(entry.Guesses); states {
		return g.Guesses()
	}
	return 0, false
}

// Predicts reports whether the scenario has a predictor.
func (s *Setup) Predicts() bool { return s.predictor != nil }

// Exact reports whether the scenario's predictor is exact.
func (s *Setup) Exact() bool {
	p, ok := s.predictor.(interface{ Exact() bool })
	return ok && p.Exact()
}

// PredictorOf gives the scenario's predictor fitted on jobs of the past, which are prepared first;
// nil where it has none.
func (s *Setup) PredictorOf(past []sim.Job, draws rng.Source) (sim.Predictor, error) {
	if s.predictor == nil {
		return nil, nil
	}
	p, err := s.fit(past, draws)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (s *Setup) fit(past []sim.Job, draws rng.Source) (entry.LearnedPredictor, error) {
	p, err := s.from.Predictors.Parse(s.Scenario.Predict)
	if err != nil {
		return nil, err
	}
	if len(past) > 0 {
		w, _, err := s.Prepare(&sim.Workload{Name: "past", Jobs: past}, draws)
		if err != nil {
			return nil, err
		}
		past = w.Jobs
	}
	p.Fit(past)
	return p, nil
}

// Predictor gives the scenario's predictor for a window, fitted on training jobs that are not of
// that window; nil where the scenario has none. Runs clone it. policy is the policy by which one is
// chosen where the scenario chooses, as for Chosen: a caller that may be interrupted asks for Chosen
// first.
func (s *Setup) Predictor(part Part, window int, policy string) (sim.Predictor, error) {
	if s.predictor == nil {
		return nil, nil
	}
	if s.Chooses() {
		c, err := s.Chosen(context.Background(), policy)
		if err != nil {
			return nil, err
		}
		of, err := s.Candidate(c.Predictor)
		if err != nil {
			return nil, err
		}
		return of.Predictor(part, window, policy)
	}
	p, err := s.predictorOf(part, window)
	if err != nil {
		return nil, fmt.Errorf("predictor %s: %w", s.Scenario.Predict, err)
	}
	return p, nil
}

func (s *Setup) predictorOf(part Part, window int) (sim.Predictor, error) {
	list, ok := s.raw.(Listed)
	if !ok {
		return s.drawnFit(part, window)
	}
	s.fits.cutting.Do(func() { s.fits.cut(list.Jobs(Train).Jobs) })
	if part != Train {
		past := s.fits.past
		if d, ok := list.(Dated); ok {
			past = endedBy(past, d.Begins(part, window))
		}
		return s.cached(fmt.Sprintf("the %d that ended first", len(past)),
			func() ([]sim.Job, error) { return past, nil })
	}
	w, err := s.raw.Window(part, window)
	if err != nil {
		return nil, err
	}
	out, own := s.fits.near(w.Jobs)
	if slices.Index(out, false) < 0 { // the window is spread over all blocks: leave out its jobs alone
		return s.fit(slices.DeleteFunc(slices.Clone(s.fits.past), func(j sim.Job) bool { return own[j.ID] }),
			s.fitDraws())
	}
	return s.cached(fmt.Sprint(out), func() ([]sim.Job, error) {
		return slices.DeleteFunc(slices.Clone(s.fits.past), func(j sim.Job) bool { return out[s.fits.block[j.ID]] }),
			nil
	})
}

// endedBy are the jobs that have ended by a time, if each started at its submit.
func endedBy(jobs []sim.Job, at sim.Time) []sim.Job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j sim.Job) bool { return j.Submit+j.RunTime() > at })
}

// fitDraws are the random streams of the jobs that predictors are fitted on.
func (s *Setup) fitDraws() rng.Source {
	return rng.Source{Seed: env.HashSeed(s.Scenario.Cuts.DataSeed, "scenario/past", 0)}
}

// cached fits on some jobs once.
func (s *Setup) cached(name string, jobs func() ([]sim.Job, error)) (sim.Predictor, error) {
	p, err := s.fits.fitted.get(name, func() (entry.LearnedPredictor, error) {
		past, err := jobs()
		if err != nil {
			return nil, err
		}
		return s.fit(past, s.fitDraws())
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// cut notes the training part in blocks.
func (f *fits) cut(past []sim.Job) {
	f.past, f.block = past, make(map[string]int, len(past))
	for i := range past {
		f.block[past[i].ID] = i * folds / len(past)
	}
}

// near reports in which blocks jobs are, and names them. A copy of a job counts as the job.
func (f *fits) near(jobs []sim.Job) (out []bool, own map[string]bool) {
	out, own = make([]bool, folds), make(map[string]bool, len(jobs))
	for i := range jobs {
		id := jobs[i].ID
		if _, known := f.block[id]; !known {
			id = id[:max(0, strings.LastIndexByte(id, '#'))]
		}
		own[id] = true
		out[f.block[id]] = true
	}
	return out, own
}

// drawnFit fits on the last training windows of a law, one after another in time, without the
// window asked for.
func (s *Setup) drawnFit(part Part, window int) (sim.Predictor, error) {
	all, err := s.cached("all", func() (past []sim.Job, err error) {
		past, s.fits.first, err = s.lastWindows(-1)
		return past, err
	})
	if err != nil || part != Train || window < s.fits.first {
		return all, err
	}
	return s.cached(fmt.Sprint("without ", window), func() ([]sim.Job, error) {
		past, _, err := s.lastWindows(window)
		return past, err
	})
}

// lastWindows puts the last training windows but one after another in time, until there are enough
// jobs; first is the first of them.
func (s *Setup) lastWindows(but int) (past []sim.Job, first int, err error) {
	var at sim.Time
	for first = s.raw.Windows(Train); first > 0 && len(past) < enoughJobs; {
		if first--; first == but {
			continue
		}
		jobs, err := s.fits.drawn.get(fmt.Sprint(first), func() ([]sim.Job, error) { return s.numbered(first) })
		if err != nil {
			return nil, 0, err
		}
		last := sim.Time(0)
		for _, j := range jobs {
			last = j.Submit
			j.Submit += at
			past = append(past, j)
		}
		at += last + 1
	}
	return past, first, nil
}

// numbered is the jobs of a training window, whose names state which window it is.
func (s *Setup) numbered(window int) ([]sim.Job, error) {
	w, err := s.raw.Window(Train, window)
	if err != nil {
		return nil, err
	}
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		jobs[i].ID = fmt.Sprintf("%d/%s", window, jobs[i].ID)
	}
	return jobs, nil
}
