package rlref

import (
	"strings"
	"testing"

	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

// Two jobs of all 256 processors, after one that is in no window. By hand: the first runs from 100
// to 200 s; the second comes at 150 s, waits 50 s and runs 20 s: its bounded slowdown is 70/20. The
// third job, of the second window, runs 5 s and comes when the cluster is empty again, as in each
// window: 1. The fourth comes 1 s after it, waits 4 s and runs 4 s: 8 s over the bound of 10 s, so 1.
const (
	rlLogText = `; made up
1 10 -1 50 256 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
2 100 -1 100 256 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
3 150 -1 20 256 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
4 160 -1 5 256 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
5 161 -1 4 256 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1
`
	rlWindowsText = "trace,window,first_index,jobs\nlublin-1,0,1,2\nlublin-1,1,3,2\nother,0,7,2\n"
	// (1 + 3.5)/2 and 1, mean 1.625
	rlCellsText = "trace,backfill,policy,avg_bounded_slowdown,note\nlublin-1,none,fcfs,1.63,published\nlublin-1," +
		"fcfs,wfp3,1.63,with the slip\n"
)

func rlFiles() map[string]string {
	return map[string]string{"reference/theirs/windows.csv": rlWindowsText,
		"reference/theirs/heuristics.csv": rlCellsText, "traces/lublin-256/lublin_256.swf": rlLogText}
}

func TestRLSchedulerByHand(t *testing.T) {
	good, out, details := reftest.Play(t, setup(), rlFiles())
	want := "theirs: 3 of 3 agree, worst 0 bsld\ntheirs: not compared: windows of windows.csv: heuristics.csv has " +
		"no number of other\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestRLSchedulerFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"a number": {"heuristics.csv", strings.Replace(rlCellsText, "1.63,published", "1.62,published", 1),
			"theirs: 2 of 3 agree, worst 0.01 bsld\n", "heuristics.csv, row 1: picked:order=fcfs,backfill=none on " +
				"lublin-1 gives 1.63, there 1.62"},
		"a score": {"heuristics.csv", strings.Replace(rlCellsText, "fcfs,1.63", "fcsf,1.63", 1),
			"theirs: 0 of 3 agree", "order"},
		"no number": {"heuristics.csv", strings.Replace(rlCellsText, "1.63", "x", 1), "theirs: 0 of 3 agree",
			"expected a number"},
		"a window": {"windows.csv", strings.Replace(rlWindowsText, "1,3,2", "1,4,2", 1), "theirs: 0 of 3 agree",
			"window 1 has the jobs 4 to 5, expected numbers below 5"},
		"window sizes": {"windows.csv", strings.Replace(rlWindowsText, "1,3,2", "1,3,1", 1), "theirs: 0 of 3 agree",
			"1 jobs, expected 2 as in the windows before"},
		"window words": {"windows.csv", strings.Replace(rlWindowsText, "1,3,2", "1,three,2", 1),
			"theirs: 0 of 3 agree", "windows.csv: row 2: "},
		"no windows": {"windows.csv", "trace,first_index,jobs\n", "theirs: 0 of 3 agree",
			"windows.csv has no window of it"},
		"another table": {"windows.csv", "trace\n", "theirs: could not be compared: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := rlFiles()
			files["reference/theirs/"+c.file] = c.text
			good, out, details := reftest.Play(t, setup(), files)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// All numbers of the tables on Lublin-1 and Lublin-2, with the published slip and with the true
// wait.
func TestRLSchedulerTables(t *testing.T) {
	good, out, details := reftest.Compare(t, setup(), sharedata.Path(t, "reference", "rlscheduler"))
	if !good || !strings.HasPrefix(out, "rlscheduler: 48 of 48 agree, worst 0 bsld\n") {
		t.Errorf("%s%s", out, details)
	}
}
