package reference

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference/reftest"
)

// write makes files and gives their folder.
func write(t *testing.T, files map[string]string) string { return reftest.Write(t, files) }

// setup has what tarry ships, and folders of shared data.
func setup(beside ...string) Setup {
	return Setup{From: simulation.All(), Beside: beside, Readers: Readers()}
}

// compare runs and gives both outputs.
func compare(t *testing.T, root string) (good bool, out, details string) {
	return reftest.Compare(t, setup().Run, root)
}

func TestNoRoot(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "absent"), t.TempDir()} {
		if _, err := setup().Run(context.Background(), dir, &strings.Builder{}, &strings.Builder{}); err == nil {
			t.Errorf("%s: no error", dir)
		}
	}
}

// shared is the folder of data that is read in place; the test is skipped without it.
func shared(t *testing.T) string {
	t.Helper()
	root := os.Getenv("TARRY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(root, "reference", "artist-sim")); err != nil {
		t.Skip("the shared data is not here (reference/artist-sim): set TARRY_SHARED")
	}
	return root
}
