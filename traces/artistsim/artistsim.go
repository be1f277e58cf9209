// Package artistsim reads the job lists of the simulator behind the paper "Dally: a network-aware
// scheduler" (Sharma et al., arXiv 2401.16492): a JSON list of objects whose values are all
// strings.
//
//	total_iterations x time_per_iteration   work, seconds on one GPU
//	max_parallelism                         GPUs asked for, a gang
//	time_per_iteration                      seconds of one iteration on one GPU
//	arrival_time                            submit, seconds on the list's own clock
//	start_time                              the same where there is no arrival_time
//	job_id user model total_iterations state
//
// Generated lists have arrivals in start_time alone; in others it is -1 or a wall-clock time of the
// log that they were made from, and not read, as submit_time and end_time are not. A job without
// either is submitted at 0. Notes count jobs without arrival_time. Of the optional columns, an
// absent model, user or state is unknown.
package artistsim

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the list at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a list from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	c := intake.New(name, opt)
	var a arrivals
	list := tabular.NewObjects(name, in)
	for number := 1; ; number++ {
		object := map[string]tabular.Text{}
		line, err := list.Next(&object)
		if err == io.EOF {
			break
		}
		if fault, ok := err.(*tabular.Fault); ok {
			err = c.Reject(fault)
		} else if err == nil {
			row := newRow(name, line, number, object)
			j := job(row)
			a.set(row, &j)
			err = c.Keep(row, j)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	a.note(c)
	return c.Finish("artistsim", intake.AsWritten,
		origin.Origin{Field: "work", Source: "total_iterations x time_per_iteration, seconds on one GPU"},
		origin.Origin{Field: "gpus", Source: "max_parallelism"})
}

func newRow(name string, line, number int, object map[string]tabular.Text) *tabular.Row {
	names := slices.Sorted(maps.Keys(object))
	fields := make([]string, len(names))
	for i, n := range names {
		fields[i] = string(object[n])
	}
	return tabular.NewRow(name, line, number, names, fields)
}

func job(row *tabular.Row) sim.Job {
	j := sim.Job{
		ID: row.Name("job_id"), User: row.Name("user"), Model: row.Name("model"), State: row.Name("state"),
		GPUs:       int32(row.Count("max_parallelism", 1, intake.MaxGPUs)),
		Iterations: row.Count("total_iterations", 1, 1<<53),
	}
	perIteration := row.Float("time_per_iteration", 0, true)
	if work := float64(float64(j.Iterations) * perIteration); work > 1e12 {
		row.Reject("time_per_iteration", fmt.Sprintf("at most 1e12 s of work in total_iterations x "+
			"time_per_iteration, not %g", work))
	} else {
		j.Work, j.IterS = sim.Seconds(work), perIteration
	}
	return j
}

// arrivals counts the jobs without arrival_time.
type arrivals struct{ jobs, fromStart, atZero int }

// set gives a job its submit.
func (a *arrivals) set(row *tabular.Row, j *sim.Job) {
	a.jobs++
	if row.Known("arrival_time") {
		j.Submit = sim.Time(row.Micros("arrival_time"))
		return
	}
	if t, ok := tabular.ParseMicros(row.Text("start_time")); ok && t >= 0 {
		j.Submit = sim.Time(row.Micros("start_time"))
		a.fromStart++
		return
	}
	a.atZero++
}

func (a *arrivals) note(c *intake.Collector) {
	if a.fromStart > 0 {
		c.Note("%d of %d jobs have no arrival_time: start_time is taken as their submit", a.fromStart, a.jobs)
	}
	if a.atZero > 0 {
		c.Note("%d of %d jobs have neither arrival_time nor start_time in seconds: taken as submitted at 0", a.atZero,
			a.jobs)
	}
}
