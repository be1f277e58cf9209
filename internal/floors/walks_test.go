package floors

import (
	"fmt"
	"go/ast"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hop is one step of a walk of docs/explain/walks.md: number. `call`, `file`: what happens.
var hop = regexp.MustCompile("^(\\d+)\\. `([A-Za-z.]+)`, `([a-z0-9_/.]+\\.go)`: .+$")

// numbered is a step of any form.
var numbered = regexp.MustCompile(`^\d+\.`)

// walkTitle is the heading of a walk, with its length.
var walkTitle = regexp.MustCompile(`^## .*: (\d+) calls in (\d+) packages$`)

// declared maps each function of the module to its declaration, by file and name: "sim/engine.go
// New", "sim/engine.go Engine.Next".
func declared(t *testing.T) map[string]*ast.FuncDecl {
	t.Helper()
	all := map[string]*ast.FuncDecl{}
	for _, s := range parseModule(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				if id := receiver(f.Recv.List[0].Type); id != "" {
					name = id + "." + name
				}
			}
			all[s.path+" "+name] = f
		}
	}
	return all
}

// receiver is the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// uses reports whether a function's body has a name.
func uses(f *ast.FuncDecl, name string) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

// byPackage lists the functions of some packages.
func byPackage(all map[string]*ast.FuncDecl, packages map[string]bool) (in []*ast.FuncDecl) {
	for key, f := range all {
		file, _, _ := strings.Cut(key, " ")
		if packages[path.Dir(file)] && f.Body != nil {
			in = append(in, f)
		}
	}
	return in
}

// TestWalks: every call of docs/explain/walks.md is a function of the file that is named, a package that
// the walk has been in calls a function of that name or hands it over, and headings give the right
// lengths.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile("../../docs/explain/walks.md")
	if err != nil {
		t.Fatal(err)
	}
	all := declared(t)
	var before []*ast.FuncDecl
	var packages map[string]bool
	title, walks := "", 0
	end := func() {
		if title == "" {
			return
		}
		walks++
		if m := walkTitle.FindStringSubmatch(title); m == nil || m[1] != fmt.Sprint(len(before)) ||
			m[2] != fmt.Sprint(len(packages)) {
			t.Errorf("docs/explain/walks.md: %q, expected a heading that ends in %d calls in %d packages", title, len(before),
				len(packages))
		}
		title = ""
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "## ") {
			end()
			if strings.Contains(line, "calls in") {
				title, before, packages = line, nil, map[string]bool{}
			}
			continue
		}
		m := hop.FindStringSubmatch(line)
		if m == nil {
			if numbered.MatchString(line) {
				t.Errorf("docs/explain/walks.md: %q, expected number. `call`, `file`: what happens", line)
			}
			continue
		}
		call, file := m[2], m[3]
		f := all[file+" "+call]
		if f == nil {
			t.Errorf("docs/explain/walks.md: %s has no function %s", file, call)
			continue
		}
		packages[path.Dir(file)] = true
		if len(before) > 0 && !slices.ContainsFunc(byPackage(all, packages),
			func(b *ast.FuncDecl) bool { return b != f && uses(b, f.Name.Name) }) {
			t.Errorf("docs/explain/walks.md: no package of the walk up to %s calls %s", file, call)
		}
		before = append(before, f)
		if m[1] != fmt.Sprint(len(before)) {
			t.Errorf("docs/explain/walks.md: call %s has number %s, expected %d", call, m[1], len(before))
		}
	}
	end()
	if walks != 2 {
		t.Errorf("docs/explain/walks.md has %d walks, expected the job's and the weight's", walks)
	}
}
