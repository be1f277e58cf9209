// Package deepshareref compares runs of DeepShare's simulator. A folder holds files, of which several
// sets may stand beside one another, HEADmeans.csv and so on:
//
//	job_results.csv    rule, job, model, gpus, samples, last_round, trained_s, samples_done
//	means.csv          rule, jobs_done, rounds, mean_trained_s, mean_gpu_share_used, mean_relative_throughput
//	rounds.csv         rule, round, job, nodes (0+1), gpus_per_node, ratio
//	observations.json  rule, round, obs, candidates (null = none), action; in the order of the decisions
//
// The jobs of a rule are its rows. All numbers are to be equal, but for the means' and the samples'
// last digits. isolated.csv and pair_ratio.csv stand in the folder or in profiles/deepshare of the
// shared data.
package deepshareref

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/env/place/deepshare"
	"tarry/fidelity/reference"
	table "tarry/sim/speed/deepshare"
)

// within is how far a mean may be off, relative to it.
const within = 1e-11

const (
	jobsFile     = "job_results.csv"
	meansFile    = "means.csv"
	roundsFile   = "rounds.csv"
	seenFile     = "observations.json"
	meansNumbers = "jobs_done rounds mean_trained_s mean_gpu_share_used mean_relative_throughput"
	meansColumns = "rule " + meansNumbers
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.BySets(reference.Sets{Name: "deepshare", Unit: "relative", Key: meansFile, Compare: compare,
		Knows: func(s *reference.Set) bool { return s.Has(meansFile, meansColumns) && s.Has(jobsFile, "") }})
}

func open(f *reference.Folder) (*deepshare.Tables, error) {
	for _, name := range table.Files() {
		if _, err := f.Find(name, "profiles/deepshare"); err != nil {
			return nil, err
		}
	}
	path, err := f.Find(table.Files()[0], "profiles/deepshare")
	if err != nil {
		return nil, err
	}
	read, err := table.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	return deepshare.From(read)
}

// decision is an observation and what was done.
type decision struct {
	Rule       string
	Round      int
	Obs        [][]uint8
	Candidates []*int
	Action     int
}

// placed is a job with GPUs in a round.
type placed struct{ round, job int }

// run is what a rule did.
type run struct {
	jobs   []deepshare.State
	means  deepshare.Means
	rounds int
	held   map[placed]deepshare.State
	said   []decision
}

// comparer is what the rows of a set are compared with.
type comparer struct {
	*reference.Set
	runs map[string]*run // by rule
}

func compare(s *reference.Set) error {
	tables, err := open(s.Folder)
	if err != nil {
		return err
	}
	c := &comparer{s, map[string]*run{}}
	if err := c.jobs(tables); err != nil {
		return err
	}
	if err := s.Each("means", meansFile, meansColumns, c.mean); err != nil {
		return err
	}
	if err := c.placements(); err != nil {
		return err
	}
	return c.decisions()
}

// jobs reads the jobs of each rule, plays them and compares what came of each.
func (c *comparer) jobs(tables *deepshare.Tables) error {
	jobs, err := c.Rows(jobsFile, "rule job model gpus samples last_round trained_s samples_done")
	if err != nil {
		return err
	}
	lists := map[string][]deepshare.Job{}
	for row := range jobs.Cells {
		l := &reference.Line{Rows: jobs, Row: row}
		rule, model := jobs.Text(row, "rule"), slices.Index(tables.Models, jobs.Text(row, "model"))
		at, ok := map[int]int{2: 0, 4: 1, 8: 2}[l.Count("gpus")]
		if model < 0 || !ok || l.Count("job") != len(lists[rule]) {
			return fmt.Errorf("%s: row %d: expected the next job, a model of the tables on 2, 4 or 8 GPUs", jobs.File, row+1)
		}
		lists[rule] = append(lists[rule], deepshare.Job{Type: model*deepshare.Demands + at, Samples: l.Number("samples")})
		if l.Err != nil {
			return l.Err
		}
	}
	for rule, list := range lists {
		i := slices.IndexFunc(deepshare.Rules(), func(r deepshare.Rule) bool { return r.Name == rule })
		if i < 0 {
			c.Leave("runs", c.File(jobsFile), 1, "no rule "+rule)
			continue
		}
		c.runs[rule] = play(tables, list, deepshare.Rules()[i])
	}
	for row := range jobs.Cells {
		if r := c.runs[jobs.Text(row, "rule")]; r != nil {
			c.Row("jobs", c.File(jobsFile), row, c.job(&reference.Line{Rows: jobs, Row: row}, r))
		}
	}
	return nil
}

// most bounds the rounds of a run.
const most = 100_000

// play runs a rule over a list of jobs.
func play(tables *deepshare.Tables, list []deepshare.Job, rule deepshare.Rule) *run {
	w := deepshare.New(tables, true)
	w.Reset(list)
	r := &run{held: map[placed]deepshare.State{}}
	for w.Live() && w.Round < most {
		rule.Place(w, func(action int) {
			d := decision{Rule: rule.Name, Round: w.Round, Action: action}
			for _, row := range w.Cells {
				d.Obs = append(d.Obs, slices.Clone(row[:]))
			}
			for _, j := range w.Candidates {
				if j < 0 {
					d.Candidates = append(d.Candidates, nil)
				} else {
					d.Candidates = append(d.Candidates, &j)
				}
			}
			r.said = append(r.said, d)
		})
		w.Share()
		for _, j := range w.Running {
			s := w.Jobs[j]
			s.Nodes = slices.Clone(s.Nodes)
			r.held[placed{w.Round, j}] = s
		}
		w.Close(rule.PreemptAll)
	}
	r.jobs, r.means, r.rounds = w.Jobs, w.Means(), w.Round
	return r
}

// job compares a row of the jobs.
func (c *comparer) job(l *reference.Line, r *run) error {
	s := &r.jobs[l.Count("job")]
	if err := c.Cells(l, 0, "last_round trained_s", float64(s.Last), float64(s.Rounds*deepshare.RoundS)); err != nil {
		return err
	}
	return c.Cells(l, within, "samples_done", s.Done)
}

// of is the run of a row.
func (c *comparer) of(l *reference.Line) (*run, error) {
	rule := l.Rows.Text(l.Row, "rule")
	if r := c.runs[rule]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("no jobs of rule %q", rule)
}

// mean compares a row of the means.
func (c *comparer) mean(l *reference.Line) error {
	r, err := c.of(l)
	if err != nil {
		return err
	}
	m := &r.means
	return c.Cells(l, within, meansNumbers, float64(m.Ended), float64(r.rounds), m.TrainedS, m.Used, m.Ratio)
}

// placements compares who was where, of which a set may have nothing: the jobs of every round that is
// stated, each with its nodes.
func (c *comparer) placements() error {
	type round struct {
		rule string
		at   int
	}
	stated := map[round]int{}
	err := c.Each("placements", roundsFile, "rule round job nodes gpus_per_node ratio", func(l *reference.Line) error {
		r, err := c.of(l)
		at, job := l.Count("round"), l.Count("job")
		if err != nil || l.Err != nil {
			return err
		}
		stated[round{l.Rows.Text(l.Row, "rule"), at}]++
		s, ok := r.held[placed{at, job}]
		if !ok {
			return fmt.Errorf("job %d has no GPUs in round %d", job, at)
		}
		nodes := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.Nodes)), "+"), "[]")
		if want := l.Rows.Text(l.Row, "nodes"); nodes != want {
			return fmt.Errorf("nodes %s, there %s", nodes, want)
		}
		return c.Cells(l, within, "gpus_per_node ratio", float64(s.PerNode), s.Ratio)
	})
	for x, n := range stated {
		has := 0
		for p := range c.runs[x.rule].held {
			if p.round == x.at {
				has++
			}
		}
		if n != has {
			c.Short = append(c.Short, fmt.Sprintf("%s: %s has %d jobs on GPUs in round %d, there %d", c.File(roundsFile),
				x.rule, has, x.at, n))
		}
	}
	return err
}

// decisions compares decisions, of which a set may have none: the decisions of a rule are its first.
func (c *comparer) decisions() error {
	all, err := reference.List[decision](c.Set, seenFile)
	if err != nil {
		return err
	}
	next := map[string]int{}
	for row, want := range all {
		r, at := c.runs[want.Rule], next[want.Rule]
		next[want.Rule]++
		err := fmt.Errorf("rule %q has no decision %d", want.Rule, at)
		if r != nil && at < len(r.said) {
			err = r.said[at].differs(&want)
		}
		c.Row("decisions", c.File(seenFile), row, err)
	}
	return nil
}

// differs states what differs from a decision.
func (d *decision) differs(want *decision) error {
	switch {
	case d.Round != want.Round:
		return fmt.Errorf("round %d, there %d", d.Round, want.Round)
	case !slices.EqualFunc(d.Obs, want.Obs, slices.Equal[[]uint8]):
		return fmt.Errorf("the observation is %v, there %v", d.Obs, want.Obs)
	case d.Action != want.Action:
		return fmt.Errorf("action %d, there %d", d.Action, want.Action)
	case !slices.EqualFunc(d.Candidates, want.Candidates, func(a, b *int) bool {
		return (a == nil) == (b == nil) && (a == nil || *a == *b)
	}):
		return fmt.Errorf("other candidates")
	}
	return nil
}
