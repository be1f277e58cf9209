package floors

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// What a page may hold. A page with the comment "<!-- generated: COMMAND -->" and the text between
// "<!-- table" and "<!-- end -->" are written by a program and not counted.
const (
	maxPageWords   = 1200
	maxReadmeLines = 60
	maxTableRows   = 15
	// maxWords and maxPages bound all pages by hand together; notes on schedulers and decisions, a
	// paragraph each, are no pages.
	maxWords, maxPages = 60_700, 73
)

// page is one Markdown file that people read.
type page struct {
	// path is relative to the module root, with slashes.
	path, text string
	generated  bool
}

// root is the folder of the module.
const moduleRoot = "../.."

// pages reads the README and the pages of docs.
func pages(t *testing.T) []page {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(moduleRoot, "docs", "*", "*.md"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d pages in docs, %v", len(names), err)
	}
	var out []page
	for _, name := range append(names, filepath.Join(moduleRoot, "README.md"),
		filepath.Join(moduleRoot, "docs", "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(moduleRoot, name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, page{filepath.ToSlash(rel), string(text),
			strings.Contains(string(text), "\n<!-- generated: ")})
	}
	return out
}

// written is the text of a page without what a program wrote.
func written(text string) string {
	return regexp.MustCompile(`(?s)<!-- table \S+ -->.*?<!-- end -->`).ReplaceAllString(text, "")
}

// countWords counts what has a letter or a digit.
func countWords(text string) int {
	n := 0
	for _, f := range strings.Fields(text) {
		if strings.ContainsFunc(f, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// longestTable gives the rows below the head of the longest table of a text.
func longestTable(text string) int {
	longest, rows := 0, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			rows++
			longest = max(longest, rows-2)
		} else {
			rows = 0
		}
	}
	return longest
}

// opens reports whether a page starts with a title and a paragraph, which holds its answer.
func opens(text string) bool {
	title, rest, _ := strings.Cut(text, "\n")
	first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	return strings.HasPrefix(title, "# ") && !strings.HasPrefix(first, "#") && !strings.HasPrefix(first, "|") &&
		!strings.HasPrefix(first, "```") && countWords(first) >= 15
}

// TestPages keeps pages short enough to read: their length, their first paragraph, and the length
// of tables that people wrote.
func TestPages(t *testing.T) {
	for _, p := range pages(t) {
		if p.generated {
			continue
		}
		text := written(p.text)
		if n := countWords(text); n > maxPageWords {
			t.Errorf("%s has %d words, expected at most %d: cut it in pages", p.path, n, maxPageWords)
		}
		if n := longestTable(text); n > maxTableRows {
			t.Errorf("%s has a table of %d rows, expected at most %d: longer ones are generated, on a page of "+
				"their own", p.path, n, maxTableRows)
		}
		if n := strings.Count(p.text, "\n"); p.path == "README.md" && n > maxReadmeLines {
			t.Errorf("%s has %d lines, expected at most %d", p.path, n, maxReadmeLines)
		}
		if !opens(p.text) {
			t.Errorf("%s does not begin with a title and a paragraph that gives its answer", p.path)
		}
	}
}

// TestAllPages keeps the pages together short enough to hold in mind.
func TestAllPages(t *testing.T) {
	words, n := 0, 0
	for _, p := range pages(t) {
		if p.generated || !strings.HasPrefix(p.path, "docs/") {
			continue
		}
		words += countWords(written(p.text))
		if folder := strings.Split(p.path, "/")[1]; folder != "schedulers" && folder != "adr" {
			n++
		}
	}
	if words > maxWords || n > maxPages {
		t.Errorf("%d pages by hand with %d words together, expected at most %d and %d: join or cut some", n, words,
			maxPages, maxWords)
	}
}

// slug is the anchor of a heading, as GitHub makes it.
func slug(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteRune('-')
		}
	}
	return b.String()
}

// anchors lists the headings of a Markdown text by their anchors.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if heading := strings.TrimLeft(line, "#"); !code && heading != line && strings.HasPrefix(heading, " ") {
			out[slug(heading)] = true
		}
	}
	return out
}

// badLinks lists the links of a page that lead nowhere: a file that is missing, or a heading.
func badLinks(p page) []string {
	var bad []string
	for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(p.text, -1) {
		link := m[1]
		if strings.Contains(link, "://") {
			continue
		}
		file, anchor, _ := strings.Cut(link, "#")
		text := p.text
		if file != "" {
			to := filepath.Join(moduleRoot, filepath.Dir(filepath.FromSlash(p.path)), filepath.FromSlash(file))
			info, err := os.Stat(to)
			if err != nil {
				bad = append(bad, link)
				continue
			}
			if !info.IsDir() {
				read, err := os.ReadFile(to)
				if err != nil {
					bad = append(bad, link)
					continue
				}
				text = string(read)
			}
		}
		if anchor != "" && !anchors(text)[anchor] {
			bad = append(bad, link)
		}
	}
	return bad
}

// TestLinks follows every link between pages, and every page is linked from the README or from a
// page that is.
func TestLinks(t *testing.T) {
	seen := map[string]bool{}
	texts := map[string]string{}
	for _, p := range pages(t) {
		texts[p.path] = p.text
		for _, link := range badLinks(p) {
			t.Errorf("%s: the link %s leads nowhere", p.path, link)
		}
	}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] || texts[name] == "" {
			return
		}
		seen[name] = true
		for _, m := range regexp.MustCompile(`\]\(([^)#\s]+)`).FindAllStringSubmatch(texts[name], -1) {
			visit(filepath.ToSlash(filepath.Join(filepath.Dir(name), m[1])))
		}
	}
	visit("README.md")
	for name := range texts {
		// What was measured of a scheduler is part of its page, which the site makes from the catalogue.
		if !seen[name] && !strings.HasPrefix(name, "docs/schedulers/") {
			t.Errorf("%s: no page that the README leads to has a link to it", name)
		}
	}
}

// TestPageRules shows that each check of a page can fail.
func TestPageRules(t *testing.T) {
	if n := countWords("one | two |---| `3` - four"); n != 4 {
		t.Errorf("%d words, want 4", n)
	}
	if n := longestTable("| a |\n|---|\n| 1 |\n| 2 |\n\n| b |\n|---|\n| 1 |\n"); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
	if got := written("a <!-- table q/x -->\n| b |\n<!-- end --> c"); got != "a  c" {
		t.Errorf("written %q", got)
	}
	for text, want := range map[string]bool{
		"# T\n\n" + strings.Repeat("word ", 15) + "\n\nmore\n": true, "# T\n\nshort\n": false, "# T\n\n## H\n": false,
		"# T\n\n| " + strings.Repeat("word ", 15): false, strings.Repeat("word ", 20): false,
	} {
		if opens(text) != want {
			t.Errorf("opens(%q) is %v", text, !want)
		}
	}
	bad := badLinks(page{path: "docs/explain/x.md", text: "# A b: `c`\n[1](#a-b-c) [2](#no) [3](missing.md) " +
		"[4](design.md) [5](design.md#nowhere) [6](https://example.org)"})
	if strings.Join(bad, " ") != "#no missing.md design.md#nowhere" {
		t.Errorf("bad links: %q", bad)
	}
}
