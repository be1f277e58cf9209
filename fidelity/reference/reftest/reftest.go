// Package reftest has what tests of comparers share: folders of made-up results, what is printed of
// them, and the shared data.
package reftest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/fidelity/reference"
	"tarry/internal/sharedata"
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

// References compares the results at hand of which a reader has the form: every case agrees. Folders of
// the given names must have one.
func References(t *testing.T, with reference.Setup, named ...string) {
	t.Helper()
	for _, dir := range sharedata.References(t, "*") {
		f, err := with.Folder(dir)
		if err != nil { // a file
			continue
		}
		seen := false
		for _, r := range with.Readers {
			if !r.Knows(f) {
				continue
			}
			seen = true
			o, err := r.Compare(context.Background(), f)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			for _, fault := range o.Short {
				t.Errorf("%s: %s", f.Name, fault)
			}
			if o.Of() == 0 || o.Agree() != o.Of() {
				t.Errorf("%s: %d of %d agree", f.Name, o.Agree(), o.Of())
			}
			t.Logf("%s: %d of %d agree, worst %.2g %v", f.Name, o.Agree(), o.Of(), o.Worst, o.Beyond)
		}
		if !seen && slices.Contains(named, f.Name) {
			t.Errorf("no comparer has the form of %s", f.Name)
		}
	}
}
