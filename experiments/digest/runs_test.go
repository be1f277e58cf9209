package digest

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
	"tarry/run/train"
)

var background = context.Background()

func write[T results.Row](t *testing.T, dir string, rows []T) {
	t.Helper()
	var zero T
	if err := results.Write(background, results.Target{Path: filepath.Join(dir, zero.Table(), "part-0.parquet")},
		rows); err != nil {
		t.Fatal(err)
	}
}

// compared writes a comparison of two policies on two replicates of three jobs; the second did not
// finish job c of replicate 1.
func compared(t *testing.T, dir string) {
	t.Helper()
	var trials []results.Trial
	var jobs []results.Job
	for p, policy := range []string{"fifo", "dally"} {
		for r := range 2 {
			k := results.Keys{Policy: policy, Seed: 1, Replicate: int64(r)}
			trials = append(trials, results.Trial{Keys: k, Summary: results.Summary{QueueMean: 10, CommMean: 1,
				Makespan: 1000 * float64(p+1)}})
			for i, id := range []string{"a", "b", "c"} {
				jct := 100 * float64(i+1) * float64(p+1) * float64(r+1)
				if policy == "dally" && r == 1 && id == "c" {
					jct = math.NaN()
				}
				jobs = append(jobs, results.Job{Keys: k, ID: id, JCT: jct})
			}
		}
	}
	write(t, dir, trials)
	write(t, dir, jobs)
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"policies":["fifo","dally"]}`),
		0o666); err != nil {
		t.Fatal(err)
	}
}

// A folder of compare gives its pictures: ratios to the first policy given, over the jobs that both
// finished.
func TestFiguresOfAComparison(t *testing.T) {
	dir := t.TempDir()
	compared(t, dir)
	runs, err := FindRuns(dir)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := runs.Figures(background, shipped.All())
	if err != nil || len(figures) != 3 || figures[0].Name != "jct_cdf" || figures[1].Name != "means" ||
		figures[2].Name != "relative" {
		t.Fatalf("%v, %v", figures, err)
	}
	// means over a, b, c of replicate 0 and a, b of replicate 1: fifo (200+300)/2
	if r := figures[1].Rows[0]; strings.Join(r[:3], " ") != "completion fifo 250" || r[5] != "2" {
		t.Errorf("%v, want a mean of 250 s over two replicates", r)
	}
	for i, want := range []string{"mean JCT dally 2 2 2 2", "median JCT dally 2 2 2 2", "p99 JCT dally 2 2 2 2",
		"makespan dally 2 2 2 2"} {
		if got := strings.Join(figures[2].Rows[i], " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if r := figures[1].Rows; strings.Join(r[len(r)-1], " ") != "communication dally (single 2) 1 NaN NaN " {
		t.Errorf("last row %v, want the second replicate of the second contender", r[len(r)-1])
	}
	if want := "Ratios to fifo. Ratios of means in pairs, Student's 95 % intervals of their logarithms over n=2 " +
		"replicates. Dots are single units. Of so few, intervals of skewed numbers hold less than 95 %. Completion " +
		"times of the jobs that all policies finished."; figures[2].Caption != want {
		t.Errorf("caption %q", figures[2].Caption)
	}
	if want := "n=5 jobs per line, of 2 replicates together"; !strings.Contains(figures[0].Caption, want) {
		t.Errorf("caption %q, want %s", figures[0].Caption, want)
	}
}

// Training runs that differ in the seed alone are one curve with the baseline as a line; another
// configuration is another curve.
func TestFiguresOfSeeds(t *testing.T) {
	dir := t.TempDir()
	const small = "tarry/DelayTimer-v0:workload=poisson,load=0.9,cluster=2x2x4,windows=20,horizon=6,warm=0"
	for name, seed := range map[string]uint64{"1": 1, "2": 2, "3": 3, "other": 3} {
		cfg, err := train.Resolve(shipped.All(), small, "ppo", seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := cfg.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if name == "other" {
			text = []byte(strings.Replace(string(text), `"gamma": 0.99`, `"gamma": 0.5`, 1))
		}
		var rows []results.Curve
		for step := range 2 {
			rows = append(rows, results.Curve{Keys: results.Keys{Policy: "ppo", Trace: small, Seed: seed},
				Agent: "ppo", EnvSteps: int64(step), ReturnMean: float64(seed), Validation: -float64(seed)})
		}
		write(t, filepath.Join(dir, name), rows)
		if err := os.WriteFile(filepath.Join(dir, name, "config.json"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := FindRuns(dir)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := runs.Figures(background, shipped.All())
	if err != nil || len(figures) != 2 || figures[0].Name != "return" || figures[1].Name != "validation" {
		t.Fatalf("%v, %v", figures, err)
	}
	if r := figures[1].Rows[0]; r[0] != "ppo" || r[2] != "-2" || math.Abs(parse(t, r[4])+2-studentHalf) > 1e-6 ||
		r[5] != "3" {
		t.Errorf("%v, want the mean -2 of three seeds", r)
	}
	svg, err := figures[1].Render("svg")
	if err != nil || !strings.Contains(string(svg), ">dally<") || !strings.Contains(string(svg), ">ppo (other)<") {
		t.Errorf("the picture lacks the baseline or the other configuration: %v", err)
	}
}

func TestFindRunsSaysWhatItWants(t *testing.T) {
	dir := t.TempDir()
	if _, err := FindRuns(dir); err == nil || !strings.HasSuffix(err.Error(),
		"neither a sweep nor runs, expected sweep.json, or the tables of compare (trials), train (curves) or "+
			"tune (tune) in it or in its folders") {
		t.Errorf("%v", err)
	}
}
