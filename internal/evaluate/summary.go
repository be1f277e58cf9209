package evaluate

import (
	"tarry/internal/results"
	"tarry/internal/rng"
	"tarry/internal/stats"
	"tarry/internal/trial"
)

// Row compares one policy with the first one (the first agent) over the windows.
type Row struct {
	// Policy is its name, Agent what an agent is in full ("" for baselines).
	Policy, Agent string
	// Runs are its trials, one per window; of several seeds one seed's after the other's.
	Runs []*trial.Result
	// Seeds is how many training seeds are taken together; 1 for a single agent and for a baseline.
	Seeds int
	// Member says that it is one of the seeds of a row before it.
	Member bool
	// IQM is the interquartile mean of the windows' mean completion times, bootstrapped.
	IQM stats.Interval
	// Diff is the mean completion time minus the first policy's, Student's interval over windows;
	// Improvement the share of windows on which the first policy has the smaller one, ties half.
	// Both compare the same window; the first policy's own have N = 0. Where several seeds are taken
	// together, all intervals are bootstrapped over seeds and windows (stats.TwoLevel), and
	// Improvement is over pairs of seeds too. A single seed of the first policy is compared with
	// the mean over all its seeds, over windows.
	Diff, Improvement stats.Interval
	// Profile is the performance profile: for each of Taus the share of windows on which the mean
	// completion time is less than tau times the least that any of the policies reached.
	Profile []stats.Interval
}

// Taus are the places of the performance profile.
func Taus() []float64 { return []float64{1.01, 1.1, 1.25, 1.5, 2} }

// reps is the number of resamples.
const reps = 2000

// Summarise groups results, which are in the order of the trials, by policy: agents of several seeds
// as one, then each, the other agents, the baselines.
func (s *Setup) Summarise(done []*trial.Result) ([]Row, error) {
	least, places := s.least(done), s.places()
	out := make([]Row, len(places))
	var first stats.Grid
	for i, p := range places {
		r := Row{Policy: p.name, Agent: p.agent, Seeds: len(p.policies), Member: p.of >= 0}
		for _, k := range p.policies {
			r.Runs = append(r.Runs, done[k*s.Windows:(k+1)*s.Windows]...)
		}
		x := gridOf(r.Runs, s.Windows)
		dice := rng.Source{Seed: s.seed, Experiment: "evaluate", Cell: p.name}
		if i == 0 {
			first = x
		}
		if err := r.judge(dice, first, x, least, i == 0, p.of == 0); err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}

// judge fills in the numbers; own says that the row is one seed of the first.
func (r *Row) judge(dice rng.Source, first, x stats.Grid, least []float64, isFirst, own bool) error {
	if r.Seeds > 1 {
		if err := r.alone(dice, x, least); err != nil {
			return err
		}
	} else {
		r.IQM = stats.Bootstrap(dice.Stream("iqm"), x[0], stats.IQM, stats.Options{Reps: reps})
		r.Profile = profile(dice.Stream("profile"), x[0], least)
	}
	switch {
	case isFirst:
		return nil
	case !own && (r.Seeds > 1 || len(first) > 1):
		return r.twoLevels(dice, first, x)
	}
	c, err := stats.Paired(dice.Stream("paired"), overSeeds(first), x[0], stats.Options{Reps: reps, Method: stats.StudentT})
	if err != nil {
		return err
	}
	d := c.Diff
	d.Point, d.Lo, d.Hi = 0-d.Point, 0-d.Hi, 0-d.Lo // no difference is 0, not -0
	r.Diff, r.Improvement = d, c.Below
	return nil
}

// Windows is how many windows each of its seeds ran on.
func (r *Row) Windows() int { return len(r.Runs) / r.Seeds }

// least gives for each window the smallest mean completion time of all policies.
func (s *Setup) least(done []*trial.Result) []float64 {
	out := jct(done[:s.Windows])
	for i, v := range jct(done) {
		out[i%s.Windows] = min(out[i%s.Windows], v)
	}
	return out
}

// profile turns values into scores, larger is better, as stats.Profile wants them.
func profile(dice *rng.Stream, x, least []float64) []stats.Interval {
	scores, taus := make([]float64, len(x)), Taus()
	for i, v := range x {
		scores[i] = -v / least[i]
	}
	for i := range taus {
		taus[i] = -taus[i]
	}
	return stats.Profile(dice, stats.Strata{scores}, taus, stats.Options{Reps: reps})
}

// jct lists the windows' mean completion times.
func jct(runs []*trial.Result) []float64 {
	x := make([]float64, len(runs))
	for i, r := range runs {
		x[i] = r.Row.JCTMean
	}
	return x
}

// Evals are the rows of the table evals: one per agent or baseline and window.
func Evals(rows []Row) []results.Eval {
	var out []results.Eval
	for _, r := range rows {
		if r.Seeds > 1 {
			continue // each of them has a row of its own
		}
		for _, run := range r.Runs {
			out = append(out, results.Eval{Keys: run.Row.Keys, Agent: r.Agent, Summary: run.Row.Summary})
		}
	}
	return out
}
