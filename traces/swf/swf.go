// Package swf reads the Standard Workload Format, version 2.2 (Chapin et al., "Benchmarks and
// standards for the evaluation of parallel job schedulers", JSSPP 1999; the Parallel Workloads
// Archive): 18 numbers per line between blanks or tabs, lines with ';' or '#' are comments, -1 is
// unknown. Numbers may be written as floats, -1.0, and a missing one as NaN. dialect.go has what
// else programs write: short and long lines, titles of columns, comments in lower case.
//
// A processor is taken as a GPU. The demand is the processors allocated, or those requested when
// the former is unknown. Jobs that show no run time or no processors are left out and counted, and
// so are the parts of checkpointed jobs (status 2, 3 and 4), because the job's own line sums them
// up. The requested time is the request of the job; one of more than 31.7 years, such as 2^31-1
// seconds, asks for no limit and is taken as unknown.
//
// A job that names a preceding job (field 17) does not wait for it in a simulation: its submit is
// the log's own. A note counts such jobs, and how many were submitted before the other one ended.
// The partition (field 16) is not read; Partitions reads it as a GPU type.
//
// Published (published.go) reads a log by the rules of RLScheduler instead.
package swf

import (
	"cmp"
	"io"
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// columns names the fields of a line in order.
func columns() []string {
	return []string{"job", "submit", "wait", "run", "allocated", "cpu_used", "memory_used", "requested",
		"requested_time",
		"requested_memory", "status", "user", "group", "executable", "queue", "partition", "preceding", "think"}
}

// Read reads the log at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a log from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	l, err := collect(name, r, opt, (*log).keep)
	if err != nil {
		return nil, nil, err
	}
	if len(l.partitions) > 1 {
		l.Note("the rows name %d partitions, which are not read: swf-partitions reads them as GPU types", len(l.partitions))
	}
	return l.Finish("swf", intake.FromFirst, origins()...)
}

func origins() []origin.Origin {
	return []origin.Origin{
		{Field: "gpus", Source: "processors allocated, or requested when unknown"},
		{Field: "work", Source: "run time x processors: the traced run is taken to be without " +
			"communication cost"},
		{Field: "vc", Source: "queue number"},
		{Field: "request", Source: "requested time; none, -1 or more than 31.7 years is unknown"}}
}

// Partitions reads logs as Parse does, with a job's partition as the GPU type that it needs. Its
// name is the word that the header gives it, "; Partition: 8 hybrid", or else its number.
type Partitions struct{}

// Read reads the log at path, plain or compressed.
func (p Partitions) Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, p.Parse)
}

// Parse reads a log from r; the name stands in errors.
func (Partitions) Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	l, err := collect(name, r, opt, func(l *log, row *tabular.Row) error {
		l.typed = true
		return l.keep(row)
	})
	if err != nil {
		return nil, nil, err
	}
	return l.Finish("swf", intake.FromFirst, append(origins(),
		origin.Origin{Field: "gpu_type", Source: "partition, by the header's word for it or its number"})...)
}

// log is the reading of a log.
type log struct {
	*intake.Collector
	header     header
	partitions map[string]struct{}
	typed      bool // a partition is a GPU type
	chain      chain
	odd        int // jobs with a status that the format does not define
}

// collect goes through the rows.
func collect(name string, r io.Reader, opt intake.Options, keep func(*log, *tabular.Row) error) (*log, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Blanks, rows.Comment = true, ";#"
	rows.SetColumns(columns())
	l := log{Collector: intake.New(name, opt), partitions: map[string]struct{}{}}
	var lines lines
	rows.Remark, rows.Fit = l.header.remark, lines.fit
	if err := intake.Rows(rows, func(row *tabular.Row) error {
		if row.Number == 1 && titles(row) {
			l.Note("line %d has titles in place of numbers and is left out", row.Line)
			lines.short, lines.long, lines.most = 0, 0, 0
			return nil
		}
		lines.rows++
		return keep(&l, row)
	}); err != nil {
		return nil, err
	}
	lines.note(l.Collector)
	l.chain.note(l.Collector)
	if l.odd > 0 {
		l.Note("%d jobs have a status beyond 5, which the format does not define: kept, with the number as their state",
			l.odd)
	}
	l.Since(l.header.start)
	l.Processors(cmp.Or(l.header.processors, l.header.nodes))
	return &l, nil
}

func (l *log) keep(row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return l.Reject(row.Faults()...)
	}
	j := sim.Job{ID: tabular.PlainName(row.Text("job")), User: known(row, "user"), Group: known(row, "group"),
		VC: known(row, "queue"), Submit: sim.Time(row.Micros("submit"))}
	row.Count("job", 0, 1<<53)
	gpus := count(row, "allocated", intake.MaxGPUs)
	if gpus <= 0 {
		gpus = count(row, "requested", intake.MaxGPUs)
	}
	ran := length(row, "run")
	if j.Request = sim.Time(length(row, "requested_time")); j.Request > intake.MaxRun {
		j.Request = 0
	}
	j.State = l.state(row)
	if l.typed {
		j.GPUType = l.header.partition(known(row, "partition"))
	}
	switch {
	case len(row.Faults()) > 0:
		return l.Reject(row.Faults()...)
	case j.State == part:
		return l.Skip(row, "a part of a checkpointed job, summed up in the job's own line")
	case ran == 0:
		return l.Skip(row, "the job shows no run time")
	case gpus <= 0:
		return l.Skip(row, "the job shows no processors")
	}
	if p := known(row, "partition"); p != "" && len(l.partitions) < 1000 {
		l.partitions[l.Text(p)] = struct{}{}
	}
	l.chain.add(row, int64(j.Submit), ran)
	j.GPUs = int32(gpus)
	j.Work = intake.Work(ran, j.GPUs)
	if wait, ok := tabular.ParseMicros(row.Text("wait")); ok && wait >= 0 {
		j.Record = intake.Recorded(int64(j.Submit), int64(j.Submit)+wait)
	}
	return l.Keep(row, j)
}

// part is the state of the parts of a checkpointed job.
const part = "part"

// state is how a job ended.
func (l *log) state(row *tabular.Row) string {
	status := count(row, "status", 1<<31)
	if states := []string{"", "failed", "completed", part, part, part, "cancelled"}; status < int64(len(states))-1 {
		return states[status+1]
	}
	l.odd++
	return strconv.FormatInt(status, 10)
}

// unset reports whether a field is unknown: -1, also where it is written as a float, or one of the
// words for a missing value.
func unset(row *tabular.Row, column string) bool {
	v, ok := tabular.ParseMicros(row.Text(column))
	return ok && v == -1e6 || !row.Known(column)
}

// length is a number of seconds in microseconds, 0 when unknown.
func length(row *tabular.Row, column string) int64 {
	if unset(row, column) {
		return 0
	}
	return row.Micros(column)
}

// count is a whole number, -1 when unknown.
func count(row *tabular.Row, column string, hi int64) int64 {
	if unset(row, column) {
		return -1
	}
	return row.Count(column, -1, hi)
}

// known is the number of a user, group or queue as a name, "" when unknown.
func known(row *tabular.Row, column string) string {
	if unset(row, column) {
		return ""
	}
	return tabular.PlainName(row.Text(column))
}
