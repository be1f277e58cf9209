// Package swf reads the Standard Workload Format, version 2.2 (Chapin et al., "Benchmarks and
// standards for the evaluation of parallel job schedulers", JSSPP 1999; the Parallel Workloads
// Archive): 18 numbers per line between blanks, lines with ';' are comments, -1 is unknown. Numbers
// may be written as floats, -1.0, and a missing one as NaN.
//
// A processor is taken as a GPU. The demand is the processors allocated, or those requested when
// the former is unknown. Jobs that show no run time or no processors are left out and counted, and
// so are the parts of checkpointed jobs (status 2, 3 and 4), because the job's own line sums them
// up. The requested time is the request of the job; one of more than 31.7 years, such as 2^31-1
// seconds, asks for no limit and is taken as unknown.
//
// Published (published.go) reads a log by the rules of RLScheduler instead.
package swf

import (
	"cmp"
	"io"
	"strconv"
	"strings"

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
	c, err := collect(name, r, opt, keep)
	if err != nil {
		return nil, nil, err
	}
	return c.Finish("swf", intake.FromFirst,
		origin.Origin{Field: "gpus", Source: "processors allocated, or requested when unknown"},
		origin.Origin{Field: "work", Source: "run time x processors: the traced run is taken to be without " +
			"communication cost"},
		origin.Origin{Field: "vc", Source: "queue number"},
		origin.Origin{Field: "request", Source: "requested time; none, -1 or more than 31.7 years is unknown"})
}

// collect goes through the rows.
func collect(name string, r io.Reader, opt intake.Options, keep func(*intake.Collector,
	*tabular.Row) error) (*intake.Collector, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	rows.Blanks, rows.Comment = true, ';'
	rows.SetColumns(columns())
	c := intake.New(name, opt)
	var size machine
	rows.Remark = size.header
	if err := intake.Rows(rows, func(row *tabular.Row) error { return keep(c, row) }); err != nil {
		return nil, err
	}
	c.Processors(cmp.Or(size.processors, size.nodes))
	return c, nil
}

// machine is what the header states of the size of the machine; 0 = nothing.
type machine struct{ processors, nodes int }

// header reads "; MaxProcs: 128" and "; MaxNodes: 128".
func (m *machine) header(line string) {
	key, value, ok := strings.Cut(strings.TrimLeft(line, "; \t"), ":")
	if !ok {
		return
	}
	to := map[string]*int{"MaxProcs": &m.processors, "MaxNodes": &m.nodes}[key]
	words := strings.Fields(value)
	if to == nil || *to > 0 || len(words) == 0 {
		return
	}
	if n, err := strconv.Atoi(words[0]); err == nil && n > 0 && n <= intake.MaxGPUs {
		*to = n
	}
}

func keep(c *intake.Collector, row *tabular.Row) error {
	if len(row.Faults()) > 0 {
		return c.Reject(row.Faults()...)
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
	status := count(row, "status", 5)
	j.State = [...]string{"", "failed", "completed", "part", "part", "part", "cancelled"}[status+1]
	switch {
	case len(row.Faults()) > 0:
		return c.Reject(row.Faults()...)
	case j.State == "part":
		return c.Skip(row, "a part of a checkpointed job, summed up in the job's own line")
	case ran == 0:
		return c.Skip(row, "the job shows no run time")
	case gpus <= 0:
		return c.Skip(row, "the job shows no processors")
	}
	j.GPUs = int32(gpus)
	j.Work = intake.Work(ran, j.GPUs)
	return c.Keep(row, j)
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
