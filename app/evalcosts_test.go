package app

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/output/report"
)

// The page of an evaluation outside the simulator has the numbers that tarry eval prints: means and
// differences with their intervals.
func TestReportOfCosts(t *testing.T) {
	dir := t.TempDir()
	for _, seed := range []string{"1", "2"} {
		good(t, dir, small("classic/ParallelQueues-v0", "run"+seed, "--seed", seed)...)
	}
	s := good(t, dir, "eval", "--checkpoint", "run1", "--checkpoint", "run2", "--untrained", "--baselines",
		"sed,round-robin", "--count", "3", "--out", "found", "--format", "json")
	rows := map[string]map[string]any{}
	for d := json.NewDecoder(strings.NewReader(s.out)); d.More(); {
		var r map[string]any
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%v: %s", err, s.out)
		}
		rows[fmt.Sprint(r["policy"])] = r
	}
	page, err := report.NewReader(filepath.Join(dir, "found"), report.Options{}).Read(context.Background())
	if err != nil || len(page.Tables) == 0 {
		t.Fatalf("%d tables, %v", len(page.Tables), err)
	}
	tab, compared := page.Tables[0], 0
	if len(tab.Rows) != 4 || tab.ID != "costs" {
		t.Fatalf("table %s has %d rows, expected the agent, its network untrained and two rules", tab.ID, len(tab.Rows))
	}
	for i, row := range tab.Rows {
		want := rows[row[0].Text]
		for at, c := range row {
			columns := map[string]string{"mean cost_per_job": "cost_per_job", "difference": "cost_per_job_diff"}
			name := columns[tab.Columns[at].Name]
			if name == "" || i == 0 && name == "cost_per_job_diff" {
				continue
			}
			expect := []any{want[name]}
			shown := []float64{float64(*c.V)}
			if name == "cost_per_job_diff" {
				expect = append(expect, want[name+"_lo"], want[name+"_hi"])
				shown = append(shown, float64(*c.Lo), float64(*c.Hi))
			}
			for k, v := range expect {
				compared++
				if x, ok := v.(float64); !ok || math.Abs(x-shown[k]) > 1e-6*max(1, math.Abs(x)) {
					t.Errorf("%s: the page has %v of %s, eval prints %v", row[0].Text, shown[k], name, v)
				}
			}
		}
	}
	if compared != 4+3*3 {
		t.Errorf("%d numbers compared, expected 13", compared)
	}
}
