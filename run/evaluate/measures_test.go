package evaluate

import (
	"math"
	"strings"
	"testing"

	"tarry/env/schedenv"
	"tarry/run/compare"
	"tarry/run/printed"
)

// Where jobs have deadlines and ranges, the rows of agents and of schedulers that reject and resize
// have the measures of all jobs, means over the windows; where they have none, rows are as they
// were.
func TestRowsHaveMeasures(t *testing.T) {
	const plain = "tarry/Preempt-v1:cluster=2x2x4,warm=2,horizon=12,load=1.4,windows=4"
	r := Request{Actors: []Actor{actor("keep", plain+`,elastic="min=1",deadlines="tightness=1.5,fraction=0.8"`,
		firstLegal)}, Baselines: []string{"dally", "elasticflow"},
		Part: schedenv.Test, Windows: 3}
	rows, err := measure(t, r, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		got, met, jobs := map[string]float64{}, 0.0, 0.0
		for _, c := range Cells(row) {
			got[c.Name] = c.Number
		}
		for _, run := range row.Runs {
			for _, m := range run.Measures {
				if m.Of == "" && m.Name == "satisfied_frac" {
					met += m.Value / 3
				}
			}
			jobs += float64(run.Row.Jobs) / 3
		}
		if got["satisfied_frac"] != met || !(met > 0 && met < 1) || math.Abs(got["elastic_jobs"]-jobs) > jobs/2 {
			t.Errorf("%s: %v, deadlines met by hand %v", row.Policy, got, met)
		}
		if rejects := got["deadline_rejected"] > 0 && got["resizes"] > 0; rejects != (i == 2) {
			t.Errorf("%s rejects %v and resizes %v", row.Policy, got["deadline_rejected"], got["resizes"])
		}
	}
	if text := textOf(t, rows); !strings.Contains(text, " met %") || !strings.Contains(text, "resizes  JCT IQM") {
		t.Error(text)
	}
	r.Actors[0] = actor("keep", plain, firstLegal)
	if rows, err = measure(t, r, 1); err != nil {
		t.Fatal(err)
	}
	for _, c := range Cells(rows[0]) {
		for _, m := range compare.Measures() {
			if m.Name == c.Name {
				t.Errorf("column %s without deadlines and elastic jobs", c.Name)
			}
		}
	}
	if text := textOf(t, rows); !strings.Contains(text, "preemptions  JCT IQM") {
		t.Error(text)
	}
}

func textOf(t *testing.T, rows []Row) string {
	t.Helper()
	var b strings.Builder
	if err := table(&b, rows, printed.Shown{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
