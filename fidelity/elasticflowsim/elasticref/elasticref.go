// Package elasticref compares elasticflow-sim with ElasticFlow's own simulator. A folder of its
// results holds files
//
//	TRACE__SCHEDULE.jobs.csv  job_id, submit_s, end_s (empty: the job never ran), met
//	summary.csv               trace, nodes_x_gpus, gpu, slot_s, policy, deadline_ratio_reported, met_by_end_time, mean_jct_of_ended_s, makespan_s
//
// The trace is TRACE.csv in the folder or in traces/elasticflow, throughputs are from
// profiles/elasticflow. Every end counts: under edf also that in the kernel, under the schedules
// that charge overheads the ends that the simulator logs, which the policy measures. Of these the
// folder's README asks for the deadlines met and a mean completion time within 5 % alone, so that
// an end that differs is counted and named, and nothing falls short by it.
package elasticref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"tarry/fidelity/reference"

	"tarry/run/config"
)

var jobsFile = regexp.MustCompile(`^(.+)__([^_].*)\.jobs\.csv$`)

var summaryColumns = []string{"trace", "nodes_x_gpus", "gpu", "slot_s", "policy", "deadline_ratio_reported",
	"met_by_end_time", "mean_jct_of_ended_s", "makespan_s"}

// within is how far a mean completion time or makespan may be, and a part of deadlines met.
const (
	meanWithin  = 0.05
	ratioWithin = 0.02
)

// outcome is how a folder compares.
type outcome struct{ reference.Outcome }

// Reader gives the comparer.
func Reader() reference.Reader {
	return reference.Reader{Name: "elasticflow", Variants: []string{"elasticflow-sim"}, Knows: knows, Compare: compare}
}

func knows(f *reference.Folder) bool {
	if !slices.ContainsFunc(f.Files, jobsFile.MatchString) {
		return false
	}
	_, err := reference.ReadRows(filepath.Join(f.Dir, "summary.csv"), summaryColumns...)
	return err == nil
}

// schedules are the simulator's schedules that are modelled.
func schedules() []string { return []string{"edf", "edf-accessctrl", "ef", "ef-accessctrl"} }

// runOf is what came of a run: ends in the kernel, ends that the simulator would log, and its
// own ratio.
type runOf struct {
	lives  map[string]reference.Life
	first  float64 // the earliest submit, which tarry takes for 0
	logged map[string]float64
	ratio  float64
}

func compare(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := outcome{reference.Outcome{Unit: "s"}}
	s, err := reference.ReadRows(filepath.Join(f.Dir, "summary.csv"), summaryColumns...)
	if err != nil {
		return o.Outcome, err
	}
	for i := range s.Cells {
		name := s.Text(i, "trace") + "__" + s.Text(i, "policy") + ".jobs.csv"
		if !slices.Contains(schedules(), s.Text(i, "policy")) {
			o.Leave("rows", "summary.csv", 1, "the schedule "+s.Text(i, "policy")+" of the simulator is not modelled")
			continue
		}
		if !slices.Contains(f.Files, name) {
			o.Leave("rows", "summary.csv", 1, "there is no file of ends beside it")
			continue
		}
		if err := o.elastic(ctx, f, s, i, name); err != nil {
			if ctx.Err() != nil {
				return o.Outcome, ctx.Err()
			}
			o.One("runs", name, false)
			o.Short = append(o.Short, fmt.Sprintf("%s: %v", name, err))
		}
	}
	o.others(f)
	return o.Outcome, nil
}

// others names the files of runs that are not compared, and the inputs in the folder.
func (o *outcome) others(f *reference.Folder) {
	for _, name := range f.Files {
		m := jobsFile.FindStringSubmatch(name)
		switch {
		case strings.HasPrefix(name, "throughputs_"):
			o.Reads(name)
		case m == nil || o.Said(name):
		case !slices.Contains(schedules(), m[2]):
			o.Leave("ends", name, 0, "the schedule "+m[2]+" of the simulator is not modelled")
		default:
			o.Leave("ends", name, 0, "summary.csv has no row that states how they were run")
		}
	}
}

// elastic compares one run: each end, and the row of the summary.
func (o *outcome) elastic(ctx context.Context, f *reference.Folder, s *reference.Rows, row int, name string) error {
	want, err := reference.ReadRows(filepath.Join(f.Dir, name), "job_id", "submit_s", "deadline_s", "end_s", "met")
	if err != nil {
		return err
	}
	got, err := simulate(ctx, f, s, row)
	if err != nil {
		return err
	}
	exact := s.Text(row, "policy") == "edf"
	bad, met, ended, sum, span := 0, 0, 0, 0.0, 0.0
	for i := range want.Cells {
		id := want.Text(i, "job_id")
		end, ok := got.logged[id]
		submit, err := want.Number(i, "submit_s")
		if err != nil {
			return err
		}
		due, err := want.Number(i, "deadline_s")
		if err != nil {
			due = math.Inf(1)
		}
		if ok {
			ended++
			sum += end - submit
			span = max(span, end)
			if end <= due {
				met++
			}
		}
		d := 0.0
		if text := want.Text(i, "end_s"); text != "" {
			to, err := want.Number(i, "end_s")
			switch {
			case err != nil:
				return err
			case !ok:
				d = math.Inf(1)
			case exact: // in the kernel as well
				d = max(math.Abs(end-to), math.Abs(got.lives[id].End+got.first-to))
			default:
				d = math.Abs(end - to)
			}
		} else if ok {
			d = math.Inf(1)
		}
		if d > 1e-3 {
			bad++
		}
		o.One("ends", name, !(d > 1e-3))
		o.Worst = max(o.Worst, d)
	}
	if bad > 0 {
		line := fmt.Sprintf("%s: %d of %d ends differ", name, bad, len(want.Cells))
		if exact {
			o.Short = append(o.Short, line)
		} else {
			o.Beyond = append(o.Beyond, line)
		}
	}
	o.summary(s, row, name, map[string]float64{"deadline_ratio_reported": got.ratio,
		"met_by_end_time":     float64(met) / float64(max(len(want.Cells), 1)),
		"mean_jct_of_ended_s": sum / float64(max(ended, 1)), "makespan_s": span})
	return nil
}

// summaryColumns compares the row of the summary: four things.
func (o *outcome) summary(s *reference.Rows, row int, name string, got map[string]float64) {
	for _, column := range summaryColumns[5:] {
		want, err := s.Number(row, column)
		if err != nil {
			o.One("figures", "summary.csv", false)
			o.Short = append(o.Short, err.Error())
			continue
		}
		within := ratioWithin
		if strings.HasSuffix(column, "_s") {
			within = meanWithin * want
		}
		d := math.Abs(got[column] - want)
		if o.One("figures", "summary.csv", d <= within); !(d <= within) {
			o.Short = append(o.Short, fmt.Sprintf("%s: %s is %.6g, expected %.6g within %.3g", name, column,
				got[column], want, within))
		}
	}
}

// simulate runs the schedule of a row of the summary on its trace.
func simulate(ctx context.Context, f *reference.Folder, s *reference.Rows, row int) (*runOf, error) {
	file, err := f.Find(s.Text(row, "trace")+".csv", "traces/elasticflow")
	if err != nil {
		return nil, err
	}
	gpu := s.Text(row, "gpu")
	table, err := f.Find("throughputs_"+gpu+"_bert.csv", "profiles/elasticflow")
	if err != nil {
		return nil, err
	}
	nodes, per, ok := strings.Cut(s.Text(row, "nodes_x_gpus"), "x")
	if !ok {
		return nil, fmt.Errorf("nodes_x_gpus is %q, expected NODESxGPUS", s.Text(row, "nodes_x_gpus"))
	}
	c := config.Default()
	if err := c.ApplyPreset("elasticflow"); err != nil {
		return nil, err
	}
	c.Trace, c.Speed, c.Cluster = "elasticflow:"+file, "elasticflow:"+filepath.Dir(table)+",gpu="+gpu,
		"1x"+nodes+"x"+per
	c.Policies = []string{"elasticflow-sim:variant=" + s.Text(row, "policy") + ",slot_s=" + s.Text(row, "slot_s")}
	e, p, w, err := f.Drive(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &runOf{lives: reference.Lives(e, w), logged: map[string]float64{}}
	if r.first, err = earliest(file); err != nil {
		return nil, err
	}
	p.(interface {
		Measures(func(name, of, unit string, value float64))
	}).Measures(func(name, of, _ string, value float64) {
		switch name {
		case "logged_end_s":
			r.logged[of] = value + r.first
		case "logged_satisfied_frac":
			r.ratio = value
		}
	})
	return r, nil
}

// earliest is the first submit of a trace.
func earliest(file string) (float64, error) {
	rows, err := reference.ReadRows(file, "job_id")
	if err != nil {
		return 0, err
	}
	column := "submit_time"
	if _, ok := rows.At[column]; !ok {
		column = "submission_time"
	}
	if _, ok := rows.At[column]; !ok {
		return 0, fmt.Errorf("%s: no column submit_time or submission_time", file)
	}
	first := math.Inf(1)
	for i := range rows.Cells {
		v, err := strconv.ParseFloat(rows.Text(i, column), 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		first = min(first, v)
	}
	return first, nil
}
