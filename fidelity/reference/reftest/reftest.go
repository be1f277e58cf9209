// Package reftest has what tests of comparers share: folders of made-up results, what is printed of
// them, and the shared data.
package reftest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/fidelity/reference"
)

// Write makes files by their paths, with / between the parts, below a new folder, and gives the
// folder.
func Write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Compare compares the folders below root, and gives whether all is well and both outputs.
func Compare(t *testing.T, with reference.Setup, root string) (good bool, out, details string) {
	t.Helper()
	var o, d strings.Builder
	good, err := with.Run(context.Background(), root, &o, &d)
	if err != nil {
		t.Fatal(err)
	}
	return good, o.String(), d.String()
}

// Play makes files, of which the folders to compare are below reference/, and compares them.
func Play(t *testing.T, with reference.Setup, files map[string]string) (good bool, out, details string) {
	t.Helper()
	return Compare(t, with, filepath.Join(Write(t, files), "reference"))
}
