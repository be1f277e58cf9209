package reftest

import (
	"maps"
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
