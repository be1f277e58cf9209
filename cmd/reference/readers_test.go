package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
	"tarry/sim/entry"
)

// TestVariants: each variant with another simulator's habits is compared with that simulator.
func TestVariants(t *testing.T) {
	for _, e := range policies.Variants() {
		if !slices.ContainsFunc(readers(), func(r reference.Reader) bool { return slices.Contains(r.Variants, e.Name) }) {
			t.Errorf("%s is compared with no results", e.Name)
		}
	}
	for _, r := range readers() {
		for _, name := range r.Variants {
			if !slices.ContainsFunc(policies.Variants(), func(e entry.Policy) bool { return e.Name == name }) {
				t.Errorf("%s is no variant of the catalogue", name)
			}
		}
	}
}

// Every folder of the shared results has a line, whether there is a comparer or not.
func TestEveryFolderHasALine(t *testing.T) {
	root := sharedata.Path(t, "reference")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	_, out, _ := reftest.Compare(t, reference.Setup{}, root)
	for _, e := range entries {
		if want := "\n" + e.Name() + ": not compared: "; e.IsDir() && !strings.Contains("\n"+out, want) {
			t.Errorf("%s has no line", e.Name())
		}
	}
}

// No two comparers take a folder of one form for theirs.
func TestOneReaderForAFolder(t *testing.T) {
	root := sharedata.Path(t, "reference")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		f, err := reference.Setup{}.Folder(filepath.Join(root, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		var by []string
		for _, r := range readers() {
			if r.Knows(f) {
				by = append(by, r.Name)
			}
		}
		if n += len(by); len(by) > 1 {
			t.Errorf("%s is compared by one of %q, whichever is first", e.Name(), by)
		}
	}
	if n < 10 {
		t.Errorf("%d folders have a comparer", n)
	}
}
