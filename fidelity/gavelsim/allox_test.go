package gavelsim

import (
	"math"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/internal/sharedata"
)

// TestAlloXRow: the mean completion time and the makespan of Gavel's AlloX within 5 % of the stored
// row. Optima are not unique, hence no comparison job by job.
func TestAlloXRow(t *testing.T) {
	var row map[string]string
	for _, r := range gaveltest.Table(t, "reference", "gavel", "summary.csv") {
		if r["policy"] == "allox" && r["trace"] == "medium_test" {
			row = r
		}
	}
	if row == nil {
		t.Fatal("no row")
	}
	got, makespan := gaveltest.Play(t, gaveltest.Scene(t, "medium_test", 4, 4, 4), New,
		"policy=allox,table="+sharedata.Path(t, "profiles", "gavel"))
	mean := 0.0
	for _, x := range got {
		mean += x / float64(len(got))
	}
	t.Logf("%d jobs, mean %.3f s, there %s; makespan %.3f s, there %s", len(got), mean, row["mean_jct_s"], makespan,
		row["makespan_s"])
	if want := gaveltest.Number(t, row["mean_jct_s"]); len(got) != 20 || math.Abs(mean-want) > 0.05*want {
		t.Errorf("mean %v s, expected %v s within 5 %%", mean, want)
	}
	if want := gaveltest.Number(t, row["makespan_s"]); math.Abs(makespan-want) > 0.05*want {
		t.Errorf("makespan %v s, expected %v s within 5 %%", makespan, want)
	}
}
