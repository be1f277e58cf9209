package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// converted is a question whose jobs are converted from another file, with sweeps of a second file
// and with numbers of a figure kept.
const converted = `name: converted
question: Is a job faster where it waits for one machine?
predict: Yes.
kind: simulate
base: {trace: "csv:build/jobs.csv", cluster: 2x2x8, speed: collective}
axes:
  - {name: policy, values: [dally, fifo]}
  - {name: part, sets: costs.restore_s, cases: [5]}
seeds: 1
figures:
  - {kind: means, name: jct, caption: Means., metric: jct_mean_s, x: part, series: policy}
tables:
  - {kind: means, name: jct, metric: jct_mean_s, digits: 2, x: part, series: policy}
data:
  - {out: build/jobs.csv, trace: "csv:raw.csv", models: paper, seed: 3}
also: [more.yaml]
stored:
  folder: kept
  sweeps: [converted, more]
  tables: [trials]
  more: {more: [jobs]}
  numbers: {jct: data/jct.csv}
`

// searched is a question whose agents' weights are kept.
const searched = `name: searched
question: What does a search find?
predict: Little.
kind: learn
base:
  agent: cmaes-policy
  generations: 1
  population: 4
  windows: 1
  validate_every: 1
  validate_episodes: 1
  evaluate: {windows: 1, baselines: [dally], trials: false}
axes:
  - name: setting
    cases: [{name: few, set: {env: "tarry/Order-v0:cluster=1x1x8,workload=recur,load=1.2,windows=4,warm=0,horizon=12"}}]
  - {name: learner, cases: [{name: linear, set: {}}]}
figures:
  - {kind: curves, name: curves, caption: Curves., column: validation, y_label: return, series: learner}
stored: {folder: kept, tables: [evals, curves], weights: {searched: data/weights.csv}}
`

// What a question needs is converted, and what it keeps is kept where its file states: rows of the
// sweeps of a second file, tables of one sweep, numbers of a figure, weights of agents. The same
// command again changes none of it.
func TestReproduceKeeps(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		kept map[string]string // file -> what is in it
	}{
		"converted": {converted, map[string]string{
			"build/jobs.csv":                       "ResNet18",
			"data/jct.csv":                         "dally",
			"kept/converted/trials/part-0.parquet": "PAR1",
			"kept/more/sweep.json":                 `"name": "more"`,
			"kept/more/jobs/part-0.parquet":        "PAR1",
		}},
		"searched": {searched, map[string]string{
			"data/weights.csv":                   "few,1,rank,",
			"kept/searched/evals/part-0.parquet": "PAR1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{"q.yaml": c.file, "raw.csv": "id,submit_s,gpus,work_s\n" +
				"a,0,4,100\nb,10,8,200\nc,20,2,50\n", "more.yaml": "name: more\nkind: simulate\nbase: {trace: " +
				"\"csv:build/jobs.csv\", cluster: 2x2x8, speed: collective, policy: srtf}\n" +
				"axes: [{name: part, cases: [{name: \"5\", set: {}}]}]\n"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			s := good(t, dir, "reproduce", "./q.yaml", "--jobs", "1")
			for path, want := range c.kept {
				text, err := os.ReadFile(filepath.Join(dir, path))
				if err != nil || !strings.Contains(string(text), want) {
					t.Errorf("%s: %v, no %q in %.300s", path, err, want, text)
				}
				changed := path + " changed and is compiled in"
				if is := strings.HasPrefix(path, "data/"); strings.Contains(s.errors, changed) != is {
					t.Errorf("%s is compiled in: %v, said:\n%s", path, is, s.errors)
				}
			}
			if s = good(t, dir, "reproduce", "./q.yaml", "--jobs", "1"); strings.Contains(s.errors, "compiled in") {
				t.Errorf("again:\n%s", s.errors)
			}
		})
	}
}

// What is wrong with a later sweep is reported before the first one runs.
func TestReproduceChecksLaterSweeps(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"q.yaml": strings.Replace(strings.Replace(converted, "csv:build/jobs.csv",
		"synth:poisson,jobs=9", 1), "data:\n  - {out: build/jobs.csv, trace: \"csv:raw.csv\", models: paper, seed: 3}\n",
		"", 1), "more.yaml": "name: more\nkind: simulate\nbase: {trace: \"synth:poisson,jobs=9\", policy: sjff}\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := tarry(t, dir, "reproduce", "./q.yaml")
	if _, err := os.Stat(filepath.Join(dir, "runs/converted")); s.code != exitUsage || err == nil ||
		!strings.Contains(s.errors, "more.yaml:3:") || !strings.Contains(s.errors, `"sjff"`) {
		t.Errorf("exit code %d, folder %v, said\n%s", s.code, err, s.errors)
	}
}
