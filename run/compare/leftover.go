package compare

import (
	"fmt"

	"tarry/internal/legible"
	"tarry/run/trial"
)

// LeftOver reports how many jobs of a trial did not end, and names the jobs that the cluster can
// never hold (of the first replicate), by the reason.
func LeftOver(r *trial.Result) (notes []string) {
	if n := r.Row.Unfinished; n > 0 {
		notes = append(notes, fmt.Sprintf("%s, replicate %d: %d jobs had not finished when the run ended; means and "+
			"quantiles are over the others", r.Row.Policy, r.Row.Replicate, n))
	}
	if n := r.Row.Rejected; n > 0 {
		notes = append(notes, fmt.Sprintf("%s, replicate %d: %d jobs were rejected by the policy; means and "+
			"quantiles are over finished jobs", r.Row.Policy, r.Row.Replicate, n))
	}
	if len(r.Refused) == 0 || r.Row.Replicate > 0 {
		return notes
	}
	var whys []string
	jobs := map[string][]string{}
	for _, x := range r.Refused {
		if jobs[x.Why] == nil {
			whys = append(whys, x.Why)
		}
		jobs[x.Why] = append(jobs[x.Why], x.Job)
	}
	for _, why := range whys {
		notes = append(notes, fmt.Sprintf("%s: %d jobs refused, %s: %s", r.Row.Policy, len(jobs[why]), why,
			some(jobs[why])))
	}
	return notes
}

// some names up to ten jobs.
func some(jobs []string) string {
	const most = 10
	if n := len(jobs) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", legible.Fields(jobs[:most]), n)
	}
	return legible.Fields(jobs)
}
