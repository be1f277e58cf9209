// Package deeprmref compares rules on the machine of DeepRM. A folder holds files, of which several
// sets may stand beside one another, HEADmeans.csv and so on:
//
//	jobs.csv           rate, sequence, arrive_step, length, res0, res1
//	means.csv          rate, sequence, rule, jobs, mean_slowdown, sum_reward, actions
//	job_results.csv    rate, sequence, rule, job, enter, length, start, finish, slowdown
//	observations.json  the first steps of sequence 0 under SJF at each rate
//
// Steps and counts are to be equal, slowdowns and rewards to the 12 digits that are stated.
package deeprmref

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tarry/env/classic/deeprm/slots"
	"tarry/fidelity/reference"
)

// within is how far a slowdown or a reward may be off, relative to it.
const within = 1e-11

const (
	jobsFile         = "jobs.csv"
	meansFile        = "means.csv"
	resultsFile      = "job_results.csv"
	observationsFile = "observations.json"
	meansColumns     = "rate sequence rule jobs mean_slowdown sum_reward actions"
)

// crowded is the rate above which the shared runs have twice the slots.
const crowded = 0.6

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "deeprm", Knows: func(f *reference.Folder) bool { return len(sets(f)) > 0 },
		Compare: func(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
			o := reference.Outcome{Unit: "relative"}
			for _, head := range sets(f) {
				if err := compare(&o, f, head); err != nil {
					return o, err
				}
			}
			return o, ctx.Err()
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

// list names a list of jobs, run a rule that plays it.
type list struct{ rate, sequence string }

type run struct {
	list
	rule string
}

// outcome is what a run gave.
type outcome struct {
	*slots.Machine
	reward  float64
	actions int
}

func compare(o *reference.Outcome, f *reference.Folder, head string) error {
	jobs, err := readJobs(filepath.Join(f.Dir, head+jobsFile))
	if err != nil {
		return err
	}
	o.Reads(head + jobsFile)
	means, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...)
	if err != nil {
		return err
	}
	played := map[run]*outcome{}
	for row := range means.Cells {
		l := &reference.Line{Rows: means, Row: row}
		x := runOf(means, row)
		played[x], err = play(jobs, x, l.Number("rate"))
		if err == nil {
			err = judgeMean(o, l, played[x])
		}
		note(o, "runs", head+meansFile, row, err)
	}
	if err := judgeJobs(o, f, head+resultsFile, played); err != nil {
		return err
	}
	return judgeSteps(o, f, head+observationsFile, jobs)
}

// note counts a row.
func note(o *reference.Outcome, kind, file string, row int, err error) {
	if o.One(kind, file, err == nil); err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, row+1, err))
	}
}

func runOf(rows *reference.Rows, row int) run {
	return run{list{rows.Text(row, "rate"), rows.Text(row, "sequence")}, rows.Text(row, "rule")}
}

// begin gives a machine that stands before a list of jobs.
func begin(jobs map[list][]slots.Job, x list, rate float64) (*slots.Machine, error) {
	c := slots.Published()
	c.AllDone = true
	if rate > crowded {
		c.Slots *= 2
	}
	m := slots.New(c)
	return m, m.Begin(jobs[x])
}

// play lets a rule choose until all jobs are done.
func play(jobs map[list][]slots.Job, x run, rate float64) (*outcome, error) {
	i := slices.IndexFunc(slots.Rules(), func(r slots.Rule) bool { return r.Name == x.rule })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", x.rule)
	}
	m, err := begin(jobs, x.list, rate)
	if err != nil {
		return nil, err
	}
	out := &outcome{Machine: m}
	for choose := slots.Rules()[i].Choose; !m.Ended(); out.actions++ {
		r, _ := m.Act(choose(m))
		out.reward += r
	}
	return out, nil
}

// near compares a number, and keeps the largest difference.
func near(o *reference.Outcome, l *reference.Line, column string, got, most float64) error {
	want := l.Number(column)
	if l.Err != nil {
		return l.Err
	}
	off := reference.Apart(got, want)
	if !(off <= most) {
		return fmt.Errorf("%s is %v, there %v", column, got, want)
	}
	o.Worst = max(o.Worst, off)
	return nil
}

// judgeMean compares a row of the means.
func judgeMean(o *reference.Outcome, l *reference.Line, got *outcome) error {
	sum := 0.0
	for job := range got.Jobs {
		sum += got.Slowdown(job)
	}
	for _, x := range []struct {
		column    string
		got, most float64
	}{{"jobs", float64(len(got.Jobs)), 0}, {"actions", float64(got.actions), 0},
		{"mean_slowdown", sum / float64(len(got.Jobs)), within}, {"sum_reward", got.reward, within}} {
		if err := near(o, l, x.column, x.got, x.most); err != nil {
			return err
		}
	}
	return nil
}

// judgeJobs compares the rows of jobs, of which a folder may have none.
func judgeJobs(o *reference.Outcome, f *reference.Folder, file string, played map[run]*outcome) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), "rate", "sequence", "rule", "job", "enter", "length",
		"start", "finish", "slowdown")
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		l, got := &reference.Line{Rows: rows, Row: row}, played[runOf(rows, row)]
		job := l.Count("job")
		err := l.Err
		if err == nil && (got == nil || job < 0 || job >= len(got.Jobs)) {
			err = fmt.Errorf("no job %d of such a run", job)
		}
		if err == nil {
			err = judgeJob(o, l, got, job)
		}
		note(o, "jobs", file, row, err)
	}
	return nil
}

func judgeJob(o *reference.Outcome, l *reference.Line, got *outcome, job int) error {
	for _, x := range []struct {
		column    string
		got, most float64
	}{{"enter", float64(got.Jobs[job].Arrive), 0}, {"length", float64(got.Jobs[job].Length), 0},
		{"start", float64(got.Start[job]), 0}, {"finish", float64(got.Finish(job)), 0},
		{"slowdown", got.Slowdown(job), within}} {
		if err := near(o, l, x.column, x.got, x.most); err != nil {
			return err
		}
	}
	return nil
}

// readJobs reads the lists of jobs.
func readJobs(file string) (map[list][]slots.Job, error) {
	rows, err := reference.ReadRows(file, "rate", "sequence", "arrive_step", "length", "res0", "res1")
	if err != nil {
		return nil, err
	}
	out := map[list][]slots.Job{}
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		j := slots.Job{Arrive: l.Count("arrive_step"), Length: l.Count("length"),
			Need: [slots.Resources]int{l.Count("res0"), l.Count("res1")}}
		if l.Err != nil {
			return nil, l.Err
		}
		x := list{rows.Text(row, "rate"), rows.Text(row, "sequence")}
		out[x] = append(out[x], j)
	}
	return out, nil
}
