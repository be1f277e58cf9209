package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What killed runs left in a sweep's folder is removed when there is nothing to do; everything else
// stays.
func TestNothingToDoTidies(t *testing.T) {
	dir := t.TempDir()
	file := sweepFile(t, dir, fewCells)
	good(t, dir, "sweep", file, "--out", "few", "--jobs", "1")
	cells, err := filepath.Glob(filepath.Join(dir, "few/cells/*/*/*"))
	if err != nil || len(cells) == 0 {
		t.Fatal(cells, err)
	}
	left := []string{filepath.Join(cells[0], ".STATUS.tmp-3"), filepath.Join(dir, "few/.sweep.json.tmp-0"),
		filepath.Join(dir, "few/trials/.part-0.parquet.tmp-1")}
	before := sums(t, filepath.Join(dir, "few"))
	for _, path := range left {
		if err := os.WriteFile(path, []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if s := good(t, dir, "sweep", file, "--out", "few"); !strings.Contains(s.errors, "nothing to do") {
		t.Errorf("it says %q", s.errors)
	}
	for _, path := range left {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
	sameFiles(t, "after tidying", before, sums(t, filepath.Join(dir, "few")))
}
