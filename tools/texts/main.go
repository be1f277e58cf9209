// Command texts writes the strings of Go files that people read (errors, help, notes) as plain text
// for the linter of words: texts OUT FILE... writes OUT/FILE.txt for each FILE, in which each string
// stands on its line of the file. Tests are left out, and strings without a space: names and keys.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "texts: no folder, expected OUT FILE...")
		os.Exit(2)
	}
	for _, name := range os.Args[2:] {
		if err := write(os.Args[1], name); err != nil {
			fmt.Fprintln(os.Stderr, "texts:", err)
			os.Exit(1)
		}
	}
}

// write writes the strings of a file, unless it is a test or has none.
func write(out, name string) error {
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		return err
	}
	lines := texts(fset, f)
	if lines == nil {
		return nil
	}
	to := filepath.Join(out, name+".txt")
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, []byte(strings.Join(lines, "\n")+"\n"), 0o666)
}

// texts returns the lines of a file with its strings alone; nil = there are none.
func texts(fset *token.FileSet, f *ast.File) (lines []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil || !strings.Contains(strings.TrimSpace(text), " ") {
			return true
		}
		at := fset.Position(lit.Pos()).Line - 1
		if lit.Value[0] != '`' { // a raw string has its lines in the file, another one stands on one line
			text = strings.ReplaceAll(text, "\n", " ")
		}
		for i, part := range strings.Split(text, "\n") {
			for len(lines) <= at+i {
				lines = append(lines, "")
			}
			lines[at+i] = strings.TrimSpace(lines[at+i] + " " + part)
		}
		return true
	})
	return lines
}
