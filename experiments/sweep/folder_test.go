package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
	"tarry/run/lock"
)

// planIn plans the text in a fresh folder.
func planIn(t testing.TB, dir, text string) *Folder {
	t.Helper()
	s, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Plan(shipped.All(), dir, s, "v1", false)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tinyText is a sweep of four cells that end at once.
const tinyText = `name: tiny
kind: simulate
base: {trace: "synth:demo,jobs=5", cluster: 2x2x8}
axes: [{name: policy, values: [fifo, dally]}]
seeds: 2
`

var background = context.Background()

// runAll runs all cells that are left.
func runAll(t testing.TB, f *Folder) {
	t.Helper()
	for _, i := range f.Pending() {
		if err := f.Work(background, i, WorkOptions{Version: "v1", Host: "h"}); err != nil {
			t.Fatal(err)
		}
	}
}

// content reads every file of the folder except the files of the history.
func content(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == statusName || d.Name() == logName || d.Name() == lock.Name {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWholeSweep: plan, run, gather, read; a second time there is nothing to do.
func TestWholeSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	f := planIn(t, dir, tinyText)
	if f.Len() != 4 || f.ID(3) != "policy=dally/seed=2" || len(f.Pending()) != 4 {
		t.Fatalf("%d cells, the last %s, pending %v", f.Len(), f.ID(3), f.Pending())
	}
	runAll(t, f)
	fresh, err := f.Gather(background, "v1")
	if err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	before := content(t, dir)
	again := planIn(t, dir, tinyText)
	if p := again.Pending(); len(p) != 0 {
		t.Errorf("pending %v", p)
	}
	if fresh, err := again.Gather(background, "v1"); fresh || err != nil {
		t.Errorf("gathered again: %v, %v", fresh, err)
	}
	if err := again.Work(background, 2, WorkOptions{}); err != nil {
		t.Errorf("a cell that is done: %v", err)
	}
	if s := f.Status(2); s.State != Done || s.Attempts != 1 || s.Host != "h" {
		t.Errorf("got %+v", s)
	}
	if after := content(t, dir); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Error("files changed although there was nothing to do")
	}
	d, err := OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Rows[results.Trial](background, d)
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	for i, r := range rows {
		if r.Experiment != "tiny" || r.Cell != f.ID(i) || d.Axis(r.Keys, "policy") != r.Policy ||
			r.Seed != uint64(i%2+1) {
			t.Errorf("row %d is of %+v", i, r.Keys)
		}
	}
	jobs, err := Rows[results.Job](background, d)
	if err != nil || len(jobs) != 20 {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
	m, err := results.ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil || len(m.Files) != 2+4+2 {
		t.Errorf("manifest of %d files, %v", len(m.Files), err)
	}
}

// TestHistoryMovesNoByte: cells that are stopped, killed half-way, broken and run in another order
// give the same tables.
func TestHistoryMovesNoByte(t *testing.T) {
	straight, bent := filepath.Join(t.TempDir(), "s"), filepath.Join(t.TempDir(), "s")
	f := planIn(t, straight, tinyText)
	runAll(t, f)
	if _, err := f.Gather(background, "v1"); err != nil {
		t.Fatal(err)
	}
	g := planIn(t, bent, tinyText)
	stopped, stop := context.WithCancel(background)
	stop()
	if err := g.Work(stopped, 1, WorkOptions{}); !errors.Is(err, ErrRequeue) || ExitCode(err) != exitRequeue {
		t.Errorf("stopped: %v", err)
	}
	for _, i := range []int{3, 0, 2, 1} {
		if err := g.Work(background, i, WorkOptions{Version: "v1"}); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(g.CellDir(0), statusName), "{garbage")                         // a broken disk
	write(t, filepath.Join(g.CellDir(1), statusName), `{"state":"running","attempts":1}`) // killed before the end
	write(t, filepath.Join(g.CellDir(2), "trials/policy-dally/replicate-0/part-0.parquet"), "PAR1 half")
	if s := g.Status(0); s.State != Waiting || !strings.Contains(s.Error, statusName) {
		t.Errorf("a broken STATUS is %+v", s)
	}
	runAll(t, g)
	_, err := g.Gather(background, "v1")
	if err == nil || !strings.Contains(err.Error(), "cell policy=dally/seed=1 is broken: ") ||
		!strings.Contains(err.Error(), "tarry sweep retry") {
		t.Fatalf("gathered a broken cell: %v", err)
	}
	if err := g.Retry([]int{2}); err != nil {
		t.Fatal(err)
	}
	runAll(t, g)
	// killed after the end, before its lease was given back
	write(t, filepath.Join(g.CellDir(3), leasePrefix+"1"), "1 host")
	if _, err := g.Gather(background, "v1"); err != nil {
		t.Fatal(err)
	}
	a, b := content(t, straight), content(t, bent)
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
	if log := strings.Join(g.LogTail(0, 9), "\n"); !strings.Contains(log, "1 trials, 1 of them were complete already") {
		t.Errorf("what was complete was run again:\n%s", log)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestOtherSweep: a folder is of one sweep; both are named. It may get more cells if it is asked
// for, but none that was started may change.
func TestOtherSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	f := planIn(t, dir, tinyText)
	runAll(t, f)
	plan := func(text string, extend bool) error {
		s, err := parse(t, text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Plan(shipped.All(), dir, s, "v1", extend)
		return err
	}
	other := strings.Replace(tinyText, "name: tiny", "name: other", 1)
	err := plan(other, false)
	if err == nil || !strings.Contains(err.Error(), "holds sweep tiny of 4 cells") ||
		!strings.Contains(err.Error(), "not sweep other of 4 cells") {
		t.Errorf("got %v", err)
	}
	more := strings.Replace(tinyText, "seeds: 2", "seeds: 3", 1)
	if err := plan(more, false); err == nil || !strings.Contains(err.Error(), "or --extend") {
		t.Errorf("got %v", err)
	}
	changed := strings.Replace(tinyText, "jobs=5", "jobs=6", 1)
	err = plan(changed, true)
	if err == nil || !strings.Contains(err.Error(), "4 cells were started with other settings") ||
		!strings.Contains(err.Error(), "policy=fifo/seed=1 was started with settings of SHA-256") {
		t.Errorf("got %v", err)
	}
	if err := plan(other, true); err == nil {
		t.Error("a sweep of another name was taken for an extension")
	}
	if err := plan(more, true); err != nil {
		t.Fatal(err)
	}
	f, err = Open(shipped.All(), dir)
	if err != nil || !slices.Equal(f.Pending(), []int{2, 5}) {
		t.Errorf("pending %v (%v), expected the two new cells", f.Pending(), err)
	}
	runAll(t, f)
	whole := filepath.Join(t.TempDir(), "whole")
	runAll(t, planIn(t, whole, more))
	extended := content(t, dir)
	for path, text := range content(t, whole) {
		if extended[path] != text {
			t.Errorf("%s differs from that of a sweep that had all cells from the start", path)
		}
	}
	write(t, filepath.Join(dir, cellsName), "{}\n")
	if _, err := Open(shipped.All(), dir); err == nil || !strings.Contains(err.Error(), "do not belong together") {
		t.Errorf("changed cells: %v", err)
	}
	elsewhere := t.TempDir()
	write(t, filepath.Join(elsewhere, "mine.txt"), "")
	s, _ := parse(t, tinyText)
	if _, err := Plan(shipped.All(), elsewhere, s, "v1", false); err == nil ||
		!strings.Contains(err.Error(), "holds something else (mine.txt)") {
		t.Errorf("got %v", err)
	}
}

// TestChangedConfig: a cell that was run with other settings is left as it is.
func TestChangedConfig(t *testing.T) {
	f := planIn(t, filepath.Join(t.TempDir(), "s"), tinyText)
	runAll(t, f)
	path := filepath.Join(f.CellDir(1), statusName)
	text := `{"state":"requeue","attempts":1,"exit":75,"host":"h","error":"","config_sha256":"0123456789abcdef"}`
	write(t, path, text)
	err := f.Work(background, 1, WorkOptions{})
	if !errors.Is(err, ErrPermanent) || !strings.Contains(err.Error(), "is of other settings (SHA-256 0123456789ab,") {
		t.Errorf("got %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != text {
		t.Error("STATUS was changed")
	}
}

// TestFailures: what can never run is permanent, what the disk does is no fault of the cell.
func TestFailures(t *testing.T) {
	f := planIn(t, filepath.Join(t.TempDir(), "s"), tinyText)
	if err := f.Work(background, 9, WorkOptions{}); !errors.Is(err, ErrPermanent) ||
		!strings.Contains(err.Error(), "cell 9, expected 0..3") {
		t.Errorf("got %v", err)
	}
	a := attempt{dir: f.CellDir(0), cell: Cell{ID: "x"}, status: Status{}}
	if err := os.MkdirAll(a.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err   error
		state State
		code  int
	}{
		{nil, Done, 0},
		{permanent(errors.New("no such policy")), Failed, exitPermanent},
		{errors.New("a bug"), Failed, exitFailed},
		{&fs.PathError{Op: "write", Path: "x", Err: enospc()}, Requeue, exitFailed},
		{&fs.PathError{Op: "open", Path: filepath.Join(a.dir, "x"), Err: fs.ErrPermission}, Requeue, exitFailed},
		{&fs.PathError{Op: "open", Path: "trace.csv", Err: fs.ErrPermission}, Failed, exitFailed},
		{fmt.Errorf("stop: %w", ErrRequeue), Requeue, exitRequeue},
	} {
		var err error
		if a.log, err = os.Create(filepath.Join(a.dir, logName)); err != nil {
			t.Fatal(err)
		}
		a.opt.Clock = noClock
		a.status = Status{}
		got := a.end(background, c.err)
		s, err := readStatus(a.dir)
		if err != nil || s.State != c.state || ExitCode(got) != c.code {
			t.Errorf("%v ends as %+v with code %d (%v)", c.err, s, ExitCode(got), got)
		}
	}
}

// TestCancel: cells that are not over are marked, and taken back.
func TestCancel(t *testing.T) {
	f := planIn(t, filepath.Join(t.TempDir(), "s"), tinyText)
	if err := f.Work(background, 0, WorkOptions{}); err != nil {
		t.Fatal(err)
	}
	n, running, err := f.Cancel()
	if n != 3 || len(running) != 0 || err != nil || len(f.Pending()) != 0 {
		t.Errorf("%d cancelled, %v running, %v, pending %v", n, running, err, f.Pending())
	}
	if err := f.Work(background, 1, WorkOptions{}); !errors.Is(err, ErrPermanent) ||
		!strings.Contains(err.Error(), "it was cancelled") {
		t.Errorf("got %v", err)
	}
	if err := f.Retry([]int{1, 2, 3}); err != nil || len(f.Pending()) != 3 {
		t.Errorf("%v, pending %v", err, f.Pending())
	}
}

// TestLock: one process at a time, or many that share.
func TestLock(t *testing.T) {
	f := planIn(t, filepath.Join(t.TempDir(), "s"), tinyText)
	release, err := f.Lock(false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lock(true); err == nil || !strings.Contains(err.Error(), "another process runs this sweep now") {
		t.Errorf("got %v", err)
	}
	release()
	one, err := f.Lock(true)
	two, err2 := f.Lock(true)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	one()
	two()
}
