package floors

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxProseColumns is the widest line of prose in Markdown.
const maxProseColumns = 100

var (
	// unbroken is what a line break may not cut: code, pictures and links.
	unbroken = regexp.MustCompile("`[^`]*`|!?\\[[^\\]]*\\]\\([^)]*\\)")
	listItem = regexp.MustCompile(`^ {0,3}(?:[-*+]|\d+[.)])\s`)
	marker   = regexp.MustCompile(`^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*`)
)

// wideProse returns the numbers of the lines of a Markdown page that have more than maxProseColumns
// columns and could be broken before the last of them. Code, tables, headings and what a command
// generates are exempt.
func wideProse(page string) (wide []int) {
	number, code, generated, list := 0, false, false, false
	for line := range strings.Lines(page) {
		number++
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			code = !code
			continue
		case strings.HasPrefix(line, "<!-- table"):
			generated = true
		case strings.HasPrefix(line, "<!-- end"):
			generated = false
		case listItem.MatchString(line):
			list = true
		case trimmed != "" && !strings.HasPrefix(line, " "):
			list = false
		}
		indented := strings.HasPrefix(line, "    ") && !list
		if code || generated || indented || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(line, "#") ||
			utf8.RuneCountInString(line) <= maxProseColumns {
			continue
		}
		text := unbroken.ReplaceAllStringFunc(marker.ReplaceAllString(line, ""), func(s string) string {
			return strings.Repeat("x", utf8.RuneCountInString(s))
		})
		if i := strings.IndexByte(text, ' '); i >= 0 && i < maxProseColumns {
			wide = append(wide, number)
		}
	}
	return wide
}

// markdown lists the pages of Markdown, relative to the module root, with slashes; without
// CHANGELOG.md, which has a line per change, since git merges by lines.
func markdown(t *testing.T) []string {
	t.Helper()
	skipped := []string{".git", "build", "runs", "demo", "evaluation", "tuned"}
	var all []string
	err := filepath.WalkDir(moduleRoot, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(moduleRoot, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (d.Name() == "testdata" || slices.Contains(skipped, rel)):
			return filepath.SkipDir
		case !d.IsDir() && filepath.Ext(rel) == ".md" && rel != "CHANGELOG.md":
			all = append(all, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d pages found", len(all))
	}
	return all
}

// TestProseColumns keeps pages readable beside code and in a diff.
func TestProseColumns(t *testing.T) {
	for _, name := range markdown(t) {
		text, err := os.ReadFile(filepath.Join(moduleRoot, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\n<!-- generated: ") {
			continue
		}
		for _, n := range wideProse(string(text)) {
			t.Errorf("%s:%d has more than %d columns", name, n, maxProseColumns)
		}
	}
}

func TestWideProse(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 21))
	for page, want := range map[string]int{
		long + "\n":                        1,
		long[:99] + "\n":                   0,
		"| " + long + " |\n":               0,
		"```\n" + long + "\n```\n":         0,
		"```\n```\n" + long + "\n":         1,
		"    " + long + "\n":               0,
		"- a\n    " + long + "\n":          1,
		"- `" + long + "`\n":               0,
		"[" + long + "](page.md)\n":        0,
		"see [" + long + "](page.md)\n":    1,
		"<!-- table a -->\n" + long + "\n": 0,
		"<!-- end -->\n\n> " + long + "\n": 1,
		"# " + long + "\n":                 0,
		strings.Repeat("é ", 50) + "\n":    0,
	} {
		if got := wideProse(page); len(got) != want {
			t.Errorf("%q: wide lines %v, expected %d", page, got, want)
		}
	}
}
