package app

import "testing"

// TestBuildLine: a build without a commit, one of a commit and one of changed files.
func TestBuildLine(t *testing.T) {
	b := build{Version: "1.2.3", Build: "v1", Go: "go1.99", OS: "linux", Arch: "arm64"}
	for _, c := range []struct {
		commit  string
		changed bool
		want    string
	}{
		{"", false, "tarry 1.2.3 commit unknown build v1 go1.99 linux/arm64"},
		{"0123456789abcdef0123", false, "tarry 1.2.3 commit 0123456789ab build v1 go1.99 linux/arm64"},
		{"0123456789abcdef0123", true, "tarry 1.2.3 commit 0123456789ab+changes build v1 go1.99 linux/arm64"},
	} {
		b.Commit, b.Changed = c.commit, c.changed
		if got := b.String(); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}
