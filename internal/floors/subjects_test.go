package floors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSubjects runs tools/subjects.sh in a repository of its own: it looks at no commit before the
// commit that brought it, or before the last version, and names what is wrong.
func TestSubjects(t *testing.T) {
	for _, program := range []string{"git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	script, err := os.ReadFile("../../tools/subjects.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(ok bool, args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		if (err == nil) != ok {
			t.Fatalf("%q: %v, expected success: %v\n%s", args, err, ok, out)
		}
		return string(out)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(subject string) { run(true, "git", "commit", "-q", "--allow-empty", "-m", subject) }

	write("tools/subjects.sh", script)
	if out := run(true, "tools/subjects.sh"); !strings.Contains(out, "skipped") {
		t.Errorf("no clone: %q, expected that the check is skipped", out)
	}
	run(true, "git", "init", "-q")
	commit("an old one of another time")
	run(true, "git", "add", ".")
	commit("and the one that brought the check")
	commit("feat(sim)!: " + strings.Repeat("é", 60)) // 72 characters, more bytes
	commit("docs: a page")
	if out := run(true, "tools/subjects.sh"); out != "" {
		t.Errorf("good subjects: %q", out)
	}
	for _, bad := range []string{"feat(sim): " + strings.Repeat("x", 62), "feature: x", "fix a thing",
		"fix: a full stop.", "fix:no space", "fix: "} {
		commit(bad)
		if out := run(false, "tools/subjects.sh"); !strings.Contains(out, strings.TrimSpace(bad)) ||
			strings.Count(out, "\n") != 1 {
			t.Errorf("%q: %q, expected one line that names it", bad, out)
		}
		run(true, "git", "reset", "-q", "--soft", "HEAD~")
	}
	commit("bad before a version")
	run(true, "git", "tag", "v1.0.0")
	run(true, "tools/subjects.sh")
	run(false, "tools/subjects.sh", "HEAD~1..HEAD")
	clone := filepath.Join(t.TempDir(), "shallow")
	run(true, "git", "clone", "-q", "--depth", "1", "file://"+dir, clone)
	run(true, filepath.Join(clone, "tools/subjects.sh"))
}
