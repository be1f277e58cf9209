package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tarry/output/results"
)

// hostile is a policy's name that tries to leave the script element, the page and the JSON.
const hostile = `evil</script><img src=x onerror=alert(1)><!--"'&` + "\u2028"

// fixture is a sweep of three loads, two policies and three seeds. The completion time of job j is
// 100 (j+1) load under the first policy and that plus 10 + seed under the second, so that means and
// differences can be computed by hand.
type fixture struct {
	t        *testing.T
	dir      string
	policies []string
	jobs     int
}

var loads = [...]string{"0.5", "0.75", "1"}

func (f fixture) id(load, policy string, seed int) string {
	p := results.Partition{{Key: "load", Value: load}, {Key: "policy", Value: policy},
		{Key: "seed", Value: fmt.Sprint(seed)}}
	return filepath.ToSlash(p.Dir())
}

// newSweep lays the sweep down; no cell is done.
func newSweep(t *testing.T, policies ...string) fixture {
	t.Helper()
	f := fixture{t, t.TempDir(), policies, 10}
	f.write("sweep.json", `{"name": "fixture", "question": "What does </script> do to loads?", "kind": "simulate"}`)
	var lines []byte
	f.each(func(load, policy string, seed int) {
		line, err := json.Marshal(map[string]any{"index": 0, "id": f.id(load, policy, seed), "seed": seed})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	})
	f.write("cells.jsonl", string(lines))
	return f
}

func (f fixture) each(visit func(load, policy string, seed int)) {
	for _, load := range loads {
		for _, policy := range f.policies {
			for seed := 1; seed <= 3; seed++ {
				visit(load, policy, seed)
			}
		}
	}
}

func (f fixture) write(path, text string) {
	f.t.Helper()
	path = filepath.Join(f.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f fixture) status(id, state string) {
	f.write(filepath.Join("cells", id, "STATUS"), fmt.Sprintf(
		`{"state": %q, "attempts": 2, "exit": 42, "error": "no such <trace>"}`, state))
}

// all makes every cell done.
func (f fixture) all() fixture {
	f.each(f.done)
	return f
}

// done writes the tables of a cell: 4 GPUs in 2 machines, job j on GPU j mod 4.
func (f fixture) done(load, policy string, seed int) {
	f.t.Helper()
	var l float64
	fmt.Sscan(load, &l)
	keys := results.Keys{Experiment: "fixture", Policy: policy, Trace: "synth:x", Cluster: "1x2x2", Speed: "tiers",
		Placement: "best-fit", Seed: uint64(seed)}
	id := f.id(load, policy, seed)
	dir := filepath.Join(f.dir, "cells", id)
	var jobs []results.Job
	var spans []results.Interval
	sum := 0.0
	for j := range f.jobs {
		jct := 100 * float64(j+1) * l
		if policy != f.policies[0] {
			jct += 10 + float64(seed)
		}
		sum += jct
		name := fmt.Sprintf("job-%d", j)
		jobs = append(jobs, results.Job{Keys: keys, ID: name, End: jct, JCT: jct, Queue: float64(j % 3), Run: jct,
			GPUs: 1, Model: []string{"BERT", "VGG"}[j%2], Slowdown: 1 + float64(j)})
		spans = append(spans, results.Interval{Keys: keys, Job: name, Start: 100 * float64(j), End: 100*float64(j) +
			90, Tier: "machine", Machines: 1, GPUs: 1, GPUList: fmt.Sprint(j % 4), ShareMilli: 1000, Reason: "finish",
			Rate: math.NaN()})
	}
	meta := results.NewMeta(`{"cluster":{"racks":[{"count":1,"machines":[{"Count":2,"GPUs":2}]}]}}`, "w", "v1")
	part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
	n := float64(f.jobs)
	row := results.Trial{Keys: keys, Summary: results.Summary{Jobs: int64(f.jobs), JCTMean: sum / n, JCTP50: sum / n,
		JCTP95: 2, JCTP99: 3, QueueMean: 1, QueueP99: 2, Makespan: 1000,
		CommFrac: 0.25, GPUUtil: 0.5, SlowdownMean: 2, ConfigSHA256: "c" + id,
		WorkloadSHA256: fmt.Sprint("w", load, seed), Version: "v1"}}
	put(f.t, part.Target(dir, "jobs", meta), jobs)
	put(f.t, part.Target(dir, "intervals", meta), spans)
	put(f.t, part.Target(dir, "trials", meta), []results.Trial{row})
	f.status(id, "done")
}

func put[T results.Row](t *testing.T, target results.Target, rows []T) {
	t.Helper()
	if err := results.Write(t.Context(), target, rows); err != nil {
		t.Fatal(err)
	}
}

// newTraining writes a folder of tarry train; every update has a return of -1/update.
func newTraining(t *testing.T, dir string, seed uint64, updates int) {
	t.Helper()
	var rows []results.Curve
	for u := 1; u <= updates; u++ {
		v := math.NaN()
		if u%2 == 0 {
			v = float64(u) + float64(seed)
		}
		rows = append(rows, results.Curve{Keys: results.Keys{Seed: seed}, Agent: "ppo", Update: int64(u),
			EnvSteps: int64(100 * u), ReturnMean: -1 / float64(u), Validation: v,
			LossPolicy: math.NaN(), LossValue: 1, Entropy: 1, KL: 1, ClipFrac: 0.1, ExplVar: 0.5, LR: 0.1})
	}
	put(t, results.Target{Path: filepath.Join(dir, "curves", "part-0.parquet"), Meta: results.NewMeta("", "", "")},
		rows)
}

// newTuned writes a folder of tarry tune; every point is better than the one before.
func newTuned(t *testing.T, dir string, points int) {
	t.Helper()
	var rows []results.Tune
	for i := range points {
		rows = append(rows, results.Tune{Optimiser: "cmaes", Stage: "search", Metric: "jct_mean", Windows: 2,
			Best: -0.01 * float64(i)})
	}
	put(t, results.Target{Path: filepath.Join(dir, "tune", "part-0.parquet"), Meta: results.NewMeta("", "", "")}, rows)
}
