package app

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	parts "tarry/catalogue/shipped"
	"tarry/output/results"
	"tarry/run/evaluate"
	"tarry/run/train"
)

// table reads a picture's CSV, without its header.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows[1:]
}

// Pictures of training and of evaluation show what the tables hold, two seeds of an agent are drawn
// as one, and the same rows give the same bytes.
func TestPicturesOfAgents(t *testing.T) {
	dir := t.TempDir()
	for _, seed := range []string{"1", "2"} {
		s := good(t, dir, small(smallEnv, "run"+seed, "--seed", seed, "--plot", "curve"+seed)...)
		if !strings.Contains(s.errors, "pictures: curve"+seed+"/learning (.png, .svg, .pdf, .csv, .parquet)") {
			t.Errorf("training says %q", s.errors)
		}
	}
	curves, err := results.ReadDir[results.Curve](context.Background(), filepath.Join(dir, "run1", "curves"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, c := range curves {
		want["training, last 100 episodes@"+fmt.Sprint(c.EnvSteps)] = fmt.Sprintf("%.6g", c.ReturnMean)
		if !math.IsNaN(c.Validation) {
			want["validation@"+fmt.Sprint(c.EnvSteps)] = fmt.Sprintf("%.6g", c.Validation)
		}
	}
	cfg, err := train.Recorded(parts.All(), filepath.Join(dir, "run1"))
	if err != nil {
		t.Fatal(err)
	}
	baseline, mean, err := cfg.Reference()
	if err != nil {
		t.Fatal(err)
	}
	want[baseline+" on validation@NaN"] = fmt.Sprintf("%.6g", mean) // the dashed line
	drawn := table(t, filepath.Join(dir, "curve1", "learning.csv"))
	for _, r := range drawn {
		var y float64
		if _, err := fmt.Sscan(r[2], &y); r[2] != "" && (err != nil || fmt.Sprintf("%.6g", y) != want[r[0]+"@"+r[1]]) {
			t.Errorf("the picture has %v, the table %s", r, want[r[0]+"@"+r[1]])
		}
	}
	if len(drawn) != len(want) {
		t.Errorf("%d points are drawn, the table has %d", len(drawn), len(want))
	}
	eval := func(plot string) said {
		return good(t, dir, "eval", "--checkpoint", "run1", "--checkpoint", "run2", "--baselines", "dally,fifo",
			"--count", "3", "--plot", plot)
	}
	s := eval("a")
	for _, name := range []string{"ppo (2 seeds)", "ppo (seed by validation): the best of 2 trainings on " +
		"validation; it costs all of them", "untrained:ppo (2 seeds)", "ppo-1-best", "ppo-2-best", "dally",
		"over training seeds and windows"} {
		if !strings.Contains(s.out, name) {
			t.Errorf("the table lacks %q:\n%s", name, s.out)
		}
	}
	eval("b")
	sameFiles(t, "pictures drawn again", sums(t, filepath.Join(dir, "a")), sums(t, filepath.Join(dir, "b")))
	if n := len(sums(t, filepath.Join(dir, "a"))); n != 4*5 {
		t.Errorf("%d files, expected four pictures as three images and two tables", n)
	}
	if rows := table(t, filepath.Join(dir, "a", "difference.csv")); len(rows) != 4 ||
		rows[0][1] != "ppo (seed by validation)" || rows[1][1] != "untrained:ppo (2 seeds)" || rows[2][1] != "dally" ||
		rows[3][1] != "fifo" || rows[2][3] == "" || rows[2][5] != "3" {
		t.Errorf("differences are %v, expected the chosen seed, the untrained agent, dally and fifo with their "+
			"intervals", rows)
	}
	for name, want := range map[string]string{"difference": "Student's 95 % intervals over n=3 windows and n=2 " +
		"training seeds.", "means": "intervals on the logarithm over n=3 windows (of several training seeds, over " +
		"the means of all seeds there). Dots are single windows.",
		"jct_cdf": "of 3 windows", "profile": "n=3 windows and n=2 training seeds"} {
		data, err := os.ReadFile(filepath.Join(dir, "a", name+".parquet"))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s does not say %q: %v", name, want, err)
		}
	}
	if rows := table(t, filepath.Join(dir, "a", "means.csv")); len(rows) != 3*5+3*5*3 ||
		rows[15][1] != "ppo (2 seeds) (single 1)" || rows[15][2] == rows[0][2] || rows[15][3] != "NaN" {
		t.Errorf("%d rows of means, %v in the 15th, expected those of 3 groups of 5 policies and of 3 windows each",
			len(rows), rows[15])
	}
	for _, r := range table(t, filepath.Join(dir, "a", "profile.csv")) {
		if r[0] == "ppo-1-best" {
			t.Fatal("a seed is drawn beside the agent that it belongs to")
		}
	}
}

// Outside the simulator the pictures are of the windows' costs: the values of the table evals.
func TestPicturesOfCosts(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, small("classic/ParallelQueues-v0", "run")...)
	good(t, dir, "eval", "--checkpoint", "run", "--baselines", "sed", "--count", "3", "--plot", "a", "--out", "found")
	if n := len(sums(t, filepath.Join(dir, "a"))); n != 4*5 {
		t.Errorf("%d files, expected four pictures as three images and two tables", n)
	}
	evals, err := results.ReadDir[results.Eval](context.Background(), filepath.Join(dir, "found", "evals"))
	if err != nil {
		t.Fatal(err)
	}
	means, costs := map[string]float64{}, map[string]bool{}
	for _, e := range evals {
		means[e.Policy] += e.Cost / 3
		costs[e.Policy+fmt.Sprintf("%.6g", e.Cost)] = true
	}
	drawn := map[string]float64{}
	for _, r := range table(t, filepath.Join(dir, "a", "means.csv")) {
		if _, err := fmt.Sscan(r[2], new(float64)); err == nil && r[0] == "cost_per_job" {
			drawn[r[1]] = number(t, r[2])
		}
	}
	for policy, mean := range means {
		if got, ok := drawn[policy]; !ok || math.Abs(got-mean) > 1e-9*mean {
			t.Errorf("the mean of %s is drawn as %v, the table has %v", policy, got, mean)
		}
	}
	if rows := table(t, filepath.Join(dir, "a", "difference.csv")); len(rows) != len(means)-1 ||
		rows[0][0] != "mean cost_per_job" {
		t.Errorf("differences are %v", rows)
	}
	seen := 0
	for _, r := range table(t, filepath.Join(dir, "a", "cost_cdf.csv")) {
		if costs[r[0]+fmt.Sprintf("%.6g", number(t, r[1]))] {
			seen++
		}
	}
	if seen < len(costs) {
		t.Errorf("%d costs are drawn, expected %d", seen, len(costs))
	}
}

func number(t *testing.T, text string) (x float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestShortNames: a picture names what was tuned without the values that were found, unless two rows
// would have one name.
func TestShortNames(t *testing.T) {
	rows := []evaluate.Row{{Policy: "dally:margin=0.17", Short: "dally:tuned"}, {Policy: "fifo"},
		{Policy: "las:min_run=2", Short: "las:tuned"}, {Policy: "las:min_run=3", Short: "las:tuned"}}
	var got []string
	for _, r := range withShortNames(rows) {
		got = append(got, r.Policy)
	}
	want := []string{"dally:tuned", "fifo", "las:min_run=2", "las:min_run=3"}
	if !slices.Equal(got, want) || rows[0].Policy != "dally:margin=0.17" {
		t.Errorf("names are %v, expected %v", got, want)
	}
}
