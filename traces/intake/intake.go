// Package intake turns the rows of a trace into a sim.Workload and keeps the
// account of what was read, kept and dropped on the way.
//
// A reader of a format goes through its rows; each one it either keeps (Keep),
// leaves out for a reason that is normal for the format, such as a job that asks
// for no GPU (Skip), or finds wrong (Reject). A wrong row ends a strict reading
// once 20 of them are known; otherwise it is dropped and counted. Finish sets the
// clock to zero at the earliest kept submit and builds the workload.
package intake

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/origin"
	"tarry/sim/tabular"
)

// Options states how to read. The zero value drops and counts wrong rows.
type Options struct {
	// Strict makes wrong rows an error: the first 20 are reported together.
	Strict bool
	// MaxJobs bounds the jobs kept; 0 means DefaultMaxJobs.
	MaxJobs int
	// Repair states what is mended, and keeps what was; nil = nothing is.
	Repair *account.Repair
	// Columns maps the columns of a table, as OWN=COLUMN,...; jobcell reads it. Formats that are no
	// table of our columns do not look at it.
	Columns string
}

// DefaultMaxJobs is the bound on kept jobs: at about 300 bytes for a job with its
// names, some 3 GB.
const DefaultMaxJobs = 10_000_000

// MaxGPUs is the largest demand a reader believes; more is a wrong row.
const MaxGPUs = 1_000_000

// A file of wrong rows is no trace: reading ends when more than maxWrong rows beyond those kept are
// wrong, or maxSkipped beyond ten times as many are left out.
const (
	maxWrong   = 1_000_000
	maxSkipped = 10_000_000
)

// maxFaults is how many faults a strict reading reports.
const maxFaults = 20

// Collector gathers the jobs of one reading.
type Collector struct {
	opt    Options
	source string
	chunks [][]sim.Job
	kept   int
	seen   map[string]int // the index of the job by its id
	texts  map[string]string
	report Report
	faults []*tabular.Fault
	wrong  int
	// skipped rows are left out for a reason that is normal for the format.
	skipped int
	clock   clock
	again   map[string]int // the last number behind an id that was taken
}

// New starts the reading of the named source.
func New(source string, opt Options) *Collector {
	if opt.MaxJobs <= 0 {
		opt.MaxJobs = DefaultMaxJobs
	}
	return &Collector{opt: opt, source: source, seen: map[string]int{}, texts: map[string]string{},
		report: Report{Source: source}}
}

// Text gives one shared copy of a name, so that a million jobs of a hundred users
// hold a hundred strings and no row of the file.
func (c *Collector) Text(s string) string {
	if t, ok := c.texts[s]; ok {
		return t
	}
	s = strings.Clone(s)
	c.texts[s] = s
	return s
}

// Skip leaves a row out for a reason that is normal for the format. The error is not nil when
// reading must end.
func (c *Collector) Skip(row *tabular.Row, reason string) error {
	c.report.Rows++
	c.report.Count(reason, fmt.Sprintf("%s:%d", row.File, row.Line), false)
	if c.skipped++; c.skipped > maxSkipped+10*c.kept {
		return fmt.Errorf("%s:%d: %d rows are left out (%s) and %d kept, expected at most %d and ten for each "+
			"that is kept", row.File, row.Line, c.skipped, reason, c.kept, maxSkipped)
	}
	return nil
}

// Processors notes how many processors the machine has, by the header of its log.
func (c *Collector) Processors(n int) { c.report.Processors = n }

// Note adds a remark to the report.
func (c *Collector) Note(format string, args ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
}

// Reject drops a row with its faults. The error is not nil when reading must end.
func (c *Collector) Reject(faults ...*tabular.Fault) error { return c.rejectJob("", faults) }

// rejectJob is Reject for a row whose id is known.
func (c *Collector) rejectJob(id string, faults []*tabular.Fault) error {
	if f := faults[0]; c.opt.Repair.On(account.WrongRows) {
		c.opt.Repair.Add(account.Change{Row: f.Line, ID: strings.Clone(id), Field: f.Column,
			Before: strings.Clone(f.Value), After: account.Dropped, Rule: account.WrongRows, Why: f.Reason()})
	}
	return c.reject(faults[0].Reason(), faults...)
}

// reject counts a wrong row under a reason.
func (c *Collector) reject(reason string, faults ...*tabular.Fault) error {
	c.report.Rows++
	c.report.Count(reason, faults[0].Error(), true)
	if c.wrong++; c.wrong > maxWrong+c.kept {
		return fmt.Errorf("%s:%d: %d rows are wrong and %d kept, expected at most %d and one for each that is kept; "+
			"the last: %s",
			faults[0].File, faults[0].Line, c.wrong, c.kept, maxWrong, faults[0].Reason())
	}
	if !c.opt.Strict {
		return nil
	}
	c.faults = append(c.faults, faults...)
	if len(c.faults) >= maxFaults {
		return c.strictError()
	}
	return nil
}

func (c *Collector) strictError() error {
	told := c.faults[:min(len(c.faults), maxFaults)]
	err := tabular.Join(told)
	if len(c.faults) >= maxFaults {
		err = errors.Join(err, fmt.Errorf("%s: reading stopped after %d faults", c.source, len(told)))
	}
	return err
}

// Keep adds a job, or rejects its row when the row has faults or the job cannot be
// one. Names are shared and the id is copied. The error is not nil when reading must end.
func (c *Collector) Keep(row *tabular.Row, j sim.Job) error {
	checkJob(row, &j)
	if faults := row.Faults(); len(faults) > 0 {
		return c.rejectJob(j.ID, faults)
	}
	if at, twice := c.seen[j.ID]; twice {
		if drop, err := c.twice(row, &j, at); drop {
			return err
		}
	}
	if c.kept >= c.opt.MaxJobs {
		return fmt.Errorf("%s:%d: more than %d jobs, the limit that keeps memory bounded: read a part of the trace "+
			"or raise the limit",
			row.File, row.Line, c.opt.MaxJobs)
	}
	j.ID = strings.Clone(j.ID)
	for _, s := range [...]*string{&j.Model, &j.User, &j.Group, &j.VC, &j.GPUType, &j.State} {
		*s = c.Text(*s)
	}
	if r := j.Record; r != nil {
		r.Machines = c.Text(r.Machines)
	}
	c.seen[j.ID] = c.kept
	c.inOrder(row, &j)
	c.report.Model(j.Model, func() string { return row.Place(j.Model) })
	c.append(j)
	c.report.Rows++
	return nil
}

// Jobs keeps or rejects the job of each row of a delimited file.
func (c *Collector) Jobs(r *tabular.Reader, job func(*tabular.Row) sim.Job) error {
	row, err := r.Next()
	for ; err == nil; row, err = r.Next() {
		if err := c.Keep(row, job(row)); err != nil {
			return err
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// Clock states what Finish does with the submits.
type Clock bool

const (
	// FromFirst subtracts the earliest kept submit from all submits and deadlines.
	FromFirst Clock = true
	// AsWritten leaves them.
	AsWritten Clock = false
)

// Finish builds the workload. It fails when nothing was kept, or, in a strict
// reading, when any row was wrong.
func (c *Collector) Finish(name string, clock Clock, origins ...origin.Origin) (*sim.Workload, *Report, error) {
	c.report.Kept = c.kept
	if len(c.faults) > 0 {
		return nil, &c.report, c.strictError()
	}
	if c.kept == 0 {
		return nil, &c.report, fmt.Errorf("%s: no job can be kept%s", c.source, c.report.Why())
	}
	c.cut()
	c.seen = nil // the workload checks its own; do not hold both
	jobs := c.sorted()
	c.report.StartMicros = c.sinceEpoch(jobs[0].Submit)
	if first := jobs[0].Submit; clock == FromFirst && first > 0 {
		for i := range jobs {
			jobs[i].Submit -= first
			if jobs[i].Deadline > first {
				jobs[i].Deadline -= first
			}
		}
		origins = append(origins, origin.Origin{Field: "submit", Source: "the trace's time minus its earliest kept " +
			"submit, " + first.String()})
	}
	w, err := sim.NewWorkload(name, jobs, origins...)
	if err != nil {
		return nil, &c.report, fmt.Errorf("%s: %w", c.source, err)
	}
	return w, &c.report, nil
}

// Parse reads one format from decoded or compressed text.
type Parse func(name string, r io.Reader, opt Options) (*sim.Workload, *Report, error)

// File opens the file at path and parses it.
func File(path string, opt Options, parse Parse) (*sim.Workload, *Report, error) {
	f, err := tabular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return parse(path, f, opt)
}

// Rows goes through the rows of a delimited file. The caller's function keeps,
// skips or rejects each row; its error ends the reading.
func Rows(r *tabular.Reader, each func(*tabular.Row) error) error {
	row, err := r.Next()
	for ; err == nil; row, err = r.Next() {
		if err := each(row); err != nil {
			return err
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}
