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
	// Runs are its trials, one per window.
	Runs []*trial.Result
	// IQM is the interquartile mean of the windows' mean completion times, bootstrapped.
	IQM stats.Interval
	// Diff is the mean completion time minus the first policy's, Student's interval over windows;
	// Improvement the share of windows on which the first policy has the smaller one, ties half.
	// Both compare the same window; the first policy's own have N = 0.
	Diff, Improvement stats.Interval
	// Profile is the performance profile: for each of Taus the share of windows on which the mean
	// completion time is less than tau times the least that any of the policies reached.
	Profile []stats.Interval
}

// Taus are the places of the performance profile.
func Taus() []float64 { return []float64{1.01, 1.1, 1.25, 1.5, 2} }

// reps is the number of resamples.
const reps = 2000

// Summarise groups results, which are in the order of the trials, by policy.
func (s *Setup) Summarise(done []*trial.Result) ([]Row, error) {
	out := make([]Row, len(s.Policies))
	first, least := jct(done[:s.Windows]), s.least(done)
	for p, name := range s.Policies {
		runs := done[p*s.Windows : (p+1)*s.Windows]
		x := jct(runs)
		dice := rng.Source{Seed: s.seed, Experiment: "evaluate", Cell: name}
		out[p] = Row{Policy: name, Runs: runs, IQM: stats.Bootstrap(dice.Stream("iqm"), x, stats.IQM, stats.Options{Reps: reps})}
		out[p].Profile = profile(dice.Stream("profile"), x, least)
		if p < len(s.Agents) {
			out[p].Agent = s.Agents[p].Agent
		}
		if p == 0 {
			continue
		}
		c, err := stats.Paired(dice.Stream("paired"), first, x, stats.Options{Reps: reps, Method: stats.StudentT})
		if err != nil {
			return nil, err
		}
		d := c.Diff
		d.Point, d.Lo, d.Hi = 0-d.Point, 0-d.Hi, 0-d.Lo // no difference is 0, not -0
		out[p].Diff, out[p].Improvement = d, c.Below
	}
	return out, nil
}

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

// Evals are the rows of the table evals.
func Evals(rows []Row) []results.Eval {
	var out []results.Eval
	for _, r := range rows {
		for _, run := range r.Runs {
			out = append(out, results.Eval{Keys: run.Row.Keys, Agent: r.Agent, Summary: run.Row.Summary})
		}
	}
	return out
}
