package floors

import (
	"cmp"
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
)

var update = flag.Bool("update", false, "rewrite docs/data-files.md from the data folder")

const dataPage = moduleRoot + "/docs/data-files.md"

// dataFiles writes the page of all files of traces and profiles in the data folder: their sizes and hashes.
func dataFiles(folder string) (string, error) {
	var b strings.Builder
	b.WriteString(`# Files of the data folder

<!-- generated: make data-files -->

Each file below ` + "`traces` and `profiles`" + ` of the data folder with its size and SHA-256, to check a copy. [data.md](data.md) says where they come from.

| file | bytes | SHA-256 |
|---|---:|---|
`)
	for _, part := range []string{"traces", "profiles"} {
		err := filepath.WalkDir(filepath.Join(folder, part), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "README") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(folder, name)
			fmt.Fprintf(&b, "| `%s` | %d | `%x` |\n", filepath.ToSlash(rel), len(text), sha256.Sum256(text))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// TestDataFiles holds docs/data-files.md against the data folder, where that is.
func TestDataFiles(t *testing.T) {
	folder := cmp.Or(os.Getenv("TARRY_SHARED"), filepath.Join(moduleRoot, "..", "shared"))
	if _, err := os.Stat(filepath.Join(folder, "traces", "philly")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the data folder is not here: set TARRY_SHARED")
	}
	want, err := dataFiles(folder)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(dataPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(dataPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("docs/data-files.md is not what the data folder has: make data-files writes it, and docs/data.md must name the origin of what is new")
	}
}

// TestDataRows checks that the hashes of docs/data.md are those of the complete list, and that each folder of traces and profiles in the
// list has its origin there.
func TestDataRows(t *testing.T) {
	list, err := os.ReadFile(dataPage)
	if err != nil {
		t.Fatal(err)
	}
	origins, err := os.ReadFile(filepath.Join(moduleRoot, "docs", "data.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(origins)) {
		if m := regexp.MustCompile("^\\| (`[^`]+`) \\|.*\\| ([0-9]+) \\| (`[0-9a-f]{64}`) \\|$").FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			rows++
			if want := fmt.Sprintf("| %s | %s | %s |\n", m[1], m[2], m[3]); !strings.Contains(string(list), want) {
				t.Errorf("docs/data.md has %q, which docs/data-files.md has not", want)
			}
		}
	}
	if rows < 5 {
		t.Errorf("%d files with their hashes in docs/data.md, expected the traces that results are from", rows)
	}
	for _, m := range regexp.MustCompile("`(?:traces|profiles)/([^/`]+)/").FindAllStringSubmatch(string(list), -1) {
		if !strings.Contains(string(origins), "`"+m[1]+"`") && !strings.Contains(string(origins), "`"+m[1]+"/") && !strings.Contains(string(origins), "/"+m[1]+"/") {
			t.Errorf("docs/data.md does not say where %s comes from", m[1])
		}
	}
}
