package floors

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSubjects runs tools/subjects.sh in a repository of its own: it looks at no commit before the
// commit that brought it, or before the last version, and names what is wrong.
func TestSubjects(t *testing.T) {
	c := newClone(t)
	c.bring("tools/subjects.sh")
	if out := c.run(true, "tools/subjects.sh"); !strings.Contains(out, "skipped") {
		t.Errorf("no clone: %q, expected that the check is skipped", out)
	}
	c.run(true, "git", "init", "-q")
	c.commit("an old one of another time")
	c.run(true, "git", "add", ".")
	c.commit("and the one that brought the check")
	c.commit("feat(sim)!: " + strings.Repeat("é", 60)) // 72 characters, more bytes
	c.commit("docs: a page")
	if out := c.run(true, "tools/subjects.sh"); out != "" {
		t.Errorf("good subjects: %q", out)
	}
	for _, bad := range []string{"feat(sim): " + strings.Repeat("x", 62), "feature: x", "fix a thing",
		"fix: a full stop.", "fix:no space", "fix: "} {
		c.commit(bad)
		if out := c.run(false, "tools/subjects.sh"); !strings.Contains(out, strings.TrimSpace(bad)) ||
			strings.Count(out, "\n") != 1 {
			t.Errorf("%q: %q, expected one line that names it", bad, out)
		}
		c.run(true, "git", "reset", "-q", "--soft", "HEAD~")
	}
	c.commit("bad before a version")
	c.run(true, "git", "tag", "v1.0.0")
	c.run(true, "tools/subjects.sh")
	c.run(false, "tools/subjects.sh", "HEAD~1..HEAD")
	shallow := filepath.Join(t.TempDir(), "shallow")
	c.run(true, "git", "clone", "-q", "--depth", "1", "file://"+c.dir, shallow)
	c.run(true, filepath.Join(shallow, "tools/subjects.sh"))
}
