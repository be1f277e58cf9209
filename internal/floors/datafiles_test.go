package floors

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tarry/internal/sharedata"
)

var update = flag.Bool("update", false, "write sizes and hashes of docs/reference/data-files.md, and the picture of "+
	"docs/explain/design.md")

const dataPage = moduleRoot + "/docs/reference/data-files.md"

// dataRow is a row of the page: a file's path, size and hash.
func dataRow() *regexp.Regexp {
	return regexp.MustCompile("(?m)^\\| `((?:traces|profiles)/[^`]+)` \\|.*\\|$")
}

// dataFiles is the page with the sizes and hashes that the files in its rows have in the data
// folder. What else lies there does not matter: a file that the project uses gets a row by hand.
func dataFiles(page, folder string) (string, error) {
	var errs []error
	out := dataRow().ReplaceAllStringFunc(page, func(row string) string {
		name := dataRow().FindStringSubmatch(row)[1]
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			errs = append(errs, err)
			return row
		}
		return fmt.Sprintf("| `%s` | %d | `%x` |", name, len(text), sha256.Sum256(text))
	})
	return out, errors.Join(errs...)
}

// TestDataFiles holds the files that docs/reference/data-files.md lists against the data folder, where that
// is.
func TestDataFiles(t *testing.T) {
	folder := filepath.Join(sharedata.Path(t, "traces", "philly"), "..", "..")
	have, err := os.ReadFile(dataPage)
	if err != nil {
		t.Fatal(err)
	}
	want, err := dataFiles(string(have), folder)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(dataPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		have = []byte(want)
	}
	if n := len(dataRow().FindAllString(want, -1)); n < 100 {
		t.Errorf("%d rows, expected the files that the project uses", n)
	}
	if string(have) != want {
		t.Error("a file of docs/reference/data-files.md is another in the data folder: make data-files takes its size and " +
			"hash from there")
	}
}

// A file that the page does not list changes nothing; one that is missing or another does.
func TestDataFilesAreThoseListed(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Join(folder, "traces"), 0o777),
			os.WriteFile(filepath.Join(folder, "traces", name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	put("a.csv", "a")
	page, err := dataFiles("# Files\n\n| `traces/a.csv` | 0 | `` |\n", folder)
	if err != nil || !strings.Contains(page, fmt.Sprintf("| `traces/a.csv` | 1 | `%x` |\n",
		sha256.Sum256([]byte("a")))) {
		t.Fatalf("%q, %v", page, err)
	}
	put("more.csv", "more")
	if again, err := dataFiles(page, folder); err != nil || again != page {
		t.Errorf("a file more: %q, %v", again, err)
	}
	put("a.csv", "b")
	if again, err := dataFiles(page, folder); err != nil || again == page {
		t.Errorf("another file has the same row (%v)", err)
	}
	if err := os.Remove(filepath.Join(folder, "traces", "a.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := dataFiles(page, folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestDataRows checks that the hashes of docs/reference/data-origins.md equal the complete list's, and that each
// folder of traces and profiles in the list has its origin there.
func TestDataRows(t *testing.T) {
	list, err := os.ReadFile(dataPage)
	if err != nil {
		t.Fatal(err)
	}
	origins, err := os.ReadFile(filepath.Join(moduleRoot, "docs", "reference", "data-origins.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(origins)) {
		if m := regexp.MustCompile("^\\| (`[^`]+`) \\|.*\\| ([0-9]+) \\| (`[0-9a-f]{64}`) \\|$").FindStringSubmatch(
			strings.TrimSpace(line)); m != nil {
			rows++
			if want := fmt.Sprintf("| %s | %s | %s |\n", m[1], m[2], m[3]); !strings.Contains(string(list), want) {
				t.Errorf("docs/reference/data-origins.md has %q, which docs/reference/data-files.md has not", want)
			}
		}
	}
	if rows < 5 {
		t.Errorf("%d files with their hashes in docs/reference/data-origins.md, expected the traces of results", rows)
	}
	for _, m := range regexp.MustCompile("`(?:traces|profiles)/([^/`]+)/").FindAllStringSubmatch(string(list), -1) {
		if !strings.Contains(string(origins), "`"+m[1]+"`") && !strings.Contains(string(origins), "`"+m[1]+"/") &&
			!strings.Contains(string(origins), "/"+m[1]+"/") {
			t.Errorf("docs/reference/data-origins.md does not say where %s comes from", m[1])
		}
	}
}
