package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files of a batch have no name before Commit, all names after it, and the manifest lists what is
// in files that have none.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	var b Batch
	path := filepath.Join(dir, "trials", "part-0.parquet")
	if err := Write(ctx, Target{Path: path, Files: &b}, []Trial{{}}); err != nil {
		t.Fatal(err)
	}
	sum, err := b.WriteManifest(ctx, dir, Meta{}, []string{"trials/part-0.parquet"})
	if err != nil || len(sum) != 64 {
		t.Fatal(sum, err)
	}
	for _, file := range []string{path, filepath.Join(dir, ManifestName)} {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is there before Commit", file)
		}
	}
	if err := b.Commit(); err != nil {
		t.Fatal(err)
	}
	m, err := ReadManifest(dir)
	if err != nil || len(m.Files) != 1 || m.Verify(dir) != nil {
		t.Errorf("%+v, %v", m, err)
	}
	if rows, _, err := Read[Trial](ctx, path); err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if left := filesBelow(dir); len(left) != 2 {
		t.Errorf("%v is there, expected two files", left)
	}
	if err := b.Commit(); err != nil {
		t.Errorf("an empty batch gave %v", err)
	}
}

func TestBatchGivenUp(t *testing.T) {
	dir := t.TempDir()
	var b Batch
	if err := Write(ctx, Target{Path: filepath.Join(dir, "a.parquet"), Files: &b}, []Trial{{}}); err != nil {
		t.Fatal(err)
	}
	b.Abort()
	failsClean(t, dir, b.Commit())

	// The second name is taken by a folder: what came before keeps its name, what comes after is
	// gone.
	if err := os.MkdirAll(filepath.Join(dir, "b", "inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := b.WriteFile(filepath.Join(dir, name), []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Commit(); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "b")) {
		t.Errorf("a folder in the way gave %v", err)
	}
	if left := filesBelow(dir); len(left) != 1 || filepath.Base(left[0]) != "a" {
		t.Errorf("%v is there, expected a", left)
	}
}
