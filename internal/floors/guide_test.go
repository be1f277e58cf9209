package floors

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guides gives the reading guides of a package comment: the paragraphs from "Reading guide" to the
// end of the comment.
func guides(comment string) string {
	_, guide, found := strings.Cut(comment, "Reading guide")
	if !found {
		return ""
	}
	return guide
}

// missingFiles lists what a reading guide names and the module has not: files of the package, of
// those one folder below or of the module, and packages.
func missingFiles(guide, pkg string) []string {
	exists := func(name string) bool {
		matches, err := filepath.Glob(filepath.Join(moduleRoot, filepath.FromSlash(name)))
		return err == nil && len(matches) > 0
	}
	var bad []string
	for _, file := range regexp.MustCompile(`[A-Za-z0-9_./]+\.(go|md|js|css)\b`).FindAllString(guide, -1) {
		if !exists(path.Join(pkg, file)) && !exists(path.Join(pkg, "*", file)) && !exists(file) {
			bad = append(bad, file)
		}
	}
	for _, name := range paths(guide) {
		if !exists(name) {
			bad = append(bad, name)
		}
	}
	return bad
}

// paths lists the words of a text that name something in the module by its folder.
func paths(text string) []string {
	var out []string
	word := regexp.MustCompile(`(^|[\s(,;:"` + "`" +
		`])(\./)?((sim|traces|baselines|env|agents|internal|experiments|app|cmd|examples|docs|notebooks|tools)/[A-Za-z0-9_./*-]+)`)
	for _, m := range word.FindAllStringSubmatch(text, -1) {
		name := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(m[3], ".,"), "/..."), ".,/")
		out = append(out, name)
	}
	return out
}

// TestReadingGuides checks that what the reading guides of packages name is there.
func TestReadingGuides(t *testing.T) {
	n := 0
	for _, s := range parseModule(t) {
		if s.test || s.file.Doc == nil {
			continue
		}
		guide := guides(s.file.Doc.Text())
		if guide != "" {
			n++
		}
		for _, name := range missingFiles(guide, s.pkg) {
			t.Errorf("%s: the reading guide names %s, which is not there", s.at(s.file.Doc.Pos()), name)
		}
	}
	if n < 30 {
		t.Errorf("%d reading guides found, expected some 40", n)
	}
}

// TestNamedPaths checks that every file and package that a page names in code style is in the
// module. Pages about the data folder name paths of that folder.
func TestNamedPaths(t *testing.T) {
	code := regexp.MustCompile("`[^`\n]+`")
	for _, p := range pages(t) {
		if strings.HasPrefix(p.path, "docs/reference/data-origins") || p.path == "docs/reference/data-files.md" {
			continue
		}
		for _, span := range code.FindAllString(p.text, -1) {
			for _, name := range paths(strings.Trim(span, "`")) {
				if matches, err := filepath.Glob(filepath.Join(moduleRoot, filepath.FromSlash(name))); err != nil ||
					len(matches) == 0 {
					if _, err := os.Stat(filepath.Join(moduleRoot, filepath.FromSlash(name)+".md")); err != nil {
						t.Errorf("%s names %s, which is not there", p.path, name)
					}
				}
			}
		}
	}
}

// TestGuideRules shows that the checks of names can fail.
func TestGuideRules(t *testing.T) {
	if got := missingFiles(": floors_test.go, nothing.go and internal/floors/doc.go; sim/plan/..., sim/nowhere.",
		"internal/floors"); strings.Join(got, " ") != "nothing.go sim/nowhere" {
		t.Errorf("missing: %q", got)
	}
	named := "see `sim/*`, ./env/preempt. and not classic/CartPole-v1, (docs/reference/tables.md)"
	if got := paths(named); strings.Join(got,
		" ") != "sim/* env/preempt docs/reference/tables.md" {
		t.Errorf("paths: %q", got)
	}
}
