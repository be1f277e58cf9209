package floors

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestVariables: docs/reference/variables.md names every environment variable of the code, the scripts and the
// Makefile, and no page
// has one that nothing reads. Names that end in _H are of C headers.
func TestVariables(t *testing.T) {
	root := filepath.Join("..", "..")
	name := regexp.MustCompile(`TARRY_[A-Z]+(_[A-Z]+)*\b`)
	read := map[string]bool{}
	see := func(path string, into map[string]bool) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range name.FindAllString(string(text), -1) {
			if n[len(n)-2:] != "_H" {
				into[n] = true
			}
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "build", "docs", "runs", "demo", "node_modules"}, d.Name()):
			return filepath.SkipDir
		case d.Type().IsRegular() && (slices.Contains([]string{".go", ".sh", ".py"}, filepath.Ext(path)) ||
			d.Name() == "Makefile" || d.Name() == "run"):
			see(path, read)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	see(filepath.Join(root, "docs", "reference", "variables.md"), listed)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		named := map[string]bool{}
		see(page, named)
		for n := range named {
			if !read[n] {
				t.Errorf("%s has %s, which nothing reads", page, n)
			}
		}
	}
	for n := range read {
		if !listed[n] {
			t.Errorf("docs/reference/variables.md has no %s", n)
		}
	}
	if len(read) < 20 {
		t.Errorf("%d variables were found", len(read))
	}
}
