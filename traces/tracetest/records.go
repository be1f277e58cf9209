package tracetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tarry/sim"
)

// Records holds what a trace's own cluster did with each job, as "ID WAIT MACHINES" with "-" for no
// machine, or "ID none", against what is expected, and takes it out of the jobs.
func Records(t testing.TB, w *sim.Workload, want ...string) {
	t.Helper()
	var got []string
	for i := range w.Jobs {
		j := &w.Jobs[i]
		text := j.ID + " none"
		if r := j.Record; r != nil {
			text = fmt.Sprintf("%s %v %s", j.ID, time.Duration(r.Wait)*time.Microsecond, r.Machines)
			if r.Machines == "" {
				text += "-"
			}
		}
		got, j.Record = append(got, text), nil
	}
	if !slices.Equal(got, want) {
		t.Errorf("the records are %q, expected %q", got, want)
	}
}
