package floors

import (
	"go/ast"
	"go/token"
	"testing"
)

// TestSharedDataIsFound: tests look for the shared data by internal/sharedata alone, which skips
// them in one way; one that climbs to the folder itself would skip for ever after a move.
func TestSharedDataIsFound(t *testing.T) {
	asked := 0
	for _, s := range parseModule(t) {
		if !importsTesting(s) || s.pkg == "internal/sharedata" {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if climbs(call) {
				t.Errorf("%s: \"..\" before \"shared\", expected sharedata.Path", s.at(call.Pos()))
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok {
				if id, ok := f.X.(*ast.Ident); ok && id.Name == "sharedata" {
					asked++
				}
			}
			return true
		})
	}
	if asked < 40 {
		t.Errorf("%d calls ask for shared data, expected many", asked)
	}
}

// climbs reports a call Join("..", ..., "shared", ...).
func climbs(call *ast.CallExpr) bool {
	up := 0
	for _, a := range call.Args {
		switch lit, isText := a.(*ast.BasicLit); {
		case !isText || lit.Kind != token.STRING:
			return false
		case lit.Value == `".."`:
			up++
		default:
			return up > 0 && lit.Value == `"shared"`
		}
	}
	return false
}
