package floors

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// clone is a folder of its own for a script of tools/, in which a test makes a repository.
type clone struct {
	t   *testing.T
	dir string
}

// newClone makes the folder; without git or bash the test is skipped.
func newClone(t *testing.T) clone {
	t.Helper()
	for _, program := range []string{"git", "bash"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	return clone{t, t.TempDir()}
}

// run gives what a program prints, and expects that it succeeds or fails.
func (c clone) run(ok bool, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.dir),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if (err == nil) != ok {
		c.t.Fatalf("%q: %v, expected success: %v\n%s", args, err, ok, out)
	}
	return string(out)
}

// write makes a file with its folders.
func (c clone) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		c.t.Fatal(err)
	}
}

// bring copies files of this repository.
func (c clone) bring(names ...string) {
	c.t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(moduleRoot, name))
		if err != nil {
			c.t.Fatal(err)
		}
		c.write(name, string(text))
	}
}

// commit records what is added, or nothing.
func (c clone) commit(subject string) {
	c.t.Helper()
	c.run(true, "git", "commit", "-q", "--allow-empty", "-m", subject)
}
