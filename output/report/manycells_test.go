package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tarry/output/results"
)

// gatheredSweep writes a sweep of n cells that are done and gathered, without the cells' own
// tables.
func gatheredSweep(t testing.TB, dir string, n int) {
	t.Helper()
	put := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("sweep.json", []byte(`{"name":"big","kind":"simulate"}`))
	var cells []byte
	var rows []results.Trial
	m := results.Manifest{}
	policies := []string{"fifo", "srtf", "dally", "gandiva"}
	for i := range n {
		policy, load, seed := policies[i/10%4], float64(i/40%10+1)/10, uint64(i/400*10+i%10)
		id := fmt.Sprintf("load=%g/policy=%s/seed=%d", load, policy, seed)
		cells = fmt.Appendf(cells, `{"index":%d,"id":%q,"seed":%d}`+"\n", i, id, seed)
		sum := fmt.Sprintf("%064x", i)
		put("cells/"+id+"/STATUS",
			fmt.Appendf(nil,
				`{"state":"done","attempts":1,"exit":0,"host":"h","error":"","config_sha256":"","manifest_sha256":%q}`+"\n", sum))
		m.Files = append(m.Files, results.FileSum{Path: "cells/" + id + "/manifest.json", SHA256: sum})
		rows = append(rows, results.Trial{Keys: results.Keys{Experiment: "big", Cell: id, Policy: policy,
			Trace: "synth:demo", Cluster: "2x2x8", Speed: "counting", Seed: seed},
			Summary: results.Summary{Jobs: 20, Finished: 20, JCTMean: float64(1000+i%97) * load, BSLDMean: 1,
				SlowdownMean: 1, Makespan: 5000, WorkloadSHA256: fmt.Sprint(seed)}})
	}
	put("cells.jsonl", cells)
	if err := results.Write(t.Context(), results.Target{Path: filepath.Join(dir, "trials", "part-0.parquet")},
		rows); err != nil {
		t.Fatal(err)
	}
	if err := results.WriteManifest(t.Context(), dir, results.Meta{}, []string{"trials/part-0.parquet"}); err != nil {
		t.Fatal(err)
	}
	own, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	own.Files = append(own.Files, m.Files...)
	data, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	put("manifest.json", data)
}

// TestGatheredCells: cells that were gathered are read from the gathered table, and only as long as
// they are what was gathered.
func TestGatheredCells(t *testing.T) {
	dir := t.TempDir()
	gatheredSweep(t, dir, 40)
	page := func() *Page {
		t.Helper()
		p, err := NewReader(dir, Options{}).Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := page(); p.Progress.Done != 40 || len(p.Notes) > 0 {
		t.Errorf("%+v, notes %q", p.Progress, p.Notes)
	}
	// A cell that ran again since, and whose own tables are not there.
	status := filepath.Join(dir, "cells", "load=0.1", "policy=fifo", "seed=3", "STATUS")
	if err := os.WriteFile(status, []byte(`{"state":"done","manifest_sha256":"0123"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	before := len(readGathered(t.Context(), dir, 1000).trials)
	r := NewReader(dir, Options{})
	if _, err := r.Read(t.Context()); err != nil || before != 40 ||
		len(r.held["load=0.1/policy=fifo/seed=3"].runs) != 0 || len(r.held["load=0.1/policy=fifo/seed=4"].runs) != 1 {
		t.Errorf("a cell that ran again is taken from what was gathered: %v", err)
	}
	// The gathered table is not what the manifest states.
	if err := os.WriteFile(filepath.Join(dir, "trials", "part-0.parquet"), []byte("PAR1"), 0o666); err != nil {
		t.Fatal(err)
	}
	if readGathered(t.Context(), dir, 1000) != nil {
		t.Error("a broken table is taken")
	}
}

// BenchmarkManyCells: the page of 100 000 cells that were gathered; 1 000 with -short.
func BenchmarkManyCells(b *testing.B) {
	n := 100_000
	if testing.Short() {
		n = 1000
	}
	dir := filepath.Join(b.TempDir(), "big")
	gatheredSweep(b, dir, n)
	for b.Loop() {
		p, err := NewReader(dir, Options{}).Read(b.Context())
		if err != nil || p.Progress.Done != n {
			b.Fatal(p, err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB")
}
