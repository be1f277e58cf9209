package report

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarry/output/results"
)

// TestRowsAreBounded: rows are counted by the files' footers before they are read. A folder with
// too many is refused with the file, its rows and the bound named; of a sweep the cell is left out
// and named.
func TestRowsAreBounded(t *testing.T) {
	f := newTrials(t, "a", "b", "c")
	file := filepath.Join(f.dir, "trials", "policy=c", "replicate=0", "part-0.parquet")
	r := NewReader(f.dir, Options{})
	r.limits.trials = 2
	_, err := r.Read(t.Context())
	var more tooMany
	if want := "report: " + file + " has 1 rows of the table trials, expected at most 0: "; err == nil ||
		!strings.HasPrefix(err.Error(), want) || !errors.As(err, &more) {
		t.Errorf("%v, want %s", err, want)
	}
	train := t.TempDir()
	newTraining(t, train, 1, 20)
	r = NewReader(train, Options{})
	r.limits.curves = 19
	if _, err := r.Read(t.Context()); err == nil || !strings.Contains(err.Error(),
		"has 20 rows of the table curves, expected at most 19") {
		t.Errorf("curves: %v", err)
	}
	s := newSweep(t, "a", "b").all()
	for _, c := range []struct {
		name string
		set  func(*limits)
		want string
		left func(*Page) int
	}{
		{"trials", func(l *limits) { l.trials = 17 }, "cell load=1/policy=b/seed=3 cannot be read: report: ",
			func(p *Page) int { return 18 - len(p.Hashes[0].Rows) }},
		{"jobs", func(l *limits) { l.jobs = 175 }, "cell load=1/policy=b/seed=3: its jobs cannot be read: report: ",
			func(*Page) int { return 1 }},
		{"spans", func(l *limits) { l.spans = 18*20 - 1 }, "timelines: load=1/policy=b/seed=3: b, replicate " +
			"0 is left out: report: ", func(p *Page) int { return 18 - len(p.Timelines) }},
	} {
		r := NewReader(s.dir, Options{})
		c.set(&r.limits)
		for again := range 2 { // cells that were read before count, too
			p, err := r.Read(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], c.want) || c.left(p) != 1 {
				t.Errorf("%s, look %d: %d are left out, notes %q, want one that begins with %q", c.name, again,
					c.left(p), p.Notes, c.want)
			}
			s.status(s.id("0.5", "a", 1), "done")
		}
	}
}

// TestManyTrialsTakeLinearTime: twenty thousand trials of one policy, replicates of one seed, are
// compared in a time that grows with their number; a square of it would take minutes.
func TestManyTrialsTakeLinearTime(t *testing.T) {
	const n = 20_000
	var runs []*run
	for i := range int64(n) {
		for p, policy := range []string{"a", "b"} {
			runs = append(runs, &run{policy: policy, row: results.Trial{Keys: results.Keys{Policy: policy,
				Replicate: i}, Summary: results.Summary{JCTMean: float64(i + int64(p))}}})
		}
	}
	done := make(chan error, 1)
	go func() {
		f := &folder{runs: runs, page: emptyPage()}
		done <- f.fill(t.Context(), Options{Timelines: "none"})
		if len(f.page.Tables) != 2 || *f.page.Tables[0].Rows[0][1].V != n {
			t.Error("the table has other rows")
		}
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(5 * time.Minute):
		t.Fatal("it takes minutes")
	}
}
