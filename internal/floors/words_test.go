package floors

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// exported is one exported name of a package.
type exported struct {
	name string
	doc  bool
	pos  token.Pos
	top  bool // not a method
}

// exportedNames lists the exported names that a file declares.
func exportedNames(f *ast.File) []exported {
	var out []exported
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				out = append(out, exported{d.Name.Name, d.Doc != nil, d.Pos(), d.Recv == nil})
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.TypeSpec:
					if sp.Name.IsExported() {
						out = append(out, exported{sp.Name.Name, d.Doc != nil || sp.Doc != nil || sp.Comment != nil,
							sp.Pos(), true})
					}
				case *ast.ValueSpec:
					for _, n := range sp.Names {
						if n.IsExported() {
							out = append(out, exported{n.Name, d.Doc != nil || sp.Doc != nil || sp.Comment != nil,
								n.Pos(), true})
						}
					}
				}
			}
		}
	}
	return out
}

// exportedReceiver reports whether a function is no method or one of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// TestEveryNameIsDocumented asks for a comment on each exported name and a package
// comment in each package, and bounds how many names a package exports. A name that files for
// several systems declare, each in its way, is one.
func TestEveryNameIsDocumented(t *testing.T) {
	names, comment := map[string]map[string]bool{}, map[string]bool{}
	for _, s := range parseModule(t) {
		if s.test {
			continue
		}
		comment[s.pkg] = comment[s.pkg] || s.file.Doc != nil
		if names[s.pkg] == nil {
			names[s.pkg] = map[string]bool{}
		}
		for _, n := range exportedNames(s.file) {
			if n.top {
				names[s.pkg][n.name] = true
			}
			if !n.doc {
				t.Errorf("%s: %s has no doc comment", s.at(n.pos), n.name)
			}
		}
	}
	for pkg, ok := range comment {
		if !ok {
			t.Errorf("package %s has no package comment", pkg)
		}
		limit := maxExported
		if n, named := manyNames()[pkg]; named {
			limit = n
		}
		if n := len(names[pkg]); n > limit {
			t.Errorf("package %s exports %d names, at most %d", pkg, n, limit)
		}
	}
}

// TestUnfinishedWords looks for words that promise work instead of doing it.
func TestUnfinishedWords(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "not " + "implemented", "X" + "XX"}
	for _, s := range parseModule(t) {
		for _, g := range s.file.Comments {
			for _, m := range marks {
				if strings.Contains(g.Text(), m) {
					t.Errorf("%s: comment says %q", s.at(g.Pos()), m)
				}
			}
		}
	}
}
