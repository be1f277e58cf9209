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
	"fmt"
	"slices"

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
	return reference.BySets(reference.Sets{Name: "deeprm", Unit: "relative", Key: meansFile, Compare: compare,
		Knows: func(s *reference.Set) bool { return s.Has(meansFile, meansColumns) && s.Has(jobsFile, "") }})
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

// comparer is what the rows of a set are compared with.
type comparer struct {
	*reference.Set
	jobs   map[list][]slots.Job
	played map[run]*outcome
}

func compare(s *reference.Set) error {
	c := &comparer{s, map[list][]slots.Job{}, map[run]*outcome{}}
	if err := c.read(); err != nil {
		return err
	}
	if err := s.Each("runs", meansFile, meansColumns, c.mean); err != nil {
		return err
	}
	if err := s.Each("jobs", resultsFile, "rate sequence rule job enter length start finish slowdown",
		c.job); err != nil {
		return err
	}
	return c.steps()
}

func runOf(rows *reference.Rows, row int) run {
	return run{list{rows.Text(row, "rate"), rows.Text(row, "sequence")}, rows.Text(row, "rule")}
}

// begin gives a machine that stands before a list of jobs.
func (c *comparer) begin(x list, rate float64) (*slots.Machine, error) {
	set := slots.Published()
	set.AllDone = true
	if rate > crowded {
		set.Slots *= 2
	}
	m := slots.New(set)
	return m, m.Begin(c.jobs[x])
}

// play lets a rule choose until all jobs are done.
func (c *comparer) play(x run, rate float64) (*outcome, error) {
	i := slices.IndexFunc(slots.Rules(), func(r slots.Rule) bool { return r.Name == x.rule })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", x.rule)
	}
	m, err := c.begin(x.list, rate)
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

// mean plays the run of a row of the means and compares it.
func (c *comparer) mean(l *reference.Line) error {
	x := runOf(l.Rows, l.Row)
	got, err := c.play(x, l.Number("rate"))
	if err != nil {
		return err
	}
	c.played[x] = got
	sum, n := 0.0, float64(len(got.Jobs))
	for job := range got.Jobs {
		sum += got.Slowdown(job)
	}
	if err := c.Cells(l, 0, "jobs actions", n, float64(got.actions)); err != nil {
		return err
	}
	return c.Cells(l, within, "mean_slowdown sum_reward", sum/n, got.reward)
}

// job compares a row of the jobs.
func (c *comparer) job(l *reference.Line) error {
	got, job := c.played[runOf(l.Rows, l.Row)], l.Count("job")
	if got == nil || job < 0 || job >= len(got.Jobs) {
		return fmt.Errorf("no job %d of such a run", job)
	}
	j := &got.Jobs[job]
	if err := c.Cells(l, 0, "enter length start finish", float64(j.Arrive), float64(j.Length), float64(got.Start[job]),
		float64(got.Finish(job))); err != nil {
		return err
	}
	return c.Cells(l, within, "slowdown", got.Slowdown(job))
}

// read reads the lists of jobs.
func (c *comparer) read() error {
	rows, err := c.Rows(jobsFile, "rate sequence arrive_step length res0 res1")
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		j := slots.Job{Arrive: l.Count("arrive_step"), Length: l.Count("length"),
			Need: [slots.Resources]int{l.Count("res0"), l.Count("res1")}}
		if l.Err != nil {
			return l.Err
		}
		x := list{rows.Text(row, "rate"), rows.Text(row, "sequence")}
		c.jobs[x] = append(c.jobs[x], j)
	}
	return nil
}
