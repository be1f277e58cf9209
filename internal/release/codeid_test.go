package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// countingReader counts what is read.
type countingReader struct {
	f    *os.File
	read int
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.f.ReadAt(p, at)
	r.read += n
	return n, err
}

// idOf gives the code id of a program, and how many bytes were read for it.
func idOf(t *testing.T, path string) (string, int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := &countingReader{f: f}
	return codeID(r), r.read
}

// buildProgram builds a program that prints text.
func buildProgram(t *testing.T, text string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	src, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() { println(\""+text+"\") }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-o", out}, flags...), "main.go")...)
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return out
}

// TestCodeID: it differs when the code differs and only then, with a build ID and without one.
func TestCodeID(t *testing.T) {
	for _, flags := range [][]string{nil, {"-ldflags=-buildid="}} {
		one, read := idOf(t, buildProgram(t, "one", flags...))
		again, _ := idOf(t, buildProgram(t, "one", flags...))
		two, _ := idOf(t, buildProgram(t, "two", flags...))
		if len(one) != 12 || one != again || one == two {
			t.Errorf("%v: ids %q and %q of the same code, %q of other code", flags, one, again, two)
		}
		if flags == nil && read > 100<<10 {
			t.Errorf("%d bytes were read for the id, expected the build ID alone", read)
		}
	}
}

// TestCodeIDElsewhere: macOS and Windows have the build ID as text before the program's first
// function.
func TestCodeIDElsewhere(t *testing.T) {
	for file, want := range map[string]string{
		"\xcf\xfa\xed\xfe....\xff Go build ID: \"a/b/c/0123456789abcdef\"\n \xffmore": "0123456789ab",
		"MZ....\xff Go build ID: \"\"\n \xffmore":                                     "115b3095c0a1",
		"no program": "77c81fb66a43",
	} {
		if got := codeID(strings.NewReader(file)); got != want {
			t.Errorf("code id %q of %q, expected %q", got, file, want)
		}
	}
}
