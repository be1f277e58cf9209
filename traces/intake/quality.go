package intake

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/natural"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/tabular"
)

// clock is what a reading has seen of times.
type clock struct {
	since  sim.Time // from when submits count; 0 = not known
	latest sim.Time // of all submits so far
	end    sim.Time // of the job that is kept next; 0 = not known
	last   sim.Time // of all ends so far
	atLast int      // jobs that end then
	ends   []string // ids of the jobs that end then, unless they are known to run on
}

// year2000 is the instant from which a time is taken to count from 1970.
const year2000 = 946_684_800 * sim.Second

// sinceEpoch gives a submit in microseconds since 1970, 0 where that is not known.
func (c *Collector) sinceEpoch(t sim.Time) int64 {
	if c.clock.since == 0 && t < year2000 {
		return 0
	}
	return int64(c.clock.since + t)
}

// Since states from when the trace's clock counts, in seconds since 1970; 0 = not known.
func (c *Collector) Since(seconds int64) {
	if seconds > 0 && seconds <= int64(maxSubmit/sim.Second) {
		c.clock.since = sim.Time(seconds) * sim.Second
	}
}

// Ends states when the job that is kept next ended in the log, on the clock of the submits.
func (c *Collector) Ends(t sim.Time) { c.clock.end = t }

// Cut states that the run of a job was cut off where the log ends.
func (c *Collector) Cut(id string) { c.report.Cut = append(c.report.Cut, strings.Clone(id)) }

// inOrder notes when a kept job was submitted and when it ended.
func (c *Collector) inOrder(row *tabular.Row, j *sim.Job) {
	k := &c.clock
	c.opt.Repair.Kept(j.ID, row.Line)
	if row.Local {
		c.report.Local++
	}
	if back := int64(k.latest - j.Submit); back > 0 {
		if c.report.Late++; back > c.report.LateMicros {
			c.report.LateMicros, c.report.LateAt = back, fmt.Sprintf("%s:%d", row.File, row.Line)
		}
		if c.opt.Repair.On(account.Order) {
			c.opt.Repair.Add(account.Change{Row: row.Line, ID: j.ID, Field: "place", Before: strconv.Itoa(c.kept + 1),
				Rule: account.Order, Why: "submitted before an earlier row"})
		}
	}
	k.latest = max(k.latest, j.Submit)
	if k.end > k.last {
		k.last, k.atLast, k.ends = k.end, 0, k.ends[:0]
	}
	atLast := k.end > 0 && k.end == k.last
	if atLast {
		k.atLast++
	}
	if isRunning(j.State) {
		c.report.Cut = append(c.report.Cut, j.ID)
	} else if atLast {
		k.ends = append(k.ends, j.ID)
	}
	k.end = 0
}

// isRunning reports whether a state is of a job that has not ended.
func isRunning(state string) bool {
	return strings.EqualFold(state, "running") || state == "R"
}

// cut adds the jobs that end together at the last instant of the log, and lists each job once.
func (c *Collector) cut() {
	if c.clock.atLast > 1 {
		c.report.Cut = append(c.report.Cut, c.clock.ends...)
	}
	c.clock.ends = nil
	kept := slices.DeleteFunc(c.report.Cut, func(id string) bool { _, ok := c.seen[id]; return !ok })
	slices.SortFunc(kept, natural.Compare)
	c.report.Cut = slices.Compact(kept)
}

// twice deals with a job whose id the at-th job has: it is left out, with drop, or has got another
// id.
func (c *Collector) twice(row *tabular.Row, j *sim.Job, at int) (drop bool, err error) {
	first := &c.chunks[at/chunk][at%chunk]
	if equal(first, j) {
		const why = "the row is a copy of an earlier one: the job id appears twice"
		c.report.Copies++
		if !c.opt.Repair.On(account.Copies) {
			return true, c.wrongID(row, j, why)
		}
		c.opt.Repair.Add(account.Change{Row: row.Line, ID: j.ID, Field: "work_s",
			Before: tabular.FormatMicros(int64(j.Work)), After: account.Dropped, Rule: account.Copies, Why: why})
		return true, c.Skip(row, why)
	}
	const why = "another job has the id: it appears twice"
	c.report.SameID++
	if !c.opt.Repair.On(account.Ids) {
		return true, c.wrongID(row, j, why)
	}
	free := c.freeID(j.ID)
	if len(free) > MaxName {
		return true, c.wrongID(row, j, why)
	}
	c.opt.Repair.Add(account.Change{Row: row.Line, ID: first.ID, Field: "id", Before: first.ID, After: free,
		Rule: account.Ids, Why: why})
	j.ID = free
	return false, nil
}

// freeID gives an id that no job has so far: the id and a number.
func (c *Collector) freeID(id string) string {
	if c.again == nil {
		c.again = map[string]int{}
	}
	for n := max(2, c.again[id]+1); ; n++ {
		free := fmt.Sprintf("%s-%d", id, n)
		if _, taken := c.seen[free]; !taken {
			c.again[strings.Clone(id)] = n
			return free
		}
	}
}

// wrongID rejects a row for its id.
func (c *Collector) wrongID(row *tabular.Row, j *sim.Job, why string) error {
	row.Rejectf("job id %q appears twice, expected unique ids", j.ID)
	if c.opt.Repair.On(account.WrongRows) {
		c.opt.Repair.Add(account.Change{Row: row.Line, ID: strings.Clone(j.ID), Field: "work_s",
			Before: tabular.FormatMicros(int64(j.Work)), After: account.Dropped, Rule: account.WrongRows, Why: why})
	}
	return c.reject(why, row.Faults()...)
}
