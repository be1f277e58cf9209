package philly

import (
	"io"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tabular"
)

// logJob is one element of cluster_job_log.
type logJob struct {
	Status    tabular.Text `json:"status"`
	VC        tabular.Text `json:"vc"`
	ID        tabular.Text `json:"jobid"`
	Submitted tabular.Text `json:"submitted_time"`
	User      tabular.Text `json:"user"`
	Attempts  []attempt    `json:"attempts"`
}

type attempt struct {
	Start  tabular.Text `json:"start_time"`
	End    tabular.Text `json:"end_time"`
	Detail []struct {
		GPUs []tabular.Text `json:"gpus"`
	} `json:"detail"`
}

// The log names jobs that never ran, ran no time or had no GPU: normal, not wrong.
const (
	neverRan = "the job never ran: no attempt has both a start and an end"
	ranZero  = "the job ran for 0 s"
	noGPU    = "the first attempt lists no GPU"
)

// parseLog reads the published form. A job's demand is the GPUs of its first
// attempt; its run is the sum of the attempts that have both a start and an end,
// so that what a failed attempt burnt counts as work.
func parseLog(name string, in *tabular.Stream, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	c := intake.New(name, opt)
	list := tabular.NewObjects(name, in)
	for number := 1; ; number++ {
		var l logJob
		line, err := list.Next(&l)
		if err == io.EOF {
			break
		}
		if fault, ok := err.(*tabular.Fault); ok {
			err = c.Reject(fault)
		} else if err == nil {
			err = keepLogJob(c, &l, name, line, number)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return c.Finish("philly", intake.FromFirst,
		sim.Origin{Field: "gpus", Source: "GPUs listed in the first attempt"},
		sim.Origin{Field: "work", Source: "sum of the attempts' lengths x GPUs: the traced run is taken to be without communication cost"})
}

func keepLogJob(c *intake.Collector, l *logJob, name string, line, number int) error {
	row := tabular.NewRow(name, line, number,
		[]string{"jobid", "submitted_time", "user", "vc", "status"},
		[]string{string(l.ID), string(l.Submitted), string(l.User), string(l.VC), string(l.Status)})
	gpus := 0
	if len(l.Attempts) > 0 {
		for _, d := range l.Attempts[0].Detail {
			gpus += len(d.GPUs)
		}
	}
	ran, known := l.ran(row)
	j := sim.Job{
		ID: row.Text("jobid"), User: row.Text("user"), VC: row.Text("vc"), State: row.Text("status"),
		Submit: sim.Time(row.Clock("submitted_time")),
		GPUs:   int32(min(gpus, intake.MaxGPUs+1)),
	}
	j.Work = intake.Work(ran, j.GPUs)
	switch {
	case len(row.Faults()) > 0:
		return c.Reject(row.Faults()...)
	case !known:
		return c.Skip(row, neverRan)
	case gpus == 0:
		return c.Skip(row, noGPU)
	case ran == 0:
		return c.Skip(row, ranZero)
	}
	return c.Keep(row, j)
}

// ran sums the lengths of the attempts in microseconds.
func (l *logJob) ran(row *tabular.Row) (sum int64, known bool) {
	for i := range l.Attempts {
		a := tabular.NewRow(row.File, row.Line, row.Number, []string{"start_time", "end_time"},
			[]string{string(l.Attempts[i].Start), string(l.Attempts[i].End)})
		if !a.Known("start_time") || !a.Known("end_time") {
			continue
		}
		start, end := a.Clock("start_time"), a.Clock("end_time")
		if len(a.Faults()) == 0 && end < start {
			a.Reject("end_time", "a time not before the attempt's start "+string(l.Attempts[i].Start))
		}
		row.Adopt(a)
		known = true
		sum += end - start
	}
	return sum, known
}
