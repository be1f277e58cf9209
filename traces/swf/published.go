package swf

import (
	"io"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Published reads logs by the rules of Zhang et al., "RLScheduler", SC 2020, so that windows which
// are given by the number of their first job begin at the same job:
//
//   - the demand is the larger of the processors allocated and requested
//   - a negative run time (unknown) is 10 s; jobs without run time are left out, and no others
//   - the request of a job without one is its run time: such a request is no estimate, it is the
//     run time itself
//   - submits are the log's own, not counted from the first, since the score F1 depends on them
//
// Jobs are in the order of submit, then of number. Published are in the order of number alone; a
// note counts the jobs for which that differs, which is none in a log that keeps to the format.
type Published struct{}

// unknownRun is the run time of a job whose own is unknown, in microseconds.
const unknownRun = 10_000_000

// Read reads the log at path, plain or compressed.
func (p Published) Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, p.Parse)
}

// Parse reads a log from r; the name stands in errors.
func (Published) Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	var o order
	c, err := collect(name, r, opt, func(l *log, row *tabular.Row) error { return o.keep(l, row) })
	if err != nil {
		return nil, nil, err
	}
	if o.astray > 0 {
		c.Note("%d jobs have a lower number, or an earlier submit, than the row before: they are read in the order "+
			"of submit, published in the order of number", o.astray)
	}
	return c.Finish("swf", intake.AsWritten,
		origin.Origin{Field: "gpus", Source: "the larger of processors allocated and requested"},
		origin.Origin{Field: "work", Source: "run time x processors; an unknown run time is 10 s"},
		origin.Origin{Field: "vc", Source: "queue number"},
		origin.Origin{Field: "request", Source: "requested time, or the run time where there is none"})
}

// order watches the order of the rows.
type order struct {
	job, submit int64
	astray      int
}

func (o *order) keep(c *log, row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return c.Reject(row.Faults()...)
	}
	j := sim.Job{ID: tabular.PlainName(row.Text("job")), User: known(row, "user"), Group: known(row, "group"),
		VC: known(row, "queue"), Submit: sim.Time(row.Micros("submit"))}
	number := row.Count("job", 0, 1<<53)
	gpus := max(count(row, "allocated", intake.MaxGPUs), count(row, "requested", intake.MaxGPUs))
	ran := runTime(row)
	j.Request = sim.Time(length(row, "requested_time"))
	if unset(row, "requested_time") {
		j.Request, j.Drawn = sim.Time(ran), origin.Request
	} else if j.Request > intake.MaxRun {
		j.Request = 0
	}
	j.State = c.state(row)
	switch {
	case len(row.Faults()) > 0:
		return c.Reject(row.Faults()...)
	case ran == 0:
		return c.Skip(row, "the job shows no run time")
	case gpus <= 0:
		return c.Skip(row, "the job shows no processors")
	}
	if number < o.job || int64(j.Submit) < o.submit {
		o.astray++
	}
	o.job, o.submit = max(o.job, number), max(o.submit, int64(j.Submit))
	j.GPUs = int32(gpus)
	j.Work = intake.Work(ran, j.GPUs)
	return c.Keep(row, j)
}

// runTime is the run time in microseconds; one below zero is unknown.
func runTime(row *tabular.Row) int64 {
	if v, ok := tabular.ParseMicros(row.Text("run")); ok && v < 0 || !row.Known("run") {
		return unknownRun
	}
	return row.Micros("run")
}
