// Package slurm reads what Slurm's accounting command sacct prints (SchedMD, "sacct - displays
// accounting data for all jobs and job steps"): a line of field names and a line for each job and
// each step, with fields between bars (-P, --parsable, --parsable2), another delimiter, or in
// columns over a line of dashes; or the object that sacct --json prints. Any fields may stand in any order. Several outputs may follow one
// another, and a log may be of several clusters. tarry trace slurm-command prints the command.
//
// Steps (1.batch, 1.extern, 1.0) are parts of their jobs and not read. Rows of one job are joined:
// a job that was requeued, preempted or resized has the work of all its runs, each its length times
// its GPUs, and the components of a heterogeneous job (1+0, 1+1), which start together, are one
// gang. Jobs without a GPU and jobs that never ran are left out and counted. Jobs that were running
// when the log was written are kept, and a note counts them: their runs are lower bounds.
//
// GPUs are of AllocTRES; AllocGRES, ReqTRES and ReqGRES serve where a log has no field before them
// in this order. gres/gpu=2 is the number of GPUs; gres/gpu:a100=2 states of which type they are,
// and is counted only where the former is missing. A type such as a100_1g.5gb is an instance of a
// GPU (MIG) and read as a share of one GPU by its compute slices, which needs the instance's memory;
// instances that are together more than a GPU are rounded up to whole ones. Shards and MPS
// (gres/shard, gres/mps) state no share that a log explains, and are left out.
//
// Reading guide: header.go finds fields and delimiter, line.go cuts rows, json.go has the other
// form, row.go takes what a row states, tres.go its GPUs, join.go joins the rows of a job, notes.go remarks.
package slurm

import (
	"io"
	"strings"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the log at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// Parse reads a log from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return parse(newLog(name, opt), r)
}

// Partitions reads logs as Parse does, with a job's partition as the type of its GPUs where the row
// states none. Its zero value is ready for use.
type Partitions struct{}

// Read reads the log at path, plain or compressed.
func (p Partitions) Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, p.Parse)
}

// Parse reads a log from r; the name stands in errors.
func (Partitions) Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	p := newLog(name, opt)
	p.types = true
	return parse(p, r)
}

func parse(p *log, r io.Reader) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(p.name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	if in.First() == '{' {
		if err := p.objects(in); err != nil {
			return nil, nil, err
		}
		return p.finish()
	}
	rows := tabular.NewReader(p.name, in)
	rows.Tabs = true // a quote may stand anywhere in a job's name
	lines := lines{in: rows}
	if err := p.header(&lines); err != nil {
		return nil, nil, err
	}
	for {
		text, line, err := lines.next()
		switch {
		case err == io.EOF:
			return p.finish()
		case err != nil:
			return nil, nil, err
		case Header(text):
			lines.back(text, line)
			err = p.header(&lines)
		default:
			err = p.line(&lines, text, line)
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// log is the reading of one log.
type log struct {
	c    *intake.Collector
	name string
	head *header
	// types states that partitions are GPU types where a row states none.
	types bool
	// columns names the fields of values, which are of the row in hand; fields has all of its fields.
	columns []string
	values  [columns]string
	fields  []string
	// texts numbers the names that rows share; 0 is "".
	texts   []string
	numbers map[string]int32
	// records are the rows of jobs that may be kept, first those by job.
	records []record
	first   map[string]int32 // by cluster and id, an index into records
	order   []string         // keys of first as they came up
	notes   notes
	local   bool // submits have no time zone
}

func newLog(name string, opt intake.Options) *log {
	return &log{c: intake.New(name, opt), name: name, columns: columnNames(), texts: []string{""},
		numbers: map[string]int32{"": 0}, first: map[string]int32{},
		notes: notes{qos: map[string]bool{}, nodes: map[string]int{}, clusters: map[int32]bool{},
			partitions: map[int32]bool{}}}
}

// text numbers a text.
func (p *log) text(s string) int32 {
	if n, ok := p.numbers[s]; ok {
		return n
	}
	s = strings.Clone(s)
	n := int32(len(p.texts))
	p.texts, p.numbers[s] = append(p.texts, s), n
	return n
}
