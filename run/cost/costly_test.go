package cost

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/sim/entry"
)

// times is how often dally's processor time on Philly a scheduler may cost without a reason.
const times = 10

var code = regexp.MustCompile("`([a-z0-9-]+)`")

// explained gives the schedulers that a page gives reasons for below a heading: named in the first
// line of a paragraph that begins in bold, or in the first cell of a row.
func explained(t *testing.T, path, heading string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, below, found := strings.Cut(string(text), "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", path, heading)
	}
	below, _, _ = strings.Cut(below, "\n## ")
	names := map[string]bool{}
	for _, line := range strings.Split(below, "\n") {
		if cell, row := strings.CutPrefix(line, "| "); row {
			line, _, _ = strings.Cut(cell, " |")
		} else if !strings.HasPrefix(line, "**") {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(line, -1) {
			names[m[1]] = true
		}
	}
	return names
}

// A scheduler that needs more than ten times dally's time on Philly, or did not end, states what it
// costs, and a page has why. What it states is what was measured, and no other scheduler states
// anything.
func TestCostlySchedulersHaveReasons(t *testing.T) {
	pages := explained(t, "../../docs/reference/schedulers-cost.md", "## Those above ten times")
	for name := range explained(t, "../../docs/results/benchmarks-solvers.md", "## Optimisers") {
		pages[name] = true
	}
	var unit float64
	measured := map[string]Run{}
	for _, r := range runs(t, costCSV) {
		measured[r.Scheduler] = r
		if r.Scheduler == base {
			unit = r.Seconds
		}
	}
	for _, e := range policies.All() {
		r := measured[e.Name]
		ratio := r.Seconds / unit
		if ratio <= times && r.Ended() {
			if e.Cost.Why != "" && ratio < 0.7*times { // near ten times, another measurement may have either
				t.Errorf("%s is %.1f x %s, expected no row in catalogue/policies/costs.go", e.Name, ratio, base)
			}
			continue
		}
		if !pages[e.Name] {
			t.Errorf("%s is %.1f x %s, %d of %d jobs, expected a paragraph below \"Those above ten times\" of "+
				"docs/reference/schedulers-cost.md or a row of \"Optimisers\" of docs/results/benchmarks-solvers.md",
				e.Name, ratio, base, r.Done, r.Jobs)
		}
		stated(t, r, &e.Cost)
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
