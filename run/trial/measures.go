package trial

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"tarry/output/results"
	"tarry/run/measure"
	"tarry/sim"
)

// deadlineName is the measure of a single job: when it should be done, on the clock of the table
// jobs.
const deadlineName = "deadline_s"

// measure puts the measures into the result, the speed model's last.
func (t *Trial) measure(b *measure.Book, p sim.Policy, speed sim.SpeedModel, r *Result) {
	add := func(name, of, unit string, value float64) {
		r.Measures = append(r.Measures, results.Measure{Keys: t.Keys, Name: name, Of: of, Unit: unit, Value: value})
	}
	b.Rows(p, add)
	if m, ok := speed.(measure.Measurer); ok {
		m.Measures(add)
	}
}

// withJobs gives the rows with the rows of single jobs behind them.
func (t *Trial) withJobs(rows []results.Measure) []results.Measure {
	rows = slices.Clip(rows)
	for i := range t.Workload.Jobs {
		if j := &t.Workload.Jobs[i]; j.Deadline > 0 {
			rows = append(rows, results.Measure{Keys: t.Keys, Name: deadlineName, Of: j.ID, Unit: "s",
				Value: j.Deadline.Seconds()})
		}
	}
	return rows
}

// reuseMeasures takes the measures of an earlier run; false where they should be there and are not.
func (s *store) reuseMeasures(t *Trial, r *Result) bool {
	if _, err := os.Stat(s.target(results.Measure{}.Table()).Path); errors.Is(err, fs.ErrNotExist) {
		return t.Tenants == "" && t.Power == nil && t.Services == nil && t.Operator == nil &&
			!slices.ContainsFunc(t.Workload.Jobs, func(j sim.Job) bool {
				lo, hi := j.Range()
				return j.Deadline > 0 || lo < hi && j.Fits(t.Topology)
			})
	}
	return scan(s, func(row results.Measure) bool {
		if row.Name != deadlineName || s.keeps(row) {
			r.Measures = append(r.Measures, row)
		}
		return row.Keys == t.Keys
	})
}
