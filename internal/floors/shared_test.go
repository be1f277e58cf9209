package floors

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestSharedDataIsFound: a test that looks for the shared data climbs as far as its package is deep;
// one that moved and climbs too far or not far enough would skip for ever.
func TestSharedDataIsFound(t *testing.T) {
	n := 0
	for _, s := range parseModule(t) {
		if !s.test {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				if up, ok := climbs(call); ok {
					n++
					if want := strings.Count(s.pkg, "/") + 2; up != want {
						t.Errorf("%s: %d times \"..\" before \"shared\", expected %d", s.at(call.Pos()), up, want)
					}
				}
			}
			return true
		})
	}
	if n < 20 {
		t.Errorf("%d tests look for the shared data, expected many", n)
	}
}

// climbs counts the ".." of a call Join("..", ..., "shared", ...); ok is false of other calls.
func climbs(call *ast.CallExpr) (up int, ok bool) {
	for _, a := range call.Args {
		switch lit, isText := a.(*ast.BasicLit); {
		case !isText || lit.Kind != token.STRING:
			return 0, false
		case lit.Value == `".."`:
			up++
		default:
			return up, up > 0 && lit.Value == `"shared"`
		}
	}
	return 0, false
}
