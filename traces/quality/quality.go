// Package quality names what is doubtful about a trace: states, runs that the end of the log cut,
// rows given twice, gaps, clocks, jobs that fit nowhere, and values that look like a rule's.
//
// Reading guide: Of gives the findings, in a fixed order; clock.go and values.go have one function
// for each kind. What a reader alone can see, such as the order of rows, is in its account.Report.
package quality

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"tarry/internal/legible"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/cluster"
)

// Finding is one thing that is doubtful, or to be considered, about a trace.
type Finding struct {
	// Kind is one of the constants below.
	Kind string `json:"kind"`
	// Of is what it is about: a state, a reason, a date; "" where there is one alone.
	Of string `json:"of,omitempty"`
	// Wrong states that the rows are left out, and an error with --strict.
	Wrong bool `json:"wrong,omitempty"`
	// Jobs counts the jobs or rows concerned, WorkGPUH is their work and WorkFrac its share.
	Jobs     int     `json:"jobs,omitempty"`
	WorkGPUH float64 `json:"work_gpu_h,omitempty"`
	WorkFrac float64 `json:"work_frac,omitempty"`
	// Seconds is the length of a gap, of a step back, or of a run.
	Seconds float64 `json:"seconds,omitempty"`
	// Text states it in words.
	Text string `json:"text"`
}

// The kinds of findings, in the order in which they are given.
const (
	State     = "state"
	CutOff    = "cut off"
	Copies    = "copies"
	SameID    = "same id"
	Alike     = "alike"
	Gap       = "gap"
	NoZone    = "no zone"
	Summer    = "summer time"
	Disorder  = "out of order"
	Unfit     = "fits nowhere"
	TimeLimit = "time limit"
	OneUser   = "one user"
	Minutes   = "round submits"
	EqualRuns = "equal runs"
)

// Trace is what findings are about.
type Trace struct {
	Workload *sim.Workload
	// Report is the account of its reader; nil = none, as of generated jobs.
	Report *account.Report
	// Cluster is what the jobs are to run on; nil = not known.
	Cluster *cluster.Topology
}

// enough is the least number of jobs for which a share of them is a finding.
const enough = 20

// Of gives the findings of a trace.
func Of(t Trace) []Finding {
	if t.Report == nil {
		t.Report = &account.Report{}
	}
	var out []Finding
	for _, find := range []func(*Trace) []Finding{states, cutOff, twice, alike, gaps, clocks, order, unfit, odd} {
		out = append(out, find(&t)...)
	}
	return out
}

// gpuHours is the work of a job.
func gpuHours(j *sim.Job) float64 { return j.Work.Seconds() / 3600 }

// total is the work of all jobs.
func (t *Trace) total() float64 {
	sum := 0.0
	for i := range t.Workload.Jobs {
		sum += gpuHours(&t.Workload.Jobs[i])
	}
	return sum
}

// sum is a count of jobs and their work.
type sum struct {
	jobs int
	work float64
}

// by adds jobs up by a name; "" is left out.
func (t *Trace) by(name func(*sim.Job) string) map[string]sum {
	out := map[string]sum{}
	for i := range t.Workload.Jobs {
		j := &t.Workload.Jobs[i]
		if n := name(j); n != "" {
			s := out[n]
			out[n] = sum{s.jobs + 1, s.work + gpuHours(j)}
		}
	}
	return out
}

// finding makes one of a sum.
func (t *Trace) finding(kind, of string, s sum, format string, args ...any) Finding {
	f := Finding{Kind: kind, Of: of, Jobs: s.jobs, WorkGPUH: s.work, Text: fmt.Sprintf(format, args...)}
	if all := t.total(); all > 0 {
		f.WorkFrac = s.work / all
	}
	return f
}

// descending gives the names of sums, the most jobs first.
func descending(sums map[string]sum) []string {
	names := slices.Sorted(maps.Keys(sums))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sums[b].jobs, sums[a].jobs) })
	return names
}

// states counts jobs by how they ended.
func states(t *Trace) (out []Finding) {
	const most = 6
	sums := t.by(func(j *sim.Job) string { return j.State })
	for i, name := range descending(sums) {
		if i == most {
			out = append(out, Finding{Kind: State, Text: fmt.Sprintf("%d others", len(sums)-most)})
			break
		}
		f := t.finding(State, name, sums[name], "")
		f.Text = fmt.Sprintf("%d jobs, %.1f GPU-hours (%.1f %%)", f.Jobs, f.WorkGPUH, 100*f.WorkFrac)
		out = append(out, f)
	}
	return out
}

// cutOff gives the jobs whose runs are lower bounds.
func cutOff(t *Trace) []Finding {
	cut := map[string]bool{}
	for _, id := range t.Report.Cut {
		cut[id] = true
	}
	s := t.by(func(j *sim.Job) string {
		if cut[j.ID] {
			return CutOff
		}
		return ""
	})[CutOff]
	if s.jobs == 0 {
		return nil
	}
	f := t.finding(CutOff, "", s, "")
	f.Text = fmt.Sprintf("%d jobs at the end of the log, %.1f %% of the work: lower bounds", s.jobs, 100*f.WorkFrac)
	return []Finding{f}
}

// twice gives the rows whose id was there.
func twice(t *Trace) (out []Finding) {
	if n := t.Report.Copies; n > 0 {
		out = append(out, Finding{Kind: Copies, Wrong: true, Jobs: n, Text: fmt.Sprintf("%d rows equal an earlier one", n)})
	}
	if n := t.Report.SameID; n > 0 {
		out = append(out, Finding{Kind: SameID, Wrong: true, Jobs: n,
			Text: fmt.Sprintf("%d rows have the id of another job", n)})
	}
	return out
}

// alike gives the jobs that differ from another one in the id alone.
func alike(t *Trace) []Finding {
	seen := map[sim.Job]bool{}
	var s sum
	at := sim.Time(-1)
	for i := range t.Workload.Jobs {
		j := t.Workload.Jobs[i]
		if j.Submit != at {
			at = j.Submit
			clear(seen)
		}
		j.ID, j.Record = "", nil
		if seen[j] {
			s = sum{s.jobs + 1, s.work + gpuHours(&j)}
		}
		seen[j] = true
	}
	if s.jobs == 0 {
		return nil
	}
	return []Finding{t.finding(Alike, "", s, "%d jobs are equal to another but for the id (an array?)", s.jobs)}
}

// unfit gives the jobs that the cluster can never hold, by the reason.
func unfit(t *Trace) (out []Finding) {
	if t.Cluster == nil {
		return nil
	}
	sums := t.by(func(j *sim.Job) string { return Why(j, t.Cluster) })
	for _, why := range descending(sums) {
		s := sums[why]
		out = append(out, t.finding(Unfit, why, s, "%d jobs: %s", s.jobs, why))
	}
	return out
}

// Why states why a cluster can never hold a job, "" where it can.
func Why(j *sim.Job, on *cluster.Topology) string {
	if why := j.Refusal(on); why != "" {
		return why
	}
	if j.Holds(on) != nil {
		return "more memory of each GPU than so many GPUs have"
	}
	return ""
}

// Table gives findings as rows of text, "" where there are none.
func Table(found []Finding) string {
	if len(found) == 0 {
		return ""
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "quality")
	for _, f := range found {
		key := f.Kind
		if f.Kind == State {
			key = strings.TrimSpace("state " + legible.Name(f.Of))
		}
		wrong := ""
		if f.Wrong {
			wrong = "wrong: "
		}
		fmt.Fprintf(t, "  %s\t%s%s\n", key, wrong, f.Text)
	}
	t.Flush() // to memory: cannot fail
	return b.String()
}

// date gives an instant of the trace: a date where it has one, a day and hour of its own otherwise.
func (t *Trace) date(at sim.Time) string {
	if first, _ := t.Workload.Span(); t.Report.StartMicros > 0 {
		return time.UnixMicro(t.Report.StartMicros + int64(at-first)).UTC().Format("2006-01-02 15:04")
	}
	return fmt.Sprintf("day %.2f", at.Seconds()/86400)
}
