package ppo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tarry/agents/registry"
)

const root = "../../"

// detail is a row of the table of README.md.
type detail struct{ id, where string }

// spelled is how comments in the code name a detail: core 5 is "detail 5:", continuous 6 "detail
// continuous 6:".
func (d detail) spelled() string {
	return "detail " + strings.TrimPrefix(strings.ToLower(d.id), "core ") + ":"
}

// readDetails reads the table of README.md.
func readDetails(t *testing.T) (out []detail) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(
		`(?m)^\| ((?:core|Atari|continuous|LSTM|MultiDiscrete|additional) \d+) \| [^|]+ \| ([^|]+) \|$`)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		out = append(out, detail{m[1], m[2]})
	}
	return out
}

// bodyOf is the text of a function, with its comments and those on the line of its head.
func bodyOf(t *testing.T, path, name string) string {
	t.Helper()
	text, err := os.ReadFile(root + path)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			return string(text[files.Position(f.Pos()).Offset:files.Position(f.End()).Offset])
		}
	}
	return ""
}

// TestDetails holds the table of the 37 details to the code: each is there by its number, in the
// function that the table names and with settings that exist, or has a reason why it does not
// apply.
func TestDetails(t *testing.T) {
	var want []string
	for _, list := range []struct {
		name string
		n    int
	}{{"core", 13}, {"Atari", 9}, {"continuous", 9}, {"LSTM", 5}, {"MultiDiscrete", 1}, {"additional", 4}} {
		for i := range list.n {
			want = append(want, fmt.Sprintf("%s %d", list.name, i+1))
		}
	}
	details := readDetails(t)
	var got []string
	at := map[string]string{} // the file of each comment
	place := regexp.MustCompile("^`([a-z/]+\\.go)` `(\\w+)`(?:; (.+))?$")
	for _, d := range details {
		got = append(got, d.id)
		if why, ok := strings.CutPrefix(d.where, "does not apply: "); ok {
			if len(strings.Fields(why)) < 3 {
				t.Errorf("%s: %q is no reason", d.id, why)
			}
			continue
		}
		m := place.FindStringSubmatch(d.where)
		if m == nil {
			t.Errorf("%s: %q, expected `FILE` `FUNCTION`; settings, or does not apply: why", d.id, d.where)
			continue
		}
		at[d.spelled()] = m[1]
		if !strings.Contains(bodyOf(t, m[1], m[2]), d.spelled()) {
			t.Errorf("%s: %q is not found in function %s of %s", d.id, d.spelled(), m[2], m[1])
		}
		for key := range strings.SplitSeq(m[3], ", ") {
			if key != "" && !slices.Contains(registry.Keys(Default()), strings.Trim(key, "`")) {
				t.Errorf("%s: %s is no setting", d.id, key)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table lists %v, expected %v", got, want)
	}
	everyComment(t, at)
}

// everyComment asks that each comment that numbers a detail has a row that names its file.
func everyComment(t *testing.T, at map[string]string) {
	t.Helper()
	comment := regexp.MustCompile(`detail (?:[a-z]+ )?\d+:`)
	seen := 0
	err := filepath.WalkDir(root+"agents", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			d.Name() == "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range comment.FindAllString(string(text), -1) {
			seen++
			if file := filepath.ToSlash(strings.TrimPrefix(path, root)); at[found] != file {
				t.Errorf("%s has %q, the table says %q", file, found, at[found])
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if seen != len(at) {
		t.Errorf("%d comments number a detail, the table has %d", seen, len(at))
	}
}
