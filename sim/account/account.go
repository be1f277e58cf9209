// Package account counts what a trace's reader kept and dropped, and why.
//
// Reading guide. A reader fills a Report (see traces/intake); tarry trace info prints it.
package account

import (
	"cmp"
	"fmt"
	"strings"
)

// Report is the account of one reading.
type Report struct {
	// Source names what was read.
	Source string
	// Unit is what the rows are, in the plural; "" = jobs.
	Unit string
	// Rows counts jobs read; Kept jobs in the workload. The rest is in Dropped.
	Rows, Kept int
	// Dropped lists why rows were left out, in the order the reasons came up.
	Dropped []Reason
	// Notes are remarks on how values were taken.
	Notes []string
	// StatedGPUs is the size of cluster that a generated workload was made for, where gpus= states
	// another size than the cluster's; else 0.
	StatedGPUs int
	// Processors is how many the log's header states that its machine has, or nodes where it names
	// no processors; 0 = it states nothing.
	Processors int
	// Models states of the jobs' models where each stands first, such as x.csv:7: column "model";
	// of the first 10 000. nil = not known.
	Models map[string]string
	// StartMicros is the submit of the first job in microseconds since 1970; 0 = the trace has a clock of
	// its own. Local counts the jobs whose submits were written without a time zone.
	StartMicros int64
	Local       int
	// Late counts the rows whose submit is before the submit of an earlier row, LateMicros is the
	// longest such step back, and LateAt where it is.
	Late       int
	LateMicros int64
	LateAt     string
	// Copies counts rows that were left out as equal to an earlier one, SameID rows that were left
	// out, or got another id, since a different job has theirs.
	Copies, SameID int
	// Cut lists the ids of jobs whose run was cut off where the log ends.
	Cut []string
}

// Reason is one cause of dropped rows.
type Reason struct {
	// Text states the cause, without place and value.
	Text string
	// Rows counts the rows dropped for it.
	Rows int
	// Wrong distinguishes a faulty row from one that the format normally leaves out.
	Wrong bool
	// Examples names the first few places.
	Examples []string
}

const (
	maxExamples = 3
	maxReasons  = 100
	maxModels   = 10_000
)

// Model notes where a model stands, the first time.
func (r *Report) Model(name string, place func() string) {
	if _, ok := r.Models[name]; ok || len(r.Models) == maxModels {
		return
	}
	if r.Models == nil {
		r.Models = map[string]string{}
	}
	r.Models[name] = place()
}

// Count adds a row that was dropped for a reason, with the place as an example; wrong states that
// the row is faulty.
func (r *Report) Count(text, example string, wrong bool) {
	for i := range r.Dropped {
		d := &r.Dropped[i]
		if d.Text == text || i == maxReasons {
			d.Rows++
			if len(d.Examples) < maxExamples {
				d.Examples = append(d.Examples, example)
			}
			return
		}
	}
	if len(r.Dropped) == maxReasons {
		text = "other reasons"
	}
	r.Dropped = append(r.Dropped, Reason{Text: text, Rows: 1, Wrong: wrong, Examples: []string{example}})
}

// Wrong counts the rows dropped because something was wrong with them.
func (r *Report) Wrong() int {
	n := 0
	for _, d := range r.Dropped {
		if d.Wrong {
			n += d.Rows
		}
	}
	return n
}

// String gives the account in lines of text.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d %s kept of %d rows\n", r.Source, r.Kept, cmp.Or(r.Unit, "jobs"), r.Rows)
	if n := r.Processors; n > 0 {
		fmt.Fprintf(&b, "  the log's header states a machine of %d: --cluster 1x%dx1 has as many GPUs\n", n, n)
	}
	for _, d := range r.Dropped {
		fmt.Fprintf(&b, "  %d dropped: %s (%s)\n", d.Rows, d.Text, strings.Join(d.Examples, "; "))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	return b.String()
}

// Why gives the reasons on one line, for the error that nothing was kept.
func (r *Report) Why() string {
	if r.Rows == 0 {
		return ": it holds no rows"
	}
	parts := make([]string, 0, len(r.Dropped))
	for _, d := range r.Dropped {
		parts = append(parts, fmt.Sprintf("%d dropped: %s (%s)", d.Rows, d.Text, d.Examples[0]))
	}
	return fmt.Sprintf(" of %d rows: %s", r.Rows, strings.Join(parts, "; "))
}
