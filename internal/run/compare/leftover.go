package compare

import (
	"fmt"

	"tarry/internal/legible"
	"tarry/internal/run/trial"
)

// LeftOver says how many jobs of a trial did not end, and names those that the cluster can never hold (of the first replicate).
func LeftOver(r *trial.Result) (notes []string) {
	if n := r.Row.Unfinished; n > 0 {
		notes = append(notes, fmt.Sprintf("%s, replicate %d: %d jobs had not finished when the run ended; means and quantiles are over the others", r.Row.Policy, r.Row.Replicate, n))
	}
	if n := r.Row.Rejected; n > 0 {
		notes = append(notes, fmt.Sprintf("%s, replicate %d: %d jobs were rejected by the policy; means and quantiles are over those that finished", r.Row.Policy, r.Row.Replicate, n))
	}
	if len(r.Refused) == 0 || r.Row.Replicate > 0 {
		return notes
	}
	const most = 10
	names := r.Refused[:min(most, len(r.Refused))]
	more := ""
	if n := len(r.Refused) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return append(notes, fmt.Sprintf("%s: %d jobs refused, larger than the cluster: %s%s", r.Row.Policy, len(r.Refused), legible.Fields(names), more))
}
