package logs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

// Every file of examples/logs is a log of the question, and the busy one differs from it in the
// rate of arrivals alone.
func TestLogsAreTheFiles(t *testing.T) {
	files, err := filepath.Glob("../../examples/logs/*.yaml")
	if err != nil || len(files) != len(all()) {
		t.Errorf("%d files for %d logs, %v", len(files), len(all()), err)
	}
	rate := regexp.MustCompile(`, rate: 1\.[0-9]+}`)
	for _, l := range all() {
		var texts []string
		for _, busy := range []bool{false, true} {
			text, err := os.ReadFile(filepath.Join("../..", file(l.name, busy)))
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(text), "\n")
			texts = append(texts, rest)
		}
		if !rate.MatchString(texts[1]) || rate.ReplaceAllString(texts[1], "}") != texts[0] {
			t.Errorf("%s as it is:\n%s\nbusy:\n%s", l.name, texts[0], texts[1])
		}
	}
}

// What is trained elsewhere has not seen the log that it is measured on, and is measured at the
// load that it was trained at.
func TestElsewhereIsWithoutTheLog(t *testing.T) {
	for _, s := range settings(sweep.Full) {
		at, others := strings.TrimPrefix(s.options, "scenario="), s.others(sweep.Full)
		if strings.Contains(others, "/"+s.log+".yaml") || strings.Contains(others, "/busy/") != strings.Contains(at,
			"/busy/") || strings.Count(others, ".yaml") < 3 {
			t.Errorf("%s is measured on %s, and trained on %s", s.name, at, others)
		}
	}
}

// A rule is tuned with as many points and windows as a search has vectors and windows.
func TestBudgetsAreTheSame(t *testing.T) {
	l, r := learners()[0], rules()[1]
	search, tuned := learning(sweep.Full, &l).Base, tuning(sweep.Full, &r, false).Base
	if a, b := search["generations"].(int)*search["population"].(int)*search["windows"].(int),
		tuned["budget"].(int)*tuned["windows"].(int); a != b || a != 480 {
		t.Errorf("a search has %d windows, a rule %d, want 480", a, b)
	}
}
