package reftest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared gives a path of the shared data: below $TARRY_SHARED, else below the folder shared beside
// the module. The test is skipped where it is not there.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("TARRY_SHARED")
	if root == "" {
		root = filepath.Join(filepath.Dir(module(t)), "shared")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s among the shared data: set TARRY_SHARED to their folder", filepath.Join(parts...))
	}
	return path
}

// module is the folder of the module: the nearest above the test with a go.mod.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
