package philly

import (
	"cmp"
	"io"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/sim/tabular"
	"tarry/traces/intake"
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
		IP   tabular.Text   `json:"ip"`
		GPUs []tabular.Text `json:"gpus"`
	} `json:"detail"`
}

// The log names jobs that never ran, ran no time or had no GPU: normal, not wrong.
const (
	neverRan = "the job never ran: no attempt has both a start and an end"
	running  = "the job was still running at the end of the log: no attempt has an end"
	ranZero  = "the job ran for 0 s"
	noGPU    = "no attempt lists a GPU"
)

// parseLog reads the published form. A job's demand is the GPUs of its first attempt that ran and
// lists some, else of the first that lists some; its work is the sum over the attempts that have
// both a start and an end of length x GPUs, so that what a failed attempt burnt counts. An attempt
// that lists no GPU has the demand.
func parseLog(name string, in *tabular.Stream, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	p := log{c: intake.New(name, opt), name: name}
	list := tabular.NewObjects(name, in)
	for number := 1; ; number++ {
		var l logJob
		line, err := list.Next(&l)
		if err == io.EOF {
			break
		}
		if fault, ok := err.(*tabular.Fault); ok {
			err = p.c.Reject(fault)
		} else if err == nil {
			err = p.keep(&l, line, number)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if p.cut > 0 {
		p.c.Note("%d jobs were in a further attempt when the log ends: that attempt is left out, and their work is "+
			"a lower bound", p.cut)
	}
	return p.c.Finish("philly", intake.FromFirst,
		origin.Origin{Field: "gpus", Source: "GPUs listed in the first attempt that ran"},
		origin.Origin{Field: "work", Source: "sum over attempts of length x GPUs: the traced run is taken to be " +
			"without communication cost"})
}

// log is the reading of a log.
type log struct {
	c    *intake.Collector
	name string
	cut  int // jobs kept whose last attempt has no end
}

func (p *log) keep(l *logJob, line, number int) error {
	row := tabular.NewRow(p.name, line, number,
		[]string{"jobid", "submitted_time", "user", "vc", "status"},
		[]string{string(l.ID), string(l.Submitted), string(l.User), string(l.VC), string(l.Status)})
	r := l.ran(row)
	j := sim.Job{
		ID: row.Name("jobid"), User: row.Name("user"), VC: row.Name("vc"), State: row.Name("status"),
		Submit: sim.Time(row.Clock("submitted_time")),
		GPUs:   int32(min(r.gpus, intake.MaxGPUs+1)),
		Work:   r.work,
	}
	switch {
	case len(row.Faults()) > 0:
		return p.c.Reject(row.Faults()...)
	case !r.known && r.open:
		return p.c.Skip(row, running)
	case !r.known:
		return p.c.Skip(row, neverRan)
	case r.gpus == 0:
		return p.c.Skip(row, noGPU)
	case r.work == 0:
		return p.c.Skip(row, ranZero)
	}
	if r.open {
		p.cut++
		p.c.Cut(string(l.ID))
	}
	j.Record = intake.Recorded(int64(j.Submit), r.start, r.places...)
	return p.c.Keep(row, j)
}

// places are the machines of an attempt, with the number of its GPUs on each.
func (a *attempt) places() (out []recorded.Place) {
	for _, d := range a.Detail {
		if d.IP != "" && len(d.GPUs) > 0 {
			out = append(out, recorded.Place{Name: string(d.IP), GPUs: len(d.GPUs)})
		}
	}
	return out
}

// run is what the attempts of a job add up to.
type run struct {
	gpus  int      // of the first attempt that ran and lists some
	work  sim.Time // GPU-microseconds
	known bool     // an attempt has a start and an end
	open  bool     // the last attempt has a start and no end
	// start is of the first attempt that ran, places are its machines.
	start  int64
	places []recorded.Place
}

// ran adds up the attempts.
func (l *logJob) ran(row *tabular.Row) (r run) {
	var lengths []int64
	var gpus []int
	planned := 0 // listed first, by an attempt that may not have run
	for i := range l.Attempts {
		a := tabular.NewRow(row.File, row.Line, row.Number, []string{"start_time", "end_time"},
			[]string{string(l.Attempts[i].Start), string(l.Attempts[i].End)})
		r.open = a.Known("start_time") && !a.Known("end_time")
		listed := 0
		for _, d := range l.Attempts[i].Detail {
			listed += len(d.GPUs)
		}
		planned = cmp.Or(planned, listed)
		if !a.Known("start_time") || !a.Known("end_time") {
			continue
		}
		start, end := a.Clock("start_time"), a.Clock("end_time")
		if len(a.Faults()) == 0 && end < start {
			a.Reject("end_time", "a time not before the attempt's start "+string(l.Attempts[i].Start))
		}
		row.Adopt(a)
		if !r.known {
			r.start, r.places = start, l.Attempts[i].places()
		}
		r.known = true
		if r.gpus == 0 && end > start {
			r.gpus = listed
		}
		lengths, gpus = append(lengths, end-start), append(gpus, listed)
	}
	r.gpus = cmp.Or(r.gpus, planned)
	for i, ran := range lengths {
		work := intake.Work(ran, int32(min(cmp.Or(gpus[i], r.gpus), intake.MaxGPUs+1)))
		if r.work += work; work == sim.Never || r.work < 0 {
			r.work = sim.Never
		}
	}
	return r
}
