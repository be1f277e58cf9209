package pypolicy

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the columns of jobs for Python")

// TestJobs: python/src/tarry/jobs.py has a property for each column.
func TestJobs(t *testing.T) {
	const path = "../../python/src/tarry/jobs.py"
	got, err := os.ReadFile(path)
	if *update {
		if err := os.WriteFile(path, []byte(jobsPy()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil || string(got) != jobsPy() {
		t.Errorf("%s is not what the columns are (%v): go test ./run/pypolicy -run TestJobs -update", path, err)
	}
}

func jobsPy() string {
	var b strings.Builder
	b.WriteString(jobsHead)
	for i, c := range Describe() {
		kind, call := "Whole", "_whole"
		if c.Real {
			kind, call = "Real", "_real"
		}
		doc, needs := c.Doc, ""
		if c.Coded {
			doc += `, as codes: names("` + c.Name + `") has the names`
		}
		if c.Needs != "" {
			doc += fmt.Sprintf(`; needs a declaration (knows = ("%s",))`, c.Needs)
			needs = fmt.Sprintf(", %q, %q", c.Name, c.Needs)
		}
		doc = strings.ToUpper(doc[:1]) + doc[1:] + "."
		fmt.Fprintf(&b, "\n    @property\n    def %s(self) -> %s:\n        \"\"\"%s\"\"\"\n        return self.%s(%d%s)\n",
			c.Name, kind, strings.ReplaceAll(doc, `""`, "no text"), call, i, needs)
	}
	return b.String()
}

const jobsHead = `"""The columns of jobs that a scheduler may read. go test ./run/pypolicy -run TestJobs -update writes this file from run/pypolicy/columns.go."""

from __future__ import annotations

from tarry._table import Real, Table, Whole


class Jobs(Table):
    """Jobs of a view, in the order of arrival: an array of numpy for each column, filled when it is read.

    Arrays belong to the decision: copy what is to be kept. Columns of what a cluster cannot see are absent unless the policy declares
    them (knows); reading one raises UndeclaredError with the declaration. Names that end in _s are seconds, in _us microseconds, which
    are exact.

    Raises: UndeclaredError for a column that the policy did not declare; DecisionError behind the end of the decision.

    Example:
        import tarry

        class Narrow(tarry.Policy):
            def decide(self, view):
                waiting = view.waiting
                view.fill(waiting.job[(waiting.gpus - waiting.wait_s / 3600).argsort(kind="stable")])

        print(tarry.simulate(trace="synth:demo", cluster="4x4x8", policy=Narrow()))
    """
`
