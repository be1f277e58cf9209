package measure

import (
	"math"
	"slices"

	"tarry/internal/stats"
	"tarry/sim"
)

// tally counts jobs with a deadline, each once: jobs = met + missed + rejected + refused + open.
type tally struct {
	jobs, met, missed, rejected, refused, open int
	late                                       []float64 // end - deadline of jobs that are done, s
}

// count takes a job that ended, or that the end of the run cut at now.
func (t *tally) count(j *sim.Job, r *sim.Record, now sim.Time) {
	t.jobs++
	switch {
	case r.State == sim.Done && r.End <= j.Deadline:
		t.met++
	case r.State == sim.Rejected:
		t.rejected++
	case r.State == sim.Refused:
		t.refused++
	case r.State == sim.Done || now >= j.Deadline:
		t.missed++
	default:
		t.open++
	}
}

// satisfied is the part of the jobs with a deadline that met it; of admitted, the part of the jobs
// that were not turned away.
func (t *tally) satisfied() float64 { return frac(t.met, t.jobs-t.open) }

func (t *tally) admitted() float64 { return frac(t.met, t.met+t.missed) }

// rows reports nothing where no job has a deadline.
func (t *tally) rows(add Add) {
	if t.jobs == 0 {
		return
	}
	for _, n := range []struct {
		name  string
		count int
	}{{"deadline_jobs", t.jobs}, {"deadline_met", t.met}, {"deadline_missed", t.missed},
		{"deadline_rejected", t.rejected}, {"deadline_refused", t.refused}, {"deadline_open", t.open}} {
		add(n.name, "", "jobs", float64(n.count))
	}
	add("satisfied_frac", "", "0..1", t.satisfied())
	add("satisfied_admitted_frac", "", "0..1", t.admitted())
	slices.Sort(t.late) // so that a sum does not depend on the order in which jobs end
	add("lateness_mean_s", "", "s", stats.Mean(t.late))
	add("lateness_p95_s", "", "s", stats.Quantile(t.late, 0.95))
	add("lateness_max_s", "", "s", stats.Quantile(t.late, 1))
	for i, v := range t.late {
		t.late[i] = max(0, v)
	}
	add("tardiness_mean_s", "", "s", stats.Mean(t.late))
	add("tardiness_p95_s", "", "s", stats.Quantile(t.late, 0.95))
}

// bestEffort counts jobs without a deadline.
type bestEffort struct {
	jobs, finished int
	jctUs          float64
}

func (b *bestEffort) done(j *sim.Job, r *sim.Record) {
	b.finished++
	b.jctUs += float64(r.End - j.Submit) // whole numbers: exact up to 2^53, whatever the order
}

func (b *bestEffort) rows(add Add) {
	add("best_effort_jobs", "", "jobs", float64(b.jobs))
	jct := math.NaN()
	if b.finished > 0 {
		jct = b.jctUs / 1e6 / float64(b.finished)
	}
	add("best_effort_jct_mean_s", "", "s", jct)
}

// frac is a/b, NaN when b is 0.
func frac(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}
