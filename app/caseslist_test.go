package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tarry/internal/sharedata"
)

// testsOfCases names the test of each shared case: the folder of its package, or its file of
// Python, and the function. The folder of a case stands in it, so that it is found from there.
func testsOfCases() map[string][2]string {
	readers := [2]string{"catalogue/traces", "TestCases"}
	here := [2]string{"app", "TestReportedCases"}
	return map[string][2]string{
		"01-swf-float-unknown": readers, "02-artistsim-start-time": readers, "03-type-case": here,
		"04-parquet-int64": readers, "05-parquet-pandas-index": readers, "06-parquet-encodings": readers,
		"07-philly-first-attempt": readers, "08-gavel-msr": readers, "09-acme": readers, "10-sacct": readers,
		"11-batsim": {"app", "TestBatsimInAndOut"}, "12-swf-dialects": readers, "13-deepshare-json": readers,
		"14-openb-running":        readers,
		"15-python-frames":        {"python/tests/test_tables.py", "test_half_a_gpu_is_a_wrong_row"},
		"16-own-csv-undocumented": readers, "17-figures-none-finished": here, "18-faults-without-checkpoint": here,
		"19-host-memory": here, "20-predictor-future": {"run/config", "TestPredictorsDoNotSeeTheFuture"},
	}
}

// TestEachCaseHasATest: a folder that is new among the shared cases has to get a test, and no
// test that is named is missing.
func TestEachCaseHasATest(t *testing.T) {
	tests := testsOfCases()
	entries, err := os.ReadDir(sharedata.Path(t, "cases"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := tests[e.Name()]; e.IsDir() && !ok {
			t.Errorf("no test of %s: write one, with the right value, and name it in testsOfCases", e.Name())
		}
	}
	for folder, test := range tests {
		files := []string{filepath.Join("..", test[0])}
		if filepath.Ext(test[0]) == "" {
			if files, err = filepath.Glob(filepath.Join("..", test[0], "*_test.go")); err != nil {
				t.Fatal(err)
			}
		}
		all := ""
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(file) != "caseslist_test.go" { // this table
				all += string(text)
			}
		}
		if !strings.Contains(all, folder) || !regexp.MustCompile(`(?m)^(func|def) `+test[1]+`\(`).MatchString(all) {
			t.Errorf("%s: %s has no %s that reads it", folder, test[0], test[1])
		}
	}
}
