package evaluate

import (
	"math"
	"slices"
	"strings"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/bounds"
	"tarry/run/compare"
	"tarry/run/trial"
)

// Row compares one policy with the first one (the first agent) over the windows.
type Row struct {
	// Policy is its name, Agent what an agent is in full ("" for baselines).
	Policy, Agent string
	// Label is the name for readers that it was given; "" = none. Labelled states that some row has
	// one.
	Label    string
	Labelled bool
	// Short is the name in pictures of a scheduler that was tuned; "" = Policy is.
	Short string
	// CostName names what JCT has in an environment outside the simulator; "" = over the simulator.
	CostName string
	// Runs are its trials, one per window; of several seeds one seed's after the other's.
	Runs []*trial.Result
	// Seeds is how many training seeds are taken together; 1 for a single agent and for a baseline.
	Seeds int
	// Member states that it is one of the seeds of a row before it; Chosen that it is the seed
	// chosen by validation, which has a row of its own name beside.
	Member, Chosen bool
	// TrainSeed and SHA256 are the seed of its training or tuning and the hash of the checkpoint or
	// of what was chosen; results.NoSeed and "" for baselines and for several seeds together.
	TrainSeed uint64
	SHA256    string
	// JCT are the mean completion times by which it is compared, in the order of Runs: over the
	// jobs of a window that all policies finished; NaN where there is no such job. They equal Runs
	// when all finished the same jobs.
	JCT []float64
	// Compared is the number of those jobs over all windows, and Jobs the number of all jobs.
	// Windows without such a job are left out of every comparison.
	Compared, Jobs int
	// Common marks the jobs of each window that all policies finished.
	Common [][]bool
	// IQM is the interquartile mean of JCT; all that follows is over JCT.
	IQM stats.Interval
	// Diff is the mean completion time minus the first policy's, Student's interval over windows;
	// Improvement the share of windows on which the first policy has the smaller one, ties half.
	// Both compare the same window; the first policy's own have N = 0. Where several seeds are
	// taken together, all intervals are over seeds and windows (stats.Estimate), and Improvement is
	// over pairs of seeds too. A single seed of the first policy is compared with the mean over all
	// its seeds, over windows.
	Diff, Improvement stats.Interval
	// Profile is the performance profile: for each of Taus the share of windows on which the mean
	// completion time is less than tau times the least that any of the policies reached.
	Profile []stats.Interval
	// Measured are the means over windows of what the table measures states of all jobs, in the
	// order of compare.Measures; nil where there is none.
	Measured []compare.Cell
	// Paired are the differences of energy over windows, where it is stated.
	Paired []compare.Paired

	keys []results.Keys // of the windows, outside the simulator
}

// Taus are the places of the performance profile.
func Taus() []float64 { return []float64{1.01, 1.1, 1.25, 1.5, 2} }

// Summarise groups results, which are in the order of the trials, by policy: agents of several
// seeds as one, then each, the other agents, the baselines.
func (s *Setup) Summarise(done []*trial.Result) ([]Row, error) {
	if s.bounded > 0 {
		n := len(s.Policies) - s.bounded
		whole := slices.Clone(done[:n*s.Windows])
		for _, runs := range bounds.Pick(done[n*s.Windows:], s.Windows, max(1, len(s.Regimes)), s.more...) {
			whole = append(whole, runs...)
		}
		done = whole
	}
	m, places := s.match(done), s.places()
	least := m.least()
	out := make([]Row, len(places))
	var first stats.Grid
	for i, p := range places {
		r := Row{Policy: p.name, Label: s.Labels[p.name], Labelled: len(s.Labels) > 0, Agent: p.agent,
			Seeds: len(p.policies), Member: p.of >= 0 && !p.chosen, Chosen: p.chosen, TrainSeed: p.seed,
			SHA256: p.sha256, Short: p.short, Compared: m.compared, Jobs: m.jobs, Common: m.common}
		var x stats.Grid
		for _, k := range p.policies {
			r.Runs = append(r.Runs, done[k*s.Windows:(k+1)*s.Windows]...)
			r.JCT = append(r.JCT, m.jct[k]...)
			x = append(x, m.known(m.jct[k]))
		}
		r.Measured = compare.MeasuresOf(r.Runs, done)
		if i == 0 {
			first = x
		}
		var err error
		if r.Paired, err = compare.PairedOf(r.Runs, firstRuns(out, &r), s.Windows); err != nil {
			return nil, err
		}
		if err := r.judge(first, x, least, i == 0, p.of == 0); err != nil {
			return nil, err
		}
		out[i] = r
	}
	return out, nil
}

// firstRuns are the runs of the first row, which may be this one.
func firstRuns(rows []Row, r *Row) []*trial.Result {
	if rows[0].Runs == nil {
		return r.Runs
	}
	return rows[0].Runs
}

// judge fills in the numbers; own states that the row is one seed of the first.
func (r *Row) judge(first, x stats.Grid, least []float64, isFirst, own bool) error {
	if len(least) == 0 {
		r.nothing(isFirst)
		return nil
	}
	if err := r.alone(x, least); err != nil {
		return err
	}
	if isFirst {
		return nil
	}
	if own { // with the mean of all seeds, of which it is one
		first = stats.Grid{overSeeds(first)}
	}
	var err error
	r.Diff, r.Improvement, err = stats.Against(first, x)
	return err
}

// Windows is how many windows each of its seeds ran on.
func (r *Row) Windows() int { return len(r.JCT) / r.Seeds }

// Knows is what the policy knows of jobs, as in the table evals.
func (r *Row) Knows() string {
	if len(r.Runs) == 0 {
		return ""
	}
	return r.Runs[0].Row.Knows
}

// nothing states that no window can be compared.
func (r *Row) nothing(isFirst bool) {
	none := stats.Interval{Point: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	r.IQM = none
	for range Taus() {
		r.Profile = append(r.Profile, none)
	}
	if !isFirst {
		r.Diff, r.Improvement = none, none
	}
}

// matched are the numbers that policies are compared by: of each policy and window the mean
// completion time of the jobs that all policies finished.
type matched struct {
	jct            [][]float64 // by policy and window; NaN = no job of the window was finished by all
	windows        []int       // windows with a number
	compared, jobs int
	common         [][]bool // by window
}

func (s *Setup) match(done []*trial.Result) *matched {
	m := &matched{jct: make([][]float64, len(s.Policies))}
	for w := range s.Windows {
		var runs []*trial.Result
		for p := range s.Policies {
			runs = append(runs, done[p*s.Windows+w])
		}
		jobs := trial.Common(runs)
		n := trial.Count(jobs)
		m.common = append(m.common, jobs)
		m.compared, m.jobs = m.compared+n, m.jobs+len(jobs)
		if n > 0 {
			m.windows = append(m.windows, w)
		}
		for p, r := range runs {
			m.jct[p] = append(m.jct[p], r.MeanOver(jobs))
		}
	}
	return m
}

// known keeps the windows that have numbers.
func (m *matched) known(x []float64) []float64 {
	out := make([]float64, len(m.windows))
	for i, w := range m.windows {
		out[i] = x[w]
	}
	return out
}

// least gives for each window that has numbers the smallest of all policies.
func (m *matched) least() []float64 {
	out := m.known(m.jct[0])
	for _, x := range m.jct {
		for i, v := range m.known(x) {
			out[i] = min(out[i], v)
		}
	}
	return out
}

// Evals are the rows of the table evals: one per agent or baseline and window.
func Evals(rows []Row) []results.Eval {
	var out []results.Eval
	for _, r := range rows {
		if r.Seeds > 1 || r.Chosen {
			continue // each of them has a row of its own
		}
		agent := r.Agent
		if strings.HasPrefix(r.Policy, Untrained) {
			agent = "" // nothing trained it: a baseline
		}
		for i, k := range r.keys {
			out = append(out, results.Eval{Keys: k, Agent: agent, TrainSeed: r.TrainSeed, CheckpointSHA256: r.SHA256,
				Summary: noSummary(), Cost: r.JCT[i], CostName: r.CostName})
		}
		for _, run := range r.Runs {
			out = append(out, results.Eval{Keys: run.Row.Keys, Agent: agent, TrainSeed: r.TrainSeed,
				CheckpointSHA256: r.SHA256, Summary: run.Row.Summary, Cost: math.NaN()})
		}
	}
	return out
}
