// Package decimaref compares rules in the simulator of Decima. A folder holds files, of which several
// sets may stand beside one another, HEADmeans.csv and so on:
//
//	jobs.json        executors, moving_delay_ms, sets: by name a list of jobs with arrive_ms and stages
//	means.csv        set, rule, jobs, mean_jct_ms, makespan_ms, sum_reward, decisions
//	job_results.csv  set, rule, job, arrive_ms, end_ms, jct_ms
//	decisions.csv    rule, decision, time_ms, job, executors, source_executors, jobs_in_system, of the set
//	                 that has so many decisions; executors is what the rule answers, before the simulator
//	                 bounds it by the tasks of the stage
//
// Counts and times are to be equal, sums of rewards to their last digit.
package decimaref

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/env/limit/spark"
	"tarry/fidelity/reference"
)

// Times are sums of whole milliseconds; rewards have six digits.
const (
	within       = 1e-12
	withinReward = 6e-6
)

const (
	meansFile     = "means.csv"
	jobsFile      = "jobs.json"
	resultsFile   = "job_results.csv"
	decisionsFile = "decisions.csv"
	meansColumns  = "set rule jobs mean_jct_ms makespan_ms sum_reward decisions"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "decima", Knows: func(f *reference.Folder) bool { return len(heads(f)) > 0 },
		Compare: func(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
			o := reference.Outcome{Unit: "relative"}
			for _, head := range heads(f) {
				if err := compare(&o, f, head); err != nil {
					return o, err
				}
			}
			return o, ctx.Err()
		}}
}

// heads are the heads of the files of a folder.
func heads(f *reference.Folder) (out []string) {
	for _, head := range f.Heads(meansFile) {
		if _, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...); err == nil {
			out = append(out, head)
		}
	}
	return out
}

// setting is a file of jobs.
type setting struct {
	Executors int
	DelayMs   float64 `json:"moving_delay_ms"`
	Scale     float64 `json:"reward_scale"`
	Sets      map[string][]struct {
		ArriveMs float64 `json:"arrive_ms"`
		Stages   []spark.Stage
	}
}

// decision is an answer.
type decision struct {
	at               float64
	job, count       int
	free, jobsInside int
}

// played is a run.
type played struct {
	sim       *spark.Sim
	reward    float64
	decisions []decision
}

func compare(o *reference.Outcome, f *reference.Folder, head string) error {
	set, err := readSetting(filepath.Join(f.Dir, head+jobsFile))
	if err != nil {
		return err
	}
	o.Reads(head + jobsFile)
	means, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...)
	if err != nil {
		return err
	}
	runs := map[string]*played{}
	for row := range means.Cells {
		name, rule := means.Text(row, "set"), means.Text(row, "rule")
		p, err := set.play(name, rule)
		c := &judge{line: &reference.Line{Rows: means, Row: row}}
		if err != nil {
			c.fault(err)
		} else {
			runs[name+" "+rule] = p
			c.mean(p)
		}
		c.note(o, "runs", head+meansFile)
	}
	if err := judgeResults(o, f, head+resultsFile, runs); err != nil {
		return err
	}
	return judgeDecisions(o, f, head+decisionsFile, means, runs)
}

// play runs the jobs of a set under a rule.
func (s *setting) play(set, rule string) (*played, error) {
	i := slices.IndexFunc(spark.Rules(), func(r spark.Rule) bool { return r.Name == rule })
	rows, ok := s.Sets[set]
	if i < 0 || !ok {
		return nil, fmt.Errorf("no rule %q, or no set %q", rule, set)
	}
	var jobs []spark.Job
	for _, row := range rows {
		jobs = append(jobs, spark.Job{Arrive: row.ArriveMs, Stages: row.Stages})
	}
	if err := spark.Validate(jobs); err != nil {
		return nil, err
	}
	p, answer := &played{sim: spark.New(s.Executors, s.DelayMs)}, spark.Rules()[i].Fresh()
	for p.sim.Start(jobs); !p.sim.Done(); {
		k, limit := answer(p.sim)
		d := decision{p.sim.Now(), spark.None, limit, p.sim.Free(), len(p.sim.In())}
		if k != spark.None {
			d.job = p.sim.Job(k)
		}
		r, err := p.sim.Step(k, limit)
		if err != nil {
			return nil, err
		}
		p.decisions, p.reward = append(p.decisions, d), p.reward+r
	}
	return p, nil
}

// judge compares a row; the first fault is kept.
type judge struct {
	line  *reference.Line
	err   error
	worst float64
}

func (c *judge) fault(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *judge) near(column string, got, most float64) {
	want := c.line.Number(column)
	off := math.Abs(got-want) / max(1, math.Abs(want))
	if got == want {
		off = 0
	}
	if c.worst = max(c.worst, off); !(off <= most) {
		c.fault(fmt.Errorf("%s is %v, there %v", column, got, want))
	}
}

func (c *judge) note(o *reference.Outcome, kind, file string) {
	if c.line.Err != nil {
		c.err = c.line.Err
	}
	if o.One(kind, file, c.err == nil); c.err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, c.line.Row+1, c.err))
		return
	}
	o.Worst = max(o.Worst, c.worst)
}

// mean compares a row of the means.
func (c *judge) mean(p *played) {
	sum, last := 0.0, 0.0
	for j := range p.sim.Jobs() {
		sum, last = sum+p.sim.End(j)-p.sim.Arrive(j), max(last, p.sim.End(j))
	}
	c.near("jobs", float64(p.sim.Jobs()), 0)
	c.near("mean_jct_ms", sum/float64(p.sim.Jobs()), within)
	c.near("makespan_ms", last, within)
	c.near("sum_reward", p.reward, withinReward)
	c.near("decisions", float64(len(p.decisions)), 0)
}

// judgeResults compares the rows of jobs.
func judgeResults(o *reference.Outcome, f *reference.Folder, file string, runs map[string]*played) error {
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), "set", "rule", "job", "arrive_ms", "end_ms", "jct_ms")
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		c := &judge{line: &reference.Line{Rows: rows, Row: row}}
		p, j := runs[rows.Text(row, "set")+" "+rows.Text(row, "rule")], c.line.Count("job")
		if p == nil || j < 0 || j >= p.sim.Jobs() {
			c.fault(fmt.Errorf("job %d of set %s under %s was not played", j, rows.Text(row, "set"), rows.Text(row, "rule")))
		} else {
			c.near("arrive_ms", p.sim.Arrive(j), within)
			c.near("end_ms", p.sim.End(j), within)
			c.near("jct_ms", p.sim.End(j)-p.sim.Arrive(j), within)
		}
		c.note(o, "jobs", file)
	}
	return nil
}

// judgeDecisions compares the rows of decisions, of which a folder may have none.
func judgeDecisions(o *reference.Outcome, f *reference.Folder, file string, means *reference.Rows,
	runs map[string]*played) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), "rule", "decision", "time_ms", "job", "executors",
		"source_executors", "jobs_in_system")
	if err != nil {
		return err
	}
	count := map[string]int{}
	for row := range rows.Cells {
		count[rows.Text(row, "rule")]++
	}
	for row := range rows.Cells {
		c, rule := &judge{line: &reference.Line{Rows: rows, Row: row}}, rows.Text(row, "rule")
		p, i := setOf(means, runs, rule, count[rule]), c.line.Count("decision")
		if p == nil || i < 0 || i >= len(p.decisions) {
			c.fault(fmt.Errorf("decision %d: no set has %d decisions under %s", i, count[rule], rule))
		} else {
			c.decision(&p.decisions[i], rows.Text(row, "job"))
		}
		c.note(o, "decisions", file)
	}
	return nil
}

// setOf is the run under a rule of which so many decisions are stated.
func setOf(means *reference.Rows, runs map[string]*played, rule string, count int) *played {
	for row := range means.Cells {
		if means.Text(row, "rule") == rule && means.Text(row, "decisions") == strconv.Itoa(count) {
			return runs[means.Text(row, "set")+" "+rule]
		}
	}
	return nil
}

// decision compares a row of the decisions.
func (c *judge) decision(d *decision, job string) {
	want := ""
	if d.job != spark.None {
		want = strconv.Itoa(d.job)
	}
	if job != want {
		c.fault(fmt.Errorf("job is %q, there %q", want, job))
	}
	c.near("time_ms", d.at, within)
	c.near("executors", float64(d.count), 0)
	c.near("source_executors", float64(d.free), 0)
	c.near("jobs_in_system", float64(d.jobsInside), 0)
}

// readSetting reads a file of jobs.
func readSetting(file string) (*setting, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &setting{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if s.Executors < 1 || !(s.DelayMs >= 0) || s.Scale != spark.Scale {
		return nil, fmt.Errorf("%s: %d executors, delay %v ms, scale %v, expected executors and scale %v", file,
			s.Executors, s.DelayMs, s.Scale, spark.Scale)
	}
	return s, nil
}
