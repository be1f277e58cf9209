package reftest

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"tarry/fidelity/reference"
)

// Edit is one change of a made-up folder of results and what the comparer prints of it: the file,
// the text and the one in its place, how the output begins, and what the details contain.
type Edit [5]string

// Edits compares the files, by their paths below reference/mine/, once for each edit by its name.
// All is well with the one named "right" and with no other.
func Edits(t *testing.T, with reference.Setup, files map[string]string, edits map[string]Edit) {
	t.Helper()
	for name, e := range edits {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(files[e[0]], e[1]) {
				t.Fatalf("%s has no %q", e[0], e[1])
			}
			edited := maps.Clone(files)
			edited[e[0]] = strings.Replace(edited[e[0]], e[1], e[2], 1)
			below := map[string]string{}
			for file, text := range edited {
				below["reference/mine/"+file] = text
			}
			good, out, details := Play(t, with, below)
			if good != (name == "right") || !strings.HasPrefix(out, e[3]) || !strings.Contains(details, e[4]) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, e[3], e[4])
			}
		})
	}
}

// Refused compares the files of a folder once for each edit, by what the error of the comparer contains:
// the file, the text and the one in its place; a file that is not there is made.
func Refused(t *testing.T, with reference.Setup, files map[string]string, edits map[string][3]string) {
	t.Helper()
	for want, e := range edits {
		if !strings.Contains(files[e[0]], e[1]) {
			t.Fatalf("%s has no %q", e[0], e[1])
		}
		below := map[string]string{}
		for name, text := range files {
			below["mine/"+name] = text
		}
		below["mine/"+e[0]] = strings.Replace(files[e[0]], e[1], e[2], 1)
		f, err := with.Folder(filepath.Join(Write(t, below), "mine"))
		if err != nil {
			t.Fatal(err)
		}
		if !with.Readers[0].Knows(f) {
			t.Errorf("%q: the folder has not the form", want)
			continue
		}
		if _, err := with.Readers[0].Compare(t.Context(), f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}
