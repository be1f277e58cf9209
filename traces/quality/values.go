package quality

import (
	"strconv"

	"tarry/internal/legible"
	"tarry/sim"
)

// Shares of the jobs or of the work from which a value is a finding.
const (
	limitFrac = 0.05 // of the jobs with a request, ends at it
	userFrac  = 0.5  // of the work, of one user among several
	equalFrac = 0.2  // of the jobs, of one length of run
)

// odd gives values that look like a rule's rather than like measurements.
func odd(t *Trace) (out []Finding) {
	for _, find := range []func(*Trace) []Finding{timeLimit, oneUser, round, equalRuns} {
		out = append(out, find(t)...)
	}
	return out
}

// runOf is the run on the job's own GPUs.
func runOf(j *sim.Job) float64 { return j.Work.Seconds() / j.Width() }

// timeLimit gives the jobs that end when their request does.
func timeLimit(t *Trace) []Finding {
	asked := 0
	s := t.by(func(j *sim.Job) string {
		if j.Request == 0 {
			return ""
		}
		if asked++; runOf(j) < j.Request.Seconds()-1 || runOf(j) > j.Request.Seconds()+60 {
			return ""
		}
		return TimeLimit
	})[TimeLimit]
	if asked < enough || float64(s.jobs) < limitFrac*float64(asked) {
		return nil
	}
	return []Finding{t.finding(TimeLimit, "", s, "%d of %d jobs end at the run time asked for: cut short", s.jobs, asked)}
}

// oneUser gives the user with most of the work.
func oneUser(t *Trace) (out []Finding) {
	sums, all := t.by(func(j *sim.Job) string { return j.User }), t.total()
	for _, name := range descending(sums) {
		if s := sums[name]; len(sums) > 2 && len(t.Workload.Jobs) >= enough && s.work > userFrac*all {
			out = append(out, t.finding(OneUser, name, s, "%s of %d has %.1f %% of the work", legible.Name(name), len(sums),
				100*s.work/all))
		}
	}
	return out
}

// round gives the step on whose multiples all submits are.
func round(t *Trace) []Finding {
	jobs := t.Workload.Jobs
	first, last := t.Workload.Span()
	if len(jobs) < enough || first == last {
		return nil
	}
	for _, step := range []struct {
		of   sim.Time
		name string
	}{{24 * hour, "days"}, {hour, "hours"}, {minute, "minutes"}} {
		whole := last-first >= step.of*enough
		for i := range jobs {
			if (jobs[i].Submit-first)%step.of != 0 {
				whole = false
				break
			}
		}
		if whole {
			return []Finding{{Kind: Minutes, Of: step.name, Jobs: len(jobs), Seconds: step.of.Seconds(),
				Text: "all submits are whole " + step.name + " apart"}}
		}
	}
	return nil
}

// equalRuns gives the length of run that many jobs have.
func equalRuns(t *Trace) (out []Finding) {
	n := len(t.Workload.Jobs)
	sums := t.by(func(j *sim.Job) string { return strconv.FormatFloat(runOf(j), 'g', -1, 64) })
	for _, text := range descending(sums) {
		s := sums[text]
		if n < enough || float64(s.jobs) < equalFrac*float64(n) {
			break
		}
		f := t.finding(EqualRuns, text, s, "%.1f %% of the jobs run for %s s", 100*float64(s.jobs)/float64(n), text)
		f.Seconds, _ = strconv.ParseFloat(text, 64)
		out = append(out, f)
	}
	return out
}
