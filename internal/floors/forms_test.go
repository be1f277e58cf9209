package floors

import (
	"go/ast"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// askedOf lists the variables of the environment that tests may read, with what each gives them.
// None of them makes a test longer or shorter: internal/effort alone reads TARRY_LONG, so that one
// variable gives every test its long form (make nightly).
func askedOf() map[string]string {
	return map[string]string{
		"PATH": "where programs are", "GODEBUG": "held the same in a child",
		"TARRY_PHILLY_CSV": "a trace", "TARRY_SLURM": "a Slurm",
		"TARRY_NEED_BROWSER": "its lack is an error", "TARRY_NEED_PYTHON": "its lack is an error",
		"TARRY_TEST_DIR": "the command that the tests of app run", "TARRY_TEST_DISKFULL": "of a child on a full disk",
		"PYACTOR_FAKE": "of a child that plays an actor", "PYENTRY_FAKE": "of a child that plays a policy",
		"TARRY_COST_SCHEDULER": "of a child that is measured",
		"TARRY_COST_TRACE":     "of that child",
		"TARRY_FIGURES":        "where pictures are kept", "TARRY_FOLDERS": "pages to look at",
		"TARRY_SCREENSHOTS": "where they are kept", "TARRY_EPISODES": "a file that Python's tests read",
		"TARRY_EPISODES_EACH": "its size (make pytest EACH=N)", "TARRY_ACTOR_ROWS": "a file that Python's tests read",
		"TARRY_FROZEN": "a folder that Python's tests read", "TARRY_LIBRARY_BUILT": "Python's library is there",
		"TARRY_VALIDATE":    "trainings as long as published ones, hours (make validate)",
		"TARRY_ORDER_AGAIN": "rewrites stored rows", "TARRY_TORTURE": "random cases for a time (make torture)",
		"TARRY_TORTURE_PARTS": "how many tests share it", "TARRY_TORTURE_SEED": "a case that is repeated",
	}
}

// asks gives the names of variables of the environment that a file reads.
func asks(f *ast.File) []string {
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return true
		}
		fun, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || fun.Sel.Name != "Getenv" && fun.Sel.Name != "LookupEnv" {
			return true
		}
		name := "a name that is no literal"
		if lit, ok := c.Args[0].(*ast.BasicLit); ok {
			name, _ = strconv.Unquote(lit.Value)
		}
		names = append(names, name)
		return true
	})
	return names
}

// importsTesting reports whether a file is part of a test or of what tests call.
func importsTesting(s *source) bool {
	found := s.test
	s.imports(func(_ *ast.ImportSpec, p string) { found = found || p == "testing" })
	return found
}

// TestOneSwitch: nothing but internal/effort decides which form a test takes, and the table above
// has no line without a reader.
func TestOneSwitch(t *testing.T) {
	read := map[string]bool{}
	for _, s := range parseModule(t) {
		if s.pkg == "internal/effort" || s.pkg == "internal/sharedata" || !importsTesting(s) {
			continue
		}
		for _, name := range asks(s.file) {
			read[name] = true
			if askedOf()[name] == "" {
				t.Errorf("%s reads %s from the environment: give it a line in forms_test.go, or, if it makes the test "+
					"longer, call internal/effort, or, if it names data, internal/sharedata", s.path, name)
			}
		}
	}
	for name := range askedOf() {
		if !read[name] && strings.HasPrefix(name, "TARRY_") {
			t.Errorf("no test reads %s, which forms_test.go lists", name)
		}
	}
}

// TestNightlyListsLongForms: "tools/nightly.sh list" names every place that gives a test a long
// form, every target of the fuzzer and every test of fresh random cases; "run" then runs them.
func TestNightlyListsLongForms(t *testing.T) {
	if err := exec.Command("git", "-C", moduleRoot, "rev-parse", "HEAD").Run(); err != nil {
		t.Skipf("no git, or no clone: %v", err)
	}
	c := exec.Command("bash", "tools/nightly.sh", "list")
	c.Dir = moduleRoot
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	forms, random := 0, 0
	for _, s := range parseModule(t) {
		if !importsTesting(s) || s.pkg == "internal/effort" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := x.X.(*ast.Ident); ok && id.Name == "effort" {
				forms++
				if want := "  " + s.at(x.Pos()) + ": "; !strings.Contains(string(out), want) {
					t.Errorf("nightly.sh does not list%s", want)
				}
			}
			return true
		})
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Fuzz") && !strings.HasPrefix(f.Name.Name, "TestTorture") || !s.test {
				continue
			}
			random++
			if want := "  " + s.pkg + " " + f.Name.Name + "\n"; !strings.Contains(string(out), want) {
				t.Errorf("nightly.sh does not list%s", want)
			}
		}
	}
	if forms < 15 || random < 60 {
		t.Errorf("%d long forms, %d random tests found, expected at least 15 and 60", forms, random)
	}
}
