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
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
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
	meansColumns = "rule jobs_done rounds mean_trained_s mean_gpu_share_used mean_relative_throughput"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "deepshare", Knows: func(f *reference.Folder) bool { return len(sets(f)) > 0 },
		Compare: func(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
			o := reference.Outcome{Unit: "relative"}
			tables, err := open(f)
			for _, head := range sets(f) {
				if err == nil && ctx.Err() == nil {
					err = compare(&o, f, head, tables)
				}
			}
			return o, err
		}}
}

// sets are the heads of the files of a folder.
func sets(f *reference.Folder) (out []string) {
	for _, head := range f.Heads(meansFile) {
		_, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...)
		if err == nil && slices.Contains(f.Files, head+jobsFile) {
			out = append(out, head)
		}
	}
	return out
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

func compare(o *reference.Outcome, f *reference.Folder, head string, tables *deepshare.Tables) error {
	jobs, err := reference.ReadRows(filepath.Join(f.Dir, head+jobsFile), "rule", "job", "model", "gpus", "samples",
		"last_round", "trained_s", "samples_done")
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
	runs := map[string]*run{}
	for rule, list := range lists {
		i := slices.IndexFunc(deepshare.Rules(), func(r deepshare.Rule) bool { return r.Name == rule })
		if i < 0 {
			o.Leave("runs", head+jobsFile, 1, "no rule "+rule)
			continue
		}
		runs[rule] = play(tables, list, deepshare.Rules()[i])
	}
	judgeJobs(o, jobs, head+jobsFile, runs)
	if err := judgeMeans(o, f, head+meansFile, runs); err != nil {
		return err
	}
	if err := judgeRounds(o, f, head+roundsFile, runs); err != nil {
		return err
	}
	return judgeSeen(o, f, head+seenFile, runs)
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

// same notes a number that is not as far as it may be from another one.
func same(o *reference.Outcome, what string, got, want, most float64) error {
	off := reference.Apart(got, want)
	if !(off <= most) {
		return fmt.Errorf("%s is %v, there %v", what, got, want)
	}
	o.Worst = max(o.Worst, off)
	return nil
}

// note counts a row.
func note(o *reference.Outcome, kind, file string, row int, err error) {
	if o.One(kind, file, err == nil); err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, row+1, err))
	}
}

// cells compares the numbers of a row, by column.
func cells(o *reference.Outcome, l *reference.Line, most float64, got map[string]float64) (err error) {
	for _, column := range slices.Sorted(maps.Keys(got)) {
		if e := same(o, column, got[column], l.Number(column), most); e != nil && err == nil {
			err = e
		}
	}
	if l.Err != nil {
		return l.Err
	}
	return err
}

func judgeJobs(o *reference.Outcome, rows *reference.Rows, file string, runs map[string]*run) {
	next := map[string]int{}
	for row := range rows.Cells {
		rule := rows.Text(row, "rule")
		r, at := runs[rule], next[rule]
		if next[rule]++; r == nil {
			continue
		}
		s, l := &r.jobs[at], &reference.Line{Rows: rows, Row: row}
		err := cells(o, l, 0, map[string]float64{"last_round": float64(s.Last),
			"trained_s": float64(s.Rounds * deepshare.RoundS)})
		if err == nil {
			err = cells(o, l, within, map[string]float64{"samples_done": s.Done})
		}
		note(o, "jobs", file, row, err)
	}
}

func judgeMeans(o *reference.Outcome, f *reference.Folder, file string, runs map[string]*run) error {
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), strings.Fields(meansColumns)...)
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		l, r := &reference.Line{Rows: rows, Row: row}, runs[rows.Text(row, "rule")]
		err := fmt.Errorf("no jobs of rule %q", rows.Text(row, "rule"))
		if r != nil {
			err = cells(o, l, within, map[string]float64{"jobs_done": float64(r.means.Ended), "rounds": float64(r.rounds),
				"mean_trained_s": r.means.TrainedS, "mean_gpu_share_used": r.means.Used,
				"mean_relative_throughput": r.means.Ratio})
		}
		note(o, "means", file, row, err)
	}
	return nil
}

// judgeRounds compares who was where, of which a folder may have nothing: the jobs of every round that
// is stated, each with its nodes.
func judgeRounds(o *reference.Outcome, f *reference.Folder, file string, runs map[string]*run) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), "rule", "round", "job", "nodes", "gpus_per_node", "ratio")
	if err != nil {
		return err
	}
	type round struct {
		rule string
		at   int
	}
	stated := map[round]int{}
	for row := range rows.Cells {
		l, r := &reference.Line{Rows: rows, Row: row}, runs[rows.Text(row, "rule")]
		at, job := l.Count("round"), l.Count("job")
		if l.Err == nil && r == nil {
			l.Err = fmt.Errorf("no jobs of rule %q", rows.Text(row, "rule"))
		}
		if l.Err != nil {
			note(o, "placements", file, row, l.Err)
			continue
		}
		stated[round{rows.Text(row, "rule"), at}]++
		s, ok := r.held[placed{at, job}]
		err := fmt.Errorf("job %d has no GPUs in round %d", job, at)
		if nodes := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(s.Nodes)), "+"), "[]"); ok {
			if err = nil; nodes != rows.Text(row, "nodes") {
				err = fmt.Errorf("nodes %s, there %s", nodes, rows.Text(row, "nodes"))
			}
		}
		if err == nil {
			err = cells(o, l, within, map[string]float64{"gpus_per_node": float64(s.PerNode), "ratio": s.Ratio})
		}
		note(o, "placements", file, row, err)
	}
	for x, n := range stated {
		has := 0
		for p := range runs[x.rule].held {
			if p.round == x.at {
				has++
			}
		}
		if n != has {
			o.Short = append(o.Short, fmt.Sprintf("%s: %s has %d jobs on GPUs in round %d, there %d", file, x.rule, has,
				x.at, n))
		}
	}
	return nil
}

// judgeSeen compares decisions, of which a folder may have none: the decisions of a rule are its first.
func judgeSeen(o *reference.Outcome, f *reference.Folder, file string, runs map[string]*run) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, file))
	if err != nil {
		return err
	}
	var all []decision
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	next := map[string]int{}
	for row, want := range all {
		r, at := runs[want.Rule], next[want.Rule]
		next[want.Rule]++
		err := fmt.Errorf("rule %q has no decision %d", want.Rule, at)
		if r != nil && at < len(r.said) {
			err = r.said[at].differs(&want)
		}
		note(o, "decisions", file, row, err)
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
