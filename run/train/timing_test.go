package train

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarry/output/results"
)

// stepClock is a clock that is a second later at every reading.
type stepClock struct{ at time.Time }

func (c *stepClock) now() time.Time {
	c.at = c.at.Add(time.Second)
	return c.at
}

func timesOf(t *testing.T, dir string) []results.Timing {
	t.Helper()
	rows, _, err := results.Read[results.Timing](t.Context(), filepath.Join(dir, timingName))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTiming: each update has its wall time and the time of day, over interruptions, kills and
// breaks; no other file depends on it.
func TestTiming(t *testing.T) {
	cfg := short(t, cart)
	plain, dir := t.TempDir(), t.TempDir()
	if _, err := Run(t.Context(), cfg, Options{Out: plain}); err != nil {
		t.Fatal(err)
	}
	clock := &stepClock{time.Unix(1_800_000_000, 0)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run(ctx, cfg, Options{Out: dir, Now: clock.now, Watch: func(p Progress) {
		if p.Row.Update == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	rows := timesOf(t, dir)
	if len(rows) != 3 || rows[2].Update != 3 {
		t.Fatalf("after an interruption: %+v", rows)
	}
	lost := append(rows, results.Timing{Update: 4, Wall: 77}) // measured, and lost with the process
	if err := results.Write(t.Context(), results.Target{Path: filepath.Join(dir, timingName)}, lost); err != nil {
		t.Fatal(err)
	}
	clock.at = clock.at.Add(1000 * time.Second)
	if _, err := Run(t.Context(), cfg, Options{Out: dir, Resume: true, Now: clock.now}); err != nil {
		t.Fatal(err)
	}
	rows = timesOf(t, dir)
	if len(rows) != 6 {
		t.Fatalf("%d updates have a time, want 6", len(rows))
	}
	for i, r := range rows {
		gap := float64(i) // one look each, and one at the begin of either part
		if i > 2 {
			gap += 1001
		}
		if want := 1_800_000_002 + gap; r.Wall != 1 || r.EnvStepsPerS != 16 || r.Update != int64(i+1) ||
			r.EnvSteps != int64(16*(i+1)) || r.Unix != want || r.PeakRSS != -1 || !math.IsNaN(r.EventsPerS) {
			t.Errorf("update %d: %+v, want a second each, at %v", i+1, r, want)
		}
	}
	got := contents(t, dir)
	if _, there := got[filepath.FromSlash(timingName)]; !there ||
		strings.Contains(got[results.ManifestName], "timing") {
		t.Error("the table is not there, or the manifest lists it")
	}
	delete(got, filepath.FromSlash(timingName))
	same(t, "with and without times", contents(t, plain), got)
}

// TestBrokenTiming: a table of times that cannot be read stops no training.
func TestBrokenTiming(t *testing.T) {
	cfg, dir := short(t, cart), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	clock := &stepClock{time.Unix(1_800_000_000, 0)}
	if _, err := Run(ctx, cfg, Options{Out: dir, Now: clock.now}); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, timingName), []byte("no parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), cfg, Options{Out: dir, Resume: true, Now: clock.now}); err != nil {
		t.Fatal(err)
	}
	if rows := timesOf(t, dir); len(rows) != 5 || rows[0].Update != 2 {
		t.Errorf("%+v, want the five updates after the break", rows)
	}
}
