// Package sharedata finds the data that tests read in place and that is no part of the repository:
// traces, profiles, and results of other programs. It lies in the folder TARRY_SHARED, or else in the
// folder shared beside the module. A test without what it asks for is skipped, in one and the same
// way everywhere.
package sharedata

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Path is the path of a file or folder of the shared data, by its parts below the folder. The test
// is skipped where it is missing.
func Path(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{root(t)}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s among the shared data; set TARRY_SHARED to their folder", filepath.Join(parts...))
	}
	return path
}

// References lists the files of a pattern (filepath.Glob) in the results of other programs, which
// are in the folder TARRY_REFERENCE, or else in the folder reference of the shared data. The test is
// skipped where there is none.
func References(t testing.TB, pattern string) []string {
	t.Helper()
	folder := os.Getenv("TARRY_REFERENCE")
	if folder == "" {
		folder = filepath.Join(root(t), "reference")
	}
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no %s in %s; set TARRY_SHARED to the folder of the shared data, or TARRY_REFERENCE to that one",
			pattern, folder)
	}
	return files
}

// Cases lists the folders of cases, small inputs from users with a README each, in the folder
// TARRY_CASES, or else in the folder cases of the shared data. The test is skipped where that is
// missing.
func Cases(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("TARRY_CASES")
	if dir == "" {
		dir = Path(t, "cases")
	}
	notes, err := filepath.Glob(filepath.Join(dir, "*", "README*"))
	if err != nil || len(notes) == 0 {
		t.Fatalf("no case in %s, expected folders with a README each: %v", dir, err)
	}
	for i := range notes {
		notes[i] = filepath.Dir(notes[i])
	}
	return slices.Compact(notes)
}

// root is the folder of the data, which need not be there.
func root(t testing.TB) string {
	t.Helper()
	if named := os.Getenv("TARRY_SHARED"); named != "" {
		return named
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(at), "shared")
		}
		if at == filepath.Dir(at) {
			t.Fatalf("no go.mod in %s or above it", dir)
		}
	}
}
