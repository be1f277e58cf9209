package quality

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tarry/sim"
)

// A gap is much longer than usual where it is long, and this many times the mean and the 95th
// percentile of gaps.
const (
	unusual  = 10
	leastGap = hour
	shown    = 3

	minute = 60 * sim.Second
	hour   = 60 * minute
)

// gaps gives the longest times without a submit.
func gaps(t *Trace) (out []Finding) {
	jobs := t.Workload.Jobs
	if len(jobs) < enough {
		return nil
	}
	type gap struct{ from, length sim.Time }
	all := make([]gap, 0, len(jobs))
	for i := range jobs[1:] {
		all = append(all, gap{jobs[i].Submit, jobs[i+1].Submit - jobs[i].Submit})
	}
	slices.SortStableFunc(all, func(a, b gap) int { return cmp.Compare(b.length, a.length) })
	first, last := t.Workload.Span()
	usual := max(all[len(all)/20].length, (last-first)/sim.Time(len(all)))
	least := max(unusual*usual, leastGap)
	many := 0
	for _, g := range all {
		if g.length > least {
			many++
		}
	}
	for _, g := range all[:min(many, shown)] {
		out = append(out, Finding{Kind: Gap, Of: t.date(g.from), Seconds: g.length.Seconds(),
			Text: fmt.Sprintf("no submit for %s from %s", long(g.length), t.date(g.from))})
	}
	if many > shown {
		out[shown-1].Text += fmt.Sprintf("; %d more", many-shown)
	}
	return out
}

// long gives a length of time in words.
func long(d sim.Time) string {
	switch s := d.Seconds(); {
	case s >= 2*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	case s >= 2*3600:
		return fmt.Sprintf("%.1f hours", s/3600)
	case s >= 120:
		return fmt.Sprintf("%.1f minutes", s/60)
	default:
		return fmt.Sprintf("%.0f s", s)
	}
}

// order gives the rows that come before one that was submitted earlier.
func order(t *Trace) []Finding {
	r := t.Report
	if r.Late == 0 {
		return nil
	}
	back := sim.Time(r.LateMicros)
	return []Finding{{Kind: Disorder, Jobs: r.Late, Seconds: back.Seconds(), Text: fmt.Sprintf("%d of %d rows, by up "+
		"to %s (line %s)", r.Late, r.Rows, long(back), r.LateAt[strings.LastIndexByte(r.LateAt, ':')+1:])}}
}

// clocks gives submits without a time zone, and the hours in which summer time then makes them
// wrong.
func clocks(t *Trace) []Finding {
	n := t.Report.Local
	if n == 0 || t.Report.StartMicros == 0 {
		return nil
	}
	first, last := t.Workload.Span()
	out := []Finding{{Kind: NoZone, Jobs: n, Text: fmt.Sprintf("%d submits, taken as UTC: %s to %s", n, t.date(first),
		t.date(last))}}
	for _, c := range t.changes() {
		here, usual := t.around(c.from)
		if usual < 1 && here == 0 {
			continue
		}
		out = append(out, Finding{Kind: Summer, Of: c.from.Format(time.DateOnly), Jobs: here,
			Text: fmt.Sprintf("%s is %s in %s: %d submits in that hour, else %.1f",
				c.from.Format("2006-01-02 15:04"), c.what, c.where, here, usual)})
	}
	return out
}

// change is an hour that local clocks have twice or not at all, written as a local time in UTC.
type change struct {
	from        time.Time
	what, where string
}

// changes gives the hours of the changes of summer time in Europe and North America during a trace.
func (t *Trace) changes() (out []change) {
	first, last := t.Workload.Span()
	from := time.UnixMicro(t.Report.StartMicros).UTC()
	until := from.Add(time.Duration(last-first) * time.Microsecond)
	for year := from.Year(); year <= until.Year(); year++ {
		for _, c := range []change{
			{sunday(year, time.March, 2).Add(2 * time.Hour), "missing", "North America"},
			{sunday(year, time.March, -1).Add(2 * time.Hour), "missing", "Europe"},
			{sunday(year, time.October, -1).Add(2 * time.Hour), "twice", "Europe"},
			{sunday(year, time.November, 1).Add(time.Hour), "twice", "North America"},
		} {
			if !c.from.Before(from) && c.from.Before(until) {
				out = append(out, c)
			}
		}
	}
	return out
}

// sunday gives the n-th Sunday of a month, the last for -1.
func sunday(year int, month time.Month, n int) time.Time {
	if n < 0 {
		last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
		return last.AddDate(0, 0, -int(last.Weekday()))
	}
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, (7-int(first.Weekday()))%7+7*(n-1))
}

// around counts the submits of an hour, and gives the mean of the same hour of the seven days before
// and after.
func (t *Trace) around(when time.Time) (here int, usual float64) {
	first, _ := t.Workload.Span()
	days := 0
	for d := -7; d <= 7; d++ {
		at := first + sim.Time(when.AddDate(0, 0, d).UnixMicro()-t.Report.StartMicros)
		n := t.between(at, at+hour)
		switch {
		case d == 0:
			here = n
		case at >= first && at <= t.Workload.Jobs[len(t.Workload.Jobs)-1].Submit:
			usual += float64(n)
			days++
		}
	}
	return here, usual / float64(max(1, days))
}

// between counts the submits of [from, to).
func (t *Trace) between(from, to sim.Time) int {
	before := func(at sim.Time) int {
		n, _ := slices.BinarySearchFunc(t.Workload.Jobs, at, func(j sim.Job, at sim.Time) int {
			if j.Submit < at {
				return -1
			}
			return 1
		})
		return n
	}
	return before(to) - before(from)
}
