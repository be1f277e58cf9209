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
	"fmt"
	"slices"
	"strconv"

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
	return reference.BySets(reference.Sets{Name: "decima", Unit: "relative", Key: meansFile, Compare: compare,
		Knows: func(s *reference.Set) bool { return s.Has(meansFile, meansColumns) }})
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

// comparer is what the rows of a set are compared with.
type comparer struct {
	*reference.Set
	setting
	runs map[string]*played // by set and rule
}

func compare(s *reference.Set) error {
	c := &comparer{Set: s, runs: map[string]*played{}}
	if err := c.read(); err != nil {
		return err
	}
	if err := s.Each("runs", meansFile, meansColumns, c.mean); err != nil {
		return err
	}
	if err := s.Each("jobs", resultsFile, "set rule job arrive_ms end_ms jct_ms", c.job); err != nil {
		return err
	}
	return c.decisions()
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

// keyOf names the run of a row.
func keyOf(l *reference.Line) string {
	return l.Rows.Text(l.Row, "set") + " " + l.Rows.Text(l.Row, "rule")
}

// mean plays the run of a row of the means and compares it.
func (c *comparer) mean(l *reference.Line) error {
	p, err := c.play(l.Rows.Text(l.Row, "set"), l.Rows.Text(l.Row, "rule"))
	if err != nil {
		return err
	}
	c.runs[keyOf(l)] = p
	sum, last, jobs := 0.0, 0.0, float64(p.sim.Jobs())
	for j := range p.sim.Jobs() {
		sum, last = sum+p.sim.End(j)-p.sim.Arrive(j), max(last, p.sim.End(j))
	}
	if err := c.Cells(l, 0, "jobs decisions", jobs, float64(len(p.decisions))); err != nil {
		return err
	}
	if err := c.Cells(l, within, "mean_jct_ms makespan_ms", sum/jobs, last); err != nil {
		return err
	}
	return c.Cells(l, withinReward, "sum_reward", p.reward)
}

// job compares a row of the jobs.
func (c *comparer) job(l *reference.Line) error {
	p, j := c.runs[keyOf(l)], l.Count("job")
	if p == nil || j < 0 || j >= p.sim.Jobs() {
		return fmt.Errorf("job %d of set %s under %s was not played", j, l.Rows.Text(l.Row, "set"),
			l.Rows.Text(l.Row, "rule"))
	}
	return c.Cells(l, within, "arrive_ms end_ms jct_ms", p.sim.Arrive(j), p.sim.End(j), p.sim.End(j)-p.sim.Arrive(j))
}

// decisions compares the rows of decisions: a rule's are of the set that has so many.
func (c *comparer) decisions() error {
	const columns = "rule decision time_ms job executors source_executors jobs_in_system"
	count := map[string]int{}
	if c.Has(decisionsFile, "") {
		rows, err := c.Rows(decisionsFile, columns)
		if err != nil {
			return err
		}
		for row := range rows.Cells {
			count[rows.Text(row, "rule")]++
		}
	}
	means, err := c.Rows(meansFile, meansColumns)
	if err != nil {
		return err
	}
	return c.Each("decisions", decisionsFile, columns, func(l *reference.Line) error {
		rule := l.Rows.Text(l.Row, "rule")
		p, i := c.setOf(means, rule, count[rule]), l.Count("decision")
		if p == nil || i < 0 || i >= len(p.decisions) {
			return fmt.Errorf("decision %d: no set has %d decisions under %s", i, count[rule], rule)
		}
		return c.decision(l, &p.decisions[i])
	})
}

// setOf is the run under a rule of which so many decisions are stated.
func (c *comparer) setOf(means *reference.Rows, rule string, count int) *played {
	for row := range means.Cells {
		if means.Text(row, "rule") == rule && means.Text(row, "decisions") == strconv.Itoa(count) {
			return c.runs[means.Text(row, "set")+" "+rule]
		}
	}
	return nil
}

// decision compares a row of the decisions.
func (c *comparer) decision(l *reference.Line, d *decision) error {
	got := ""
	if d.job != spark.None {
		got = strconv.Itoa(d.job)
	}
	if want := l.Rows.Text(l.Row, "job"); got != want {
		return fmt.Errorf("job is %q, there %q", got, want)
	}
	return c.Cells(l, 0, "time_ms executors source_executors jobs_in_system", d.at, float64(d.count), float64(d.free),
		float64(d.jobsInside))
}

// read reads the file of jobs.
func (c *comparer) read() error {
	if err := c.JSON(jobsFile, &c.setting); err != nil {
		return err
	}
	if c.Executors < 1 || !(c.DelayMs >= 0) || c.Scale != spark.Scale {
		return fmt.Errorf("%s: %d executors, delay %v ms, scale %v, expected executors and scale %v", c.File(jobsFile),
			c.Executors, c.DelayMs, c.Scale, spark.Scale)
	}
	return nil
}
