package report

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/stats"
	"tarry/output/results"
)

// newTuning writes a sweep of kind tune: two seeds and three windows, a tuned scheduler that takes
// 100 or 200 s less by seed than its baseline, which only the first seed measured.
func newTuning(t *testing.T) fixture {
	f := fixture{t: t, dir: t.TempDir()}
	f.write("sweep.json", `{"name": "tuning", "kind": "tune"}`)
	lines := ""
	for seed := 1; seed <= 2; seed++ {
		id := fmt.Sprintf("load=0.9/seed=%d", seed)
		lines += fmt.Sprintf(`{"id": %q, "seed": %d}`+"\n", id, seed)
		cell := filepath.Join(f.dir, "cells", id)
		var evals []results.Eval
		var trials []results.Trial
		put1 := func(policy, agent string, w int, jct float64) {
			k := results.Keys{Policy: policy, Replicate: int64(w)}
			sum := results.Summary{Jobs: 1, JCTMean: jct, JCTP50: jct, WorkloadSHA256: fmt.Sprint("w", w)}
			evals = append(evals, results.Eval{Keys: k, Agent: agent, Summary: sum})
			trials = append(trials, results.Trial{Keys: k, Summary: sum})
		}
		for w := range 3 {
			name := fmt.Sprintf("dally:t_rack=%d", seed)
			put1(name, fmt.Sprintf("%s, tuned by tpe with seed %d, sha256 ab", name, seed), w,
				1000*float64(w+1)-100*float64(seed))
		}
		for w := range 3 {
			if seed == 1 {
				put1("fifo", "", w, 1000*float64(w+1))
			}
		}
		put(t, results.Target{Path: filepath.Join(cell, "evals", "part-0.parquet")}, evals)
		put(t, results.Target{Path: filepath.Join(cell, "trials", "part-0.parquet")}, trials)
		var rows []results.Tune
		for i := range 4 {
			rows = append(rows, results.Tune{Optimiser: "tpe", Stage: "search", Metric: "jct_mean", Windows: 2,
				Best: -0.01 * float64(i*seed)})
		}
		put(t, results.Target{Path: filepath.Join(cell, "run", "tune", "part-0.parquet")}, rows)
		f.write(filepath.Join("cells", id, "run", "best.json"), `{"policy": "dally:t_rack=1", "metric": "jct_mean", "optimiser": "tpe",
			"train": 90, "validation": 95, "reference": {"train": 100, "validation": 100}, "simulations": 8, "jobs_simulated": 80}`)
		f.status(id, "done")
	}
	f.write("cells.jsonl", lines)
	return f
}

// TestTwoLevels: what was tuned with several seeds is one policy, baselines count once, and
// intervals are over seeds and windows.
func TestTwoLevels(t *testing.T) {
	f := newTuning(t)
	p := read(t, f.dir, Options{})
	means, diffs := p.Tables[0], p.Tables[1]
	if len(means.Rows) != 2 || len(diffs.Rows) != 1 {
		t.Fatalf("%d rows of means, %d of differences", len(means.Rows), len(diffs.Rows))
	}
	m := row(t, means, "0.9", "dally, tuned by tpe")
	if c := m["JCT mean"]; *c.V != 1850 || *m["n"].V != 2 || !(*c.Lo < 1000 && *c.Hi > 2700) {
		t.Errorf("tuned: %v [%v, %v], n %v", *c.V, *c.Lo, *c.Hi, *m["n"].V)
	}
	want := stats.Amounts([]float64{1000, 2000, 3000})
	m = row(t, means, "0.9", "fifo")
	if c := m["JCT mean"]; *c.V != 2000 || *c.Lo != num(want.Lo) || *c.Hi != num(want.Hi) || *m["n"].V != 3 {
		t.Errorf("baseline: %v [%v, %v], n %v", *c.V, *c.Lo, *c.Hi, *m["n"].V)
	}
	// Windows cancel in pairs; what is left is the seeds: 100 or 200, of which Student's interval
	// is wide.
	d := row(t, diffs, "0.9", "fifo")
	if c := d["JCT mean"]; math.Abs(float64(*c.V)-150) > 1e-9 || math.Abs(float64(*c.Lo)+485.31) > 0.01 ||
		math.Abs(float64(*c.Hi)-785.31) > 0.01 || c.Sign != 0 || d["over"].Text != "seeds, windows" {
		t.Errorf("difference %v [%v, %v], sign %d, over %q", *c.V, *c.Lo, *c.Hi, c.Sign, d["over"].Text)
	}
	if !strings.HasSuffix(diffs.Title, "dally, tuned by tpe") {
		t.Errorf("title %q", diffs.Title)
	}
	// The baseline can be asked for.
	p = read(t, f.dir, Options{First: "fifo"})
	if c := row(t, p.Tables[1], "0.9", "dally, tuned by tpe")["JCT mean"]; *c.V != -150 {
		t.Errorf("against fifo: %v, sign %d", *c.V, c.Sign)
	}
}

// TestTuning: what was chosen, and the curve over simulations.
func TestTuning(t *testing.T) {
	f := newTuning(t)
	p := read(t, f.dir, Options{})
	c := row(t, p.Tables[2], "0.9")
	if c["chosen"].Text != "dally:t_rack=1" || math.Abs(float64(*c["on training"].V)+10) > 1e-9 ||
		math.Abs(float64(*c["on validation"].V)+5) > 1e-9 || *c["simulations"].V != 8 {
		t.Errorf("%+v", c)
	}
	s := chartOf(t, p, "tuning").Views[0].Series[0]
	if s.Name != "load=0.9" || len(s.X) != 4 || s.X[3] != 8 || s.Y[3] != -4.5 || s.Lo == nil {
		t.Errorf("%+v", s)
	}
	// A folder of tarry tune alone.
	dir := filepath.Join(f.dir, "cells", "load=0.9", "seed=2", "run")
	p = read(t, dir, Options{})
	if s := chartOf(t, p, "tuning").Views[0].Series[0]; s.Name != "tpe" || s.Y[3] != -6 || s.Lo != nil ||
		len(p.Tables) != 1 {
		t.Errorf("%+v, %d tables", s, len(p.Tables))
	}
}
