package floors

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "tarry"

// source is one parsed Go file of the module.
type source struct {
	// path is relative to the module root, pkg the folder of it; both with slashes.
	path, pkg string
	file      *ast.File
	fset      *token.FileSet
	lines     int
	test      bool
}

// at names a place, relative to the module root.
func (s *source) at(pos token.Pos) string {
	p := s.fset.Position(pos)
	return s.path + ":" + strconv.Itoa(p.Line)
}

// imports lists the paths that the file imports, with the name given to each.
func (s *source) imports(visit func(spec *ast.ImportSpec, path string)) {
	for _, i := range s.file.Imports {
		visit(i, strings.Trim(i.Path.Value, `"`))
	}
}

// parseModule gives every Go file of the module, parsed once for all tests, which only read them.
func parseModule(t *testing.T) []*source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d Go files found", len(all))
	}
	return all
}

var parsed = sync.OnceValues(parse)

// parse parses every Go file of the module. Folders with a go.mod of their own are other modules.
func parse() (all []*source, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return nil, fmt.Errorf("the module root is not two folders up: %w", err)
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root && (strings.HasPrefix(base, ".") || base == "testdata" || base == "build" ||
				base == "tools") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		all = append(all, &source{path: rel, pkg: path.Dir(rel), file: f, fset: fset,
			lines: fset.File(f.Pos()).LineCount(), test: strings.HasSuffix(base, "_test.go")})
		return nil
	})
	return all, err
}
