package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tarry/output/live"
	"tarry/output/results"
	"tarry/sim"
)

// watched runs a trial into a folder that is watched and gives the lines of its stream, as they are
// just before its end.
func watched(t *testing.T, tr Trial, dir string) []json.RawMessage {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := live.Watch(dir); err != nil {
		t.Fatal(err)
	}
	var lines []json.RawMessage
	_, err := Run(context.Background(), []Trial{tr}, Options{Out: dir, Version: "v", Progress: func(int, int) {
		if news, err := live.Read(dir, nil, time.Now()); err != nil {
			t.Error(err)
		} else if len(news) == 1 {
			lines = news[0].Lines
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if news, err := live.Read(dir, nil, time.Now()); err != nil || len(news) != 0 {
		t.Errorf("after the end: %v, %v", news, err)
	}
	return lines
}

// spanKey names a span by its job, start and GPUs.
func spanKey(job string, start float64, gpus string) string {
	return fmt.Sprint(job, " ", start, " ", gpus)
}

func listOf(gpus [][2]int) string {
	var list []int32
	for _, r := range gpus {
		for g := r[0]; g < r[0]+r[1]; g++ {
			list = append(list, int32(g))
		}
	}
	return results.FormatGPUs(list)
}

// TestReports compares what a watched trial reports with its tables, which are as without a watch.
func TestReports(t *testing.T) {
	w := workload(t, append(many(t, 3000).Jobs, sim.Job{ID: "huge", Submit: 500 * sim.Second, GPUs: 1000,
		Work: sim.Second})...)
	tr := newTrial(w, topology(t, 2, 2, 4), 0)
	tr.Check = false
	dir, plain := t.TempDir(), t.TempDir()
	lines := watched(t, tr, dir)
	if _, err := Run(context.Background(), []Trial{tr}, Options{Out: plain, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	tables := hashes(t, dir)
	delete(tables, "config.json")
	same(t, hashes(t, plain), tables)
	rows, err := results.ReadDir[results.Interval](t.Context(), filepath.Join(dir, "intervals"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]float64{} // span -> its end
	for i := range rows {
		known[spanKey(rows[i].Job, rows[i].Start, rows[i].GPUList)] = rows[i].End
	}
	var head live.Head
	if len(lines) < 40 {
		t.Fatalf("%d lines", len(lines))
	}
	if err := json.Unmarshal(lines[0], &head); err != nil || len(head.Jobs) != 3001 || len(head.Machines) != 4 ||
		head.From != 0 || head.Machines[3].Rack != 1 {
		t.Fatalf("head: %d jobs, machines %v, %v", len(head.Jobs), head.Machines, err)
	}
	ended, gone := 0, 0
	for _, line := range lines[1:] {
		var step live.Step
		if err := json.Unmarshal(line, &step); err != nil {
			t.Fatal(err)
		}
		for _, s := range step.Ended {
			end, ok := known[spanKey(head.Jobs[s.Job].ID, s.Start, listOf(s.GPUs))]
			if !ok || end != *s.End || end > step.Until {
				t.Fatalf("until %v: %+v ended, the table has %v", step.Until, s, end)
			}
		}
		holds := 0
		for i := range rows {
			if rows[i].Start < step.Until && step.Until < rows[i].End {
				holds++
			}
		}
		for _, s := range step.Held {
			if end, ok := known[spanKey(head.Jobs[s.Job].ID, s.Start, listOf(s.GPUs))]; !ok || end < step.Until {
				t.Fatalf("until %v: %+v is held, the table has its end at %v", step.Until, s, end)
			}
		}
		if len(step.Held) != holds {
			t.Fatalf("until %v: %d spans held, the table has %d", step.Until, len(step.Held), holds)
		}
		ended, gone = ended+len(step.Ended), gone+len(step.Gone)
	}
	if ended < 2500 || gone != 1 {
		t.Errorf("%d spans ended of %d, %d jobs gone", ended, len(rows), gone)
	}
}

// TestReportsBeginLate: a watch that begins during the trial leaves out what had ended.
func TestReportsBeginLate(t *testing.T) {
	dir, began := t.TempDir(), false
	var head live.Head
	_, err := Run(context.Background(), []Trial{newTrial(many(t, 3000), topology(t, 2, 2, 4), 0)}, Options{Out: dir,
		Progress: func(int, int) {
			if !began {
				began = true
				if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o600); err != nil {
					t.Error(err)
				}
				if err := live.Watch(dir); err != nil {
					t.Error(err)
				}
			}
			if news, err := live.Read(dir, nil, time.Now()); err == nil && len(news) == 1 {
				if err := json.Unmarshal(news[0].Lines[0], &head); err != nil {
					t.Error(err)
				}
			}
		}})
	gone := 0
	for _, j := range head.Jobs {
		if j.Gone != nil {
			gone++
		}
	}
	if err != nil || !(head.From > 1000) || gone < 100 || gone > 2900 {
		t.Errorf("from %v, %d jobs gone, %v", head.From, gone, err)
	}
}

// TestReportsFail: a stream that cannot be written does not stop the trial.
func TestReportsFail(t *testing.T) {
	dir := t.TempDir()
	name := sha256.Sum256([]byte(`"fifo:a=1" 0`)) // a folder stands where the stream would
	if err := os.MkdirAll(filepath.Join(dir, ".live", hex.EncodeToString(name[:8])+".jsonl", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := Run(context.Background(), []Trial{newTrial(many(t, 100), topology(t, 2, 2, 4), 0)}, Options{Out: dir})
	if err != nil || out[0] == nil {
		t.Errorf("%v, %v", out, err)
	}
}
