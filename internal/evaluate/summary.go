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
}

// reps is the number of resamples.
const reps = 2000

// Summarise groups results, which are in the order of the trials, by policy.
func (s *Setup) Summarise(done []*trial.Result) ([]Row, error) {
	out := make([]Row, len(s.Policies))
	first := jct(done[:s.Windows])
	for p, name := range s.Policies {
		runs := done[p*s.Windows : (p+1)*s.Windows]
		x := jct(runs)
		dice := rng.Source{Seed: s.seed, Experiment: "evaluate", Cell: name}
		out[p] = Row{Policy: name, Runs: runs, IQM: stats.Bootstrap(dice.Stream("iqm"), x, stats.IQM, stats.Options{Reps: reps})}
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
		d.Point, d.Lo, d.Hi = -d.Point, -d.Hi, -d.Lo
		out[p].Diff, out[p].Improvement = d, c.Below
	}
	return out, nil
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
