package cost

import (
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim/entry"
)

// times is how often dally's processor time on Philly a scheduler may cost without a reason.
const times = 10

// reasonsCSV has a row for each scheduler whose cost has a reason: what takes the time, and what lowers
// it.
const reasonsCSV = "../../docs/cost-reasons.csv"

// explained gives the schedulers that a file of rows gives reasons for.
func explained(t *testing.T, path string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, row := range cells(t, path)[1:] {
		if names[row[0]] {
			t.Errorf("%s: two rows for %s", path, row[0])
		}
		if len(strings.Fields(row[1])) < 4 {
			t.Errorf("%s: %s has the reason %q, expected what takes the time", path, row[0], row[1])
			continue
		}
		names[row[0]] = true
	}
	return names
}

// A scheduler that needs more than ten times dally's time on Philly, or did not end, states what it
// costs, and a row of the page has why. What it states is what was measured, and no other scheduler states
// anything.
func TestCostlySchedulersHaveReasons(t *testing.T) {
	pages := explained(t, reasonsCSV)
	var unit float64
	measured := map[string]Run{}
	for _, r := range runs(t, costCSV) {
		measured[r.Scheduler] = r
		if r.Scheduler == base {
			unit = r.Seconds
		}
	}
	known := map[string]bool{}
	for _, e := range schedulers.All() {
		known[e.Name] = true
		r := measured[e.Name]
		ratio := r.Seconds / unit
		if ratio <= times && r.Ended() {
			if e.Cost.Why != "" && ratio < 0.7*times { // near ten times, another measurement may have either
				t.Errorf("%s is %.1f x %s, expected no row in catalogue/policies/costs.go", e.Name, ratio, base)
			}
			continue
		}
		if !pages[e.Name] {
			t.Errorf("%s is %.1f x %s, %d of %d jobs, expected a row of %s", e.Name, ratio, base, r.Done, r.Jobs,
				reasonsCSV)
		}
		stated(t, r, &e.Cost)
	}
	for name := range pages {
		if !known[name] {
			t.Errorf("%s: %s is no scheduler of the catalogue", reasonsCSV, name)
		}
	}
}

// stated holds the cost that a scheduler states against what was measured: a run that ended within a
// third or so, another from there on.
func stated(t *testing.T, r Run, c *entry.Cost) {
	t.Helper()
	if c.Why == "" {
		t.Errorf("%s takes %.2f s, %d of %d jobs, expected a row in catalogue/policies/costs.go", r.Scheduler, r.Seconds,
			r.Done, r.Jobs)
		return
	}
	const least = 0.7
	if of := c.Seconds(r.Scheduler, r.Jobs) / r.Seconds; of < least || r.Ended() && of > 1/least {
		t.Errorf("%s states %g ms per job, %.2f times what %s has, expected %g to %.1f times, more where it did not end",
			r.Scheduler, c.JobMs, of, costCSV, least, 1/least)
	}
}
