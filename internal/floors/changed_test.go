package floors

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// small makes a repository of a few packages: b imports a, and so does an outside test of c; d is
// alone. app is one of the packages whose tests "make quick" leaves out.
func small(t *testing.T) clone {
	t.Helper()
	c := newClone(t)
	c.bring("tools/changed.sh", "tools/tags", "Makefile")
	for name, text := range map[string]string{
		"go.mod": "module tarry\n\ngo 1.26\n", ".gitignore": "/build/\n", "docs/page.md": "words\n",
		"a/a.go": "package a\n", "a/a_test.go": "package a\n", "a/testdata/deep/jobs.csv": "1\n",
		"b/b.go": "package b\n\nimport _ \"tarry/a\"\n", "b/b_test.go": "package b\n",
		"c/c.go": "package c\n", "c/c_test.go": "package c_test\n\nimport _ \"tarry/b\"\n",
		"d/d.go": "package d\n", "d/d_test.go": "package d\n", "d/more.go": "package d\n",
		"app/app.go": "package app\n", "app/app_test.go": "package app\n",
		"examples/outside/go.mod": "module outside\n\ngo 1.26\n", "examples/outside/part.go": "package outside\n",
	} {
		c.write(name, text)
	}
	c.run(true, "git", "init", "-q", "-b", "main")
	c.run(true, "git", "add", ".")
	c.commit("feat: all")
	c.run(true, "git", "checkout", "-q", "-b", "change")
	return c
}

// again puts all back as it was committed.
func (c clone) again() {
	c.t.Helper()
	c.run(true, "git", "reset", "-q", "--hard", "main")
	c.run(true, "git", "clean", "-q", "-fd")
}

// TestChanged: tools/changed.sh names the packages that a change differs in, committed or not, and
// the packages with tests that come to use one of them.
func TestChanged(t *testing.T) {
	c := small(t)
	all := "./a ./app ./b ./c ./d"
	for _, x := range []struct {
		name            string
		change          func()
		packages, tests string
	}{
		{"nothing", func() {}, "", ""},
		{"a page", func() { c.write("docs/page.md", "other words\n") }, "", ""},
		{"a script", func() { c.write("tools/new.sh", "") }, "", ""},
		{"another module", func() { c.write("examples/outside/part.go", "package outside\n\nvar X int\n") }, "", ""},
		{"what others use", func() { c.write("a/a.go", "package a\n\nvar X int\n") }, "./a", "./a ./b ./c"},
		{"its data", func() { c.write("a/testdata/deep/jobs.csv", "2\n") }, "./a", "./a ./b ./c"},
		{"a test alone", func() { c.write("c/c_test.go", "package c_test\n") }, "./c", "./c"},
		{"a new file", func() { c.write("d/new.go", "package d\n") }, "./d", "./d"},
		{"a file less", func() { c.run(true, "git", "rm", "-q", "d/more.go") }, "./d", "./d"},
		{"a package less", func() { c.run(true, "git", "rm", "-q", "-r", "d") }, "", ""},
		{"two", func() { c.write("b/b.go", "package b\n"); c.write("d/d.go", "package d\n\nvar X int\n") }, "./b ./d",
			"./b ./c ./d"},
		{"what is required", func() { c.write("go.mod", "module tarry\n\ngo 1.25\n") }, "./...", all},
		{"tags", func() { c.write("tools/tags", "other\n") }, "./...", all},
	} {
		for _, committed := range []bool{false, true} {
			c.again()
			x.change()
			if committed {
				c.run(true, "git", "add", "-A")
				c.commit("feat: " + x.name)
			}
			for what, want := range map[string]string{"packages": x.packages, "tests": x.tests} {
				if got := strings.Join(strings.Fields(c.run(true, "tools/changed.sh", what, "main")), " "); got != want {
					t.Errorf("%s, committed %v: %s are %q, expected %q", x.name, committed, what, got, want)
				}
			}
		}
	}
	c.run(false, "tools/changed.sh", "package")
}

// TestChangedSince: without a commit named, a change begins at the last one that passed, or where
// main was left, or before the last commit.
func TestChangedSince(t *testing.T) {
	c := small(t)
	at := func(rev string) string { return strings.TrimSpace(c.run(true, "git", "rev-parse", rev)) }
	base := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(c.run(true, "tools/changed.sh", "base")); got != at(want) {
			t.Errorf("the base is %s, expected %s, which is %s", got, want, at(want))
		}
	}
	c.commit("feat: one")
	c.commit("feat: two")
	base("main")
	c.run(true, "git", "update-ref", "refs/checks/passed", "HEAD~")
	base("HEAD~")
	c.run(true, "git", "checkout", "-q", "main")
	c.commit("feat: three") // what passed is on another branch
	base("HEAD~")
}

// TestQuick: "make quick" builds all, vets what differs, and runs the short tests of that but of
// the packages that take longer, the golden files and the tests of this package.
func TestQuick(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skipf("make is not installed: %v", err)
	}
	c := small(t)
	c.write("build/go", "#!/bin/sh\necho \"go $*\" >>build/called\n")
	c.write("d/d.go", "package d\n\nvar X int\n")
	c.write("app/app.go", "package app\n\nvar X int\n")
	c.run(true, "make", "quick", "BASE=main", "GO="+filepath.Join(c.dir, "build", "go"))
	want := `go build ./...
go vet ./app ./d
go test -vet=off -short ./d
go test -vet=off -short ./baselines -run ^Test(Golden|Transcripts)$
go test -vet=off -short ./internal/floors
`
	if got := c.run(true, "cat", "build/called"); got != want {
		t.Errorf("make quick runs\n%s\nexpected\n%s", got, want)
	}
}
