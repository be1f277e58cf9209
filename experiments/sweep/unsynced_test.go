package sweep

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// After a power cut the cells whose files are not whole run again, and no others; after any other end
// of a run a damaged file is the user's to hear of.
func TestRecover(t *testing.T) {
	f := planIn(t, filepath.Join(t.TempDir(), "s"), `name: one
kind: simulate
base: {trace: "synth:demo,jobs=5", cluster: 2x2x8, policy: fifo}
seeds: 3
`)
	u, err := f.Unsynced()
	if err != nil {
		t.Fatal(err)
	}
	if u == nil {
		t.Skip("each cell is durable when it is done here")
	}
	for i := range f.Len() {
		if err := f.Work(t.Context(), i, WorkOptions{Unsynced: u}); err != nil {
			t.Fatal(err)
		}
	}
	mark := filepath.Join(f.Dir, unsyncedName)
	table := filepath.Join(f.CellDir(1), "jobs", "policy-fifo", "replicate-0", "part-0.parquet")
	if err := os.Truncate(table, 0); err != nil { // what a file system may make of it
		t.Fatal(err)
	}
	recovered := func(want ...string) {
		t.Helper()
		if again, err := f.Recover(t.Context()); err != nil || !slices.Equal(again, want) {
			t.Errorf("%v (%v), expected %v", again, err, want)
		}
	}
	if recovered(); boot() == "" {
		t.Skip("starts of the machine are not told apart here")
	}
	write := func(text string) {
		if err := os.WriteFile(mark, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("another start\n")
	release, err := f.Lock(false)
	if err != nil {
		t.Fatal(err)
	}
	recovered() // another process runs it
	release()
	recovered(f.ID(1))
	if got := f.Pending(); !slices.Equal(got, []int{1}) {
		t.Errorf("pending are %v", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the mark stays")
	}
	if err := f.Work(t.Context(), 1, WorkOptions{}); err != nil {
		t.Fatal(err)
	}
	write("another start\n")
	recovered()
	write(boot() + "\n")
	if err := f.Tidy(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the mark stays though nothing is left to run")
	}
}
