package logs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	rows "tarry/output/results"
)

// job is a row of the table jobs.
func job(k rows.Keys, user string, jct, run float64) *rows.Job {
	return &rows.Job{Keys: k, User: user, JCT: jct, Run: run}
}

// The users' numbers by hand: bounded slowdowns have 10 s and are at least 1, users count once each
// whatever their jobs, the worst tenth is one of two, and who is as well off as before is not worse
// off.
func TestUsersByHand(t *testing.T) {
	w := windowUsers{}
	here, there := rows.Keys{Policy: "mine"}, rows.Keys{Policy: base}
	for _, j := range []*rows.Job{
		job(here, "a", 100, 50), job(here, "a", 40, 2), job(here, "b", 5, 5), job(here, "c", 300, 100),
		job(here, "a", math.NaN(), 7), job(here, "", 900, 1),
		job(there, "a", 100, 50), job(there, "b", 5, 5), job(there, "c", 310, 100),
	} {
		w.add(j)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean", w.mean(here), (3.0 + 1 + 3) / 3},
		{"worst tenth", w.worst(here), 3},
		{"worst tenth of the base", w.worst(there), 3.1},
		{"worse off", w.worse(here, there), 100.0 / 3},
		{"of no rows", w.mean(rows.Keys{Policy: "other"}), math.NaN()},
		{"worst of no rows", w.worst(rows.Keys{Policy: "other"}), math.NaN()},
		{"worse than no rows", w.worse(here, rows.Keys{Policy: "other"}), math.NaN()},
	} {
		if math.Abs(c.got-c.want) > 1e-12 || math.IsNaN(c.got) != math.IsNaN(c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The table has the numbers of the figures at its load, and nothing where a figure has none.
func TestPayersTable(t *testing.T) {
	const head = "group,series,value,lo,hi,n\n"
	of := []column{{"mean", head + "kth-sp2,x,2.04,1,3,30\nkth-sp2-busy,x,9,8,10,22\n", 1},
		{"worse off, %", head + "kth-sp2,\"y,z\",12.6,10.4,14,30\n", 0}}
	got, err := payers(of, &loads()[0])
	want := "| learner | kth-sp2: mean | kth-sp2: worse off, % |\n|---|---:|---:|\n| x | 2.0 [1.0, 3.0] |  |\n| y,z " +
		"|  | 13 [10, 14] |\n"
	if got != want || err != nil {
		t.Errorf("got\n%s%v, want\n%s", got, err, want)
	}
	if got, err := payers(of[1:], &loads()[1]); got != "" || err != nil {
		t.Errorf("of another load: %q, %v", got, err)
	}
	for text, said := range map[string]string{head + "kth-sp2,x,2,1,high,3\n": `line 2: "high" is no number`,
		"a,b\nkth-sp2,x\n": "2 fields"} {
		if _, err := payers([]column{{"mean", text, 1}}, &loads()[0]); err == nil ||
			!strings.Contains(err.Error(), said) {
			t.Errorf("%q: %v, want %s", text, err, said)
		}
	}
}

// What is stored has a number of each figure for every log whose jobs' rows are kept, at both
// loads.
func TestStoredUsers(t *testing.T) {
	for _, c := range columns() {
		for _, s := range grid(t)["logs-rule"] {
			how, _ := s.Settings["evaluate"].(map[string]any)
			kept, name := fmt.Sprint(how["trials"]) == "true", s.Axes["setting"]
			if has := strings.Contains(c.text, "\n"+name+",rule,"); has != kept {
				t.Errorf("%s, %s: stored %v, kept %v", c.name, name, has, kept)
			}
		}
	}
}
