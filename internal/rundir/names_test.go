package rundir

import (
	"slices"
	"strings"
	"testing"
)

// TestNames: the shortest ends of paths that differ.
func TestNames(t *testing.T) {
	for _, c := range []struct{ dirs, want string }{
		{"runs/a runs/b", "a b"},
		{"old/a new/a", "old/a new/a"},
		{"old/a new/a c", "old/a new/a c"},
		{"x/old/a y/old/a new/a", "x/old/a y/old/a new/a"},
		{"/a /b/a", "/a b/a"},
		{"/b/a/ /b/./a", "a a"},
		{"/", "/"},
	} {
		if got := Names(strings.Fields(c.dirs)); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %s", c.dirs, got, c.want)
		}
	}
	if got := Names(nil); len(got) != 0 {
		t.Errorf("of no folder: %q", got)
	}
}
