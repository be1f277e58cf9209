package jobcell

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/sim/tabular"
	"tarry/traces/columns"
	"tarry/traces/intake"
	"tarry/traces/nodes"
)

// maxMicros bounds a time of a table (about 31 700 years), far from overflow; intake has the bounds
// of a job.
const maxMicros int64 = 1e18

// row is a job as its cells are read.
type row struct {
	job sim.Job
	// ran is the cell of duration_s in microseconds.
	ran int64
	// submitClock and deadlineClock state that the cell was a wall-clock time, plainDeadline that
	// it was a number but 0.
	submitClock, deadlineClock, plainDeadline bool
	// local states that the submit has no time zone.
	local bool
	// begun is the start in the trace where started is set, and places are its machines there;
	// startClock states that it was a wall-clock time.
	begun               int64
	started, startClock bool
	places              string
	// since is the unit of a wall-clock time that was a number; 0 = there was none.
	since columns.Unit
}

// seconds reads a time in microseconds; open refuses 0.
func seconds(v Value, u columns.Unit, open bool) (t int64, want string) {
	t, ok := v.span(u)
	if ok && !v.missing() && t <= maxMicros && (t > 0 || t == 0 && !open) {
		return t, ""
	}
	if open {
		return 0, u.String() + " > 0"
	}
	return 0, u.String() + " >= 0"
}

// beyond is from where on a whole number of submit_s cannot be seconds: a submit in seconds is at
// most a tenth of it, the year 2286 where it counts from 1970.
const beyond = 100_000_000_000

// instant reads a wall-clock time. A whole number that is too large for seconds counts
// milliseconds, microseconds or nanoseconds since 1970, by its size: from 1973 to 2286 the three do
// not overlap.
func (r *row) instant(v Value, u columns.Unit) (int64, bool) {
	if t, ok := v.instant(); ok {
		return t, true
	}
	n, ok := v.whole()
	if !ok && v.Kind == Real && v.Real >= beyond && v.Real < 1<<63 { // nanoseconds in a float
		n, ok = int64(v.Real), true
	}
	if !ok || u != columns.Second || n < beyond {
		return 0, false
	}
	switch {
	case n < 1e13:
		r.since = columns.Millisecond
	case n < 1e16:
		r.since = columns.Microsecond
	default:
		r.since = columns.Nanosecond
	}
	return r.since.Micros(n), true
}

func (r *row) submit(v Value, u columns.Unit) (want string) {
	if t, ok := r.instant(v, u); ok {
		r.job.Submit, r.submitClock = sim.Time(t), true
		r.local = r.since == 0 && (v.Local || v.Kind != Instant && !tabular.Zoned(v.Text))
		return ""
	}
	t, want := seconds(v, u, false)
	r.job.Submit = sim.Time(t)
	return alsoClock(v, want)
}

func (r *row) deadline(v Value, u columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	if t, ok := r.instant(v, u); ok {
		r.job.Deadline, r.deadlineClock = sim.Time(t), true
		return ""
	}
	t, want := seconds(v, u, false)
	r.job.Deadline, r.plainDeadline = sim.Time(t), t != 0
	return alsoClock(v, want)
}

// start reads the start in the trace; a negative one is unknown.
func (r *row) start(v Value, u columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	t, clock := r.instant(v, u)
	if !clock {
		if n, ok := v.real(); ok && n < 0 {
			return ""
		}
		if t, want = seconds(v, u, false); want != "" {
			return alsoClock(v, want)
		}
	}
	r.begun, r.started, r.startClock = t, true, clock
	return ""
}

// machines reads the names of machines in the trace.
func (r *row) machines(v Value, _ columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	s, ok := v.name()
	switch {
	case !ok:
		return "names of machines"
	case len(s) > recorded.MaxMachines:
		return fmt.Sprintf("a text of at most %d bytes, this one has %d", recorded.MaxMachines, len(s))
	case !utf8.ValidString(s):
		return "UTF-8 text"
	}
	names, err := nodes.Hosts(s)
	if err != nil {
		return err.Error()
	}
	places := make([]recorded.Place, 0, len(names))
	for _, n := range names {
		places = append(places, recorded.Split(n)...)
	}
	r.places = recorded.Join(places)
	return ""
}

// alsoClock adds to what is wanted where a cell looks like a wall-clock time that is none.
func alsoClock(v Value, want string) string {
	if want != "" && (v.Kind == Instant || v.Kind == Text && len(v.Text) > 7 && strings.ContainsAny(v.Text, "-/:")) {
		return want + ", or a time such as 2024-03-01T08:00:00Z from 1970 on"
	}
	return want
}

// long reads a length of time, which no instant is.
func long(v Value, u columns.Unit, open bool) (t int64, want string) {
	t, want = seconds(v, u, open)
	if _, is := v.instant(); is && want != "" {
		want += ": a length of time, not an instant"
	}
	return t, want
}

func (r *row) work(v Value, u columns.Unit) (want string) {
	t, want := long(v, u, true)
	r.job.Work = sim.Time(t)
	return want
}

func (r *row) duration(v Value, u columns.Unit) (want string) {
	r.ran, want = long(v, u, true)
	return want
}

func (r *row) request(v Value, u columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	// as Slurm states
	if v.Kind == Text && (strings.EqualFold(v.Text, "unlimited") || strings.EqualFold(v.Text, "infinite")) {
		return ""
	}
	t, want := long(v, u, false)
	r.job.Request = sim.Time(t)
	return want
}

// drawn undoes origin.Field.String.
func (r *row) drawn(v Value, _ columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	for name := range strings.SplitSeq(v.String(), "+") {
		bit := origin.Field(1)
		for bit.String() != name {
			if bit <<= 1; bit == 0 {
				return "names of fields between +, such as model+user"
			}
		}
		r.job.Drawn |= bit
	}
	return ""
}

func (r *row) drawnBits(v Value, _ columns.Unit) (want string) {
	if v.missing() {
		return ""
	}
	n, ok := v.whole()
	if !ok || n < 0 || n > math.MaxUint16 {
		return between(0, math.MaxUint16)
	}
	r.job.Drawn = origin.Field(n)
	return ""
}

func setName(to *string, v Value) (want string) {
	s, ok := v.name()
	switch {
	case !ok:
		return "a name"
	case len(s) > intake.MaxName:
		return fmt.Sprintf("a text of at most %d bytes, this one has %d", intake.MaxName, len(s))
	case !utf8.ValidString(s):
		return "UTF-8 text"
	}
	*to = s
	return ""
}
