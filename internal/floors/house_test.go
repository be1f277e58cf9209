package floors

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// The limits.
const (
	maxFileLines = 450 // of tests
	maxCodeLines = 380 // of other files; about 250 is the aim
	maxFuncLines = 70
	maxExported  = 40
)

// manyNames lists the packages that may export more names, and how many.
func manyNames() map[string]int {
	return map[string]int{
		// what policies share, one small type each: queues, planners, placement, numbers of GPUs
		"sim/plan":  48,
		"sim":       88, // the vocabulary: types of jobs, views, decisions, speeds, and four small enumerations
		"agents/nn": 50, // the vocabulary of every learner: networks, distributions, optimisers
		// a type for each of the thirteen tables, the Frame that hands any of them out, and the
		// codecs
		"output/results": 50,
		// what a sweep is asked, its cells, folder and rows, what a question keeps: questions read
		// all of it
		"experiments/sweep": 44,
	}
}

// algorithms lists the files that may have 400 lines instead: each holds one complete learning
// algorithm (collect, advantages, learn, loss) from top to bottom, so that a reader of the paper
// finds all of it in one place. What all of them share, settings and checkpoints are elsewhere.
func algorithms() map[string]int {
	return map[string]int{
		"agents/ppo/ppo.go": 400, "agents/a2c/a2c.go": 400, "agents/reinforce/reinforce.go": 400,
		"agents/dqn/dqn.go": 400, "agents/sac/sac.go": 400,
	}
}

// longFuncs lists the functions that may be longer, with the reason.
func longFuncs() map[string]string {
	return map[string]string{
		"catalogue/policies.All": "the list of policies, a row each",
		"catalogue/speeds.All":   "the list of speed models, a row each",
	}
}

// maxMethods limits the exported methods of types that many packages call.
func maxMethods() map[string]int {
	return map[string]int{"sim View": 32, "sim JobInfo": 24, "sim RunInfo": 20}
}

// methods counts the exported methods of each type, by package and name: "sim View".
func methods(all []*source) map[string]int {
	n := map[string]int{}
	for _, s := range all {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			of := f.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if id, ok := of.(*ast.Ident); ok {
				n[s.pkg+" "+id.Name]++
			}
		}
	}
	return n
}

// TestMethods keeps what a policy sees small enough to learn.
func TestMethods(t *testing.T) {
	have := methods(parseModule(t))
	for name, most := range maxMethods() {
		if n := have[name]; n == 0 || n > most {
			t.Errorf("%s has %d exported methods, expected 1..%d", name, n, most)
		}
	}
	t.Logf("View %d, JobInfo %d, RunInfo %d", have["sim View"], have["sim JobInfo"], have["sim RunInfo"])
}

// TestLengths keeps files and functions small enough to read at once.
func TestLengths(t *testing.T) {
	for _, s := range parseModule(t) {
		most := maxCodeLines
		if s.test {
			most = maxFileLines
		} else if n, ok := algorithms()[s.path]; ok {
			most = n
		}
		if s.lines > most {
			t.Errorf("%s has %d lines, at most %d", s.path, s.lines, most)
		}
		if s.test {
			continue // a test's table may be long
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
			if _, named := longFuncs()[s.pkg+"."+f.Name.Name]; n > maxFuncLines && !named {
				t.Errorf("%s: %s has %d lines, at most %d", s.at(f.Pos()), f.Name.Name, n, maxFuncLines)
			}
		}
	}
}

// TestNoSideDoors forbids what makes a package act at a distance.
func TestNoSideDoors(t *testing.T) {
	banned := map[string]bool{"util": true, "utils": true, "common": true, "types": true, "helpers": true,
		"helper":  true,
		"structs": true, "misc": true, "base": true, "shared": true}
	for _, s := range parseModule(t) {
		if banned[strings.TrimSuffix(s.file.Name.Name, "_test")] {
			t.Errorf("%s: package name %s says nothing about its content", s.path, s.file.Name.Name)
		}
		s.imports(func(spec *ast.ImportSpec, p string) {
			switch {
			case p == "math/rand":
				t.Errorf("%s imports math/rand, expected sim/rng or math/rand/v2", s.at(spec.Pos()))
			case spec.Name != nil && spec.Name.Name == "." && !s.test:
				t.Errorf("%s: dot import of %s", s.at(spec.Pos()), p)
			case spec.Name != nil && spec.Name.Name == "_" && p != "embed" && p != "go4.org/unsafe/assume-no-moving-gc":
				t.Errorf("%s: blank import of %s", s.at(spec.Pos()), p)
			}
		})
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: init function", s.at(f.Pos()))
			}
		}
		if !s.test && !strings.HasPrefix(s.pkg, "cmd/") && s.pkg != "app" {
			noWallClock(t, s)
		}
	}
}

// noWallClock forbids reading the time of day: a result must not depend on it.
func noWallClock(t *testing.T, s *source) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
			switch sel.Sel.Name {
			case "Now", "Since", "Until", "Tick", "After", "NewTimer", "NewTicker", "AfterFunc", "Sleep":
				t.Errorf("%s: time.%s outside app and cmd", s.at(sel.Pos()), sel.Sel.Name)
			}
		}
		return true
	})
}

// TestFixedBits keeps functions whose last bit depends on the processor or the build out of
// packages that compute results; pictures and pages may use them.
func TestFixedBits(t *testing.T) {
	loose := []string{"internal/fixmath", "output/figure", "output/report", "experiments/digest",
		"agents/search/searchtest"}
	fixed := map[string]bool{"Abs": true, "Ceil": true, "Copysign": true, "FMA": true, "Float32bits": true,
		"Float32frombits": true, "Float64bits": true,
		"Float64frombits": true, "Floor": true, "Frexp": true, "Inf": true, "IsInf": true, "IsNaN": true,
		"Ldexp": true, "Log": true, "Max": true, "Min": true,
		"Mod": true, "Modf": true, "NaN": true, "Nextafter": true, "Round": true, "RoundToEven": true, "Signbit": true,
		"Sqrt": true, "Trunc": true}
	for _, s := range parseModule(t) {
		if s.test || within(s.pkg, loose) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "math" && sel.Sel.IsExported() && !fixed[sel.Sel.Name] &&
				!isConstant(sel.Sel.Name) {
				t.Errorf("%s: math.%s gives other bits on other processors or builds, expected fixmath",
					s.at(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}

// isConstant reports whether a name of package math is a constant.
func isConstant(name string) bool {
	for _, prefix := range []string{"Max", "Min", "Smallest", "Pi", "E", "Sqrt2", "Ln", "Log2E", "Log10E", "Phi"} {
		if name == prefix || strings.HasPrefix(name, prefix) && prefix != "E" && prefix != "Pi" {
			return true
		}
	}
	return false
}

// TestNoMutableVariables allows package variables that are never written to, exported
// ones only as sentinel errors.
func TestNoMutableVariables(t *testing.T) {
	all := parseModule(t)
	vars := map[string]map[string]*ast.ValueSpec{} // package -> name -> declaration
	for _, s := range all {
		if s.test {
			continue
		}
		if vars[s.pkg] == nil {
			vars[s.pkg] = map[string]*ast.ValueSpec{}
		}
		for _, d := range s.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, sp := range g.Specs {
				v := sp.(*ast.ValueSpec)
				for _, name := range v.Names {
					vars[s.pkg][name.Name] = v
					if name.IsExported() && !strings.HasPrefix(name.Name, "Err") {
						t.Errorf("%s: exported variable %s, expected a function or a constant", s.at(name.Pos()),
							name.Name)
					}
				}
			}
		}
	}
	for _, s := range all {
		noWrites(t, s, vars[s.pkg])
	}
}

// noWrites reports assignments to, and addresses taken of, package variables.
func noWrites(t *testing.T, s *source, vars map[string]*ast.ValueSpec) {
	check := func(e ast.Expr, what string) {
		id := root(e)
		if id == nil || vars[id.Name] == nil {
			return
		}
		if id.Obj == nil || id.Obj.Decl == vars[id.Name] { // declared in another file, or here at package level
			t.Errorf("%s: package variable %s is %s", s.at(e.Pos()), id.Name, what)
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok != token.DEFINE {
					check(l, "written to")
				}
			}
		case *ast.IncDecStmt:
			check(n.X, "written to")
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				check(n.X, "lent by address")
			}
		}
		return true
	})
}

// root is the identifier that an expression such as a.b[i] starts with.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}
