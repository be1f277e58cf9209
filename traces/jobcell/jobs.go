package jobcell

import (
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/traces/columns"
	"tarry/traces/intake"
)

// Fault is a cell that cannot be read.
type Fault struct {
	// Column, Value and Want state where it is, what was found, as text, and what was expected.
	Column, Value, Want string
}

// Jobs reads rows into jobs; several tables may be read one behind the other as one. The zero value
// is ready.
type Jobs struct {
	rows      int
	wallClock bool
	settled   bool         // wallClock is decided
	since     columns.Unit // of wall-clock times that are numbers; 0 = there are none
	local     bool         // the submit of the last row has no time zone
}

// Local reports whether the submit of the row that was read last is a wall-clock time without a
// zone.
func (t *Jobs) Local() bool { return t.local }

// Row reads one row, whose i-th cell is what cell gives. A job with faults has zeros in their
// place.
func (t *Jobs) Row(h *Header, cell func(i int) Value) (sim.Job, []Fault) {
	var r row
	var faults []Fault
	fault := func(c *column, v Value, want string) {
		faults = append(faults, Fault{c.name, brief(v), want})
	}
	for i := range h.columns {
		c := &h.columns[i]
		if c.set == nil {
			continue
		}
		v := cell(i)
		if want := c.set(&r, v, c.unit); want != "" {
			fault(c, v, want)
		}
	}
	if h.numbered {
		r.job.ID = strconv.Itoa(t.rows)
	}
	t.rows++
	t.local = r.local
	if h.ByDuration {
		r.job.Work = intake.Work(r.ran, r.job.GPUs)
		if r.job.ShareMilli > 0 && r.job.GPUs == 1 {
			r.job.Work = intake.ShareWork(r.ran, r.job.ShareMilli)
		}
	}
	if len(faults) == 0 {
		faults = t.clocks(h, &r, cell)
	}
	if len(faults) == 0 && r.started {
		faults = r.record(h, cell)
	}
	return r.job, faults
}

// brief gives a value for an error.
func brief(v Value) string {
	const most = 64
	if s := v.String(); len(s) > most {
		return s[:most] + "..."
	}
	return v.String()
}

// clocks holds all rows to the clock of the first one.
func (t *Jobs) clocks(h *Header, r *row, cell func(int) Value) (faults []Fault) {
	if r.since != 0 {
		t.since = r.since
	}
	if !t.settled {
		t.wallClock, t.settled = r.submitClock, true
	}
	wrong := func(stem, want string) { faults = h.fault(faults, stem+"_s", cell, want) }
	switch {
	case t.wallClock && !r.submitClock:
		wrong("submit", "a wall-clock time, as in the rows before")
	case !t.wallClock && r.submitClock:
		wrong("submit", "a number, as in the rows before")
	case t.wallClock && r.plainDeadline:
		wrong("deadline", "a wall-clock time, as the submits are")
	case !t.wallClock && r.deadlineClock:
		wrong("deadline", "a number, as the submits are")
	case r.started && t.wallClock != r.startClock:
		wrong("log_start", "a time of the kind that the submits are")
	}
	return faults
}

// fault adds that the cell of a field is wrong.
func (h *Header) fault(faults []Fault, field string, cell func(int) Value, want string) []Fault {
	for i := range h.columns {
		if c := &h.columns[i]; c.field == field {
			faults = append(faults, Fault{c.name, brief(cell(i)), want})
		}
	}
	return faults
}

// record sets what the trace's own cluster did with a job that has a start there.
func (r *row) record(h *Header, cell func(int) Value) []Fault {
	wait := r.begun - int64(r.job.Submit)
	if wait < 0 {
		return h.fault(nil, "log_start_s", cell, "a time not before the submit")
	}
	r.job.Record = &recorded.Run{Wait: wait, Machines: r.places}
	return nil
}

// Clock reports whether the workload begins at the first submit: it does where submits are
// wall-clock times.
func (t *Jobs) Clock() intake.Clock {
	if t.wallClock {
		return intake.FromFirst
	}
	return intake.AsWritten
}

// Note puts remarks on how rows were read into a report.
func (t *Jobs) Note(c *intake.Collector) {
	if t.since != 0 {
		c.Note("wall-clock times that are numbers too large for seconds are read as %v since 1970; a length of time "+
			"beside them is in the unit of its column's name", t.since)
	}
}

// Origins reports where fields come from that no column has.
func (h *Header) Origins() []origin.Origin {
	if !h.ByDuration {
		return nil
	}
	return []origin.Origin{{Field: "work", Source: "duration_s x gpus x share: the run is taken to be without " +
		"communication cost"}}
}
