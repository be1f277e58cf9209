package floors

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestNoInternalTypes: a program elsewhere can use whatever a public package declares. So no
// exported declaration names a type of an internal package: in no parameter, result, field, method,
// constraint or alias.
func TestNoInternalTypes(t *testing.T) {
	byPackage := map[string][]*ast.File{}
	for _, s := range parseModule(t) {
		if !s.test && s.file.Name.Name != "main" && !internalPath(module+"/"+s.pkg) {
			byPackage[s.pkg] = append(byPackage[s.pkg], s.file)
		}
	}
	if len(byPackage) < 50 {
		t.Fatalf("only %d public packages found", len(byPackage))
	}
	n := 0
	for pkg, files := range byPackage {
		for _, l := range leaks(files) {
			n++
			t.Errorf("%s: exported %s names %s, expected a public type", pkg, l.name, l.of)
		}
	}
	if n > 0 {
		t.Errorf("%d exported declarations of public packages name an internal type", n)
	}
}

// TestLeaksAreFound holds the check above against declarations that name an internal type, and
// others that do not.
func TestLeaksAreFound(t *testing.T) {
	const head = "package p\nimport \"tarry/internal/pack\"\nimport own \"tarry/internal/legible\"\nimport " +
		"\"tarry/sim\"\n"
	for text, want := range map[string]string{
		"func F(r *pack.Reader) {}":                                               "F",
		"func F() (n int, w []own.Writer) { return }":                             "F",
		"func F(w func(map[string]chan pack.W)) {}":                               "F",
		"func F[W pack.W](w W) {}":                                                "F",
		"func F(w sim.List[pack.W]) {}":                                           "F",
		"func F(sim.Job) { var w pack.W; _ = w }":                                 "",
		"func f(pack.W) {}":                                                       "",
		"type T struct { A, b int; C map[string]pack.W }":                         "T.C",
		"type T struct { hidden pack.W }":                                         "",
		"type T struct { *pack.W }":                                               "T.W",
		"type T struct { part }; type part struct { A pack.W; b pack.W }":         "T.part.A",
		"type T struct { A []part }; type part struct { B pack.W }":               "T.A.B",
		"type T interface { Do(pack.W) }":                                         "T.Do",
		"type T interface { do(pack.W) }":                                         "",
		"type T = pack.W":                                                         "T",
		"type T func() pack.W":                                                    "T",
		"type T struct{}; func (*T) M(pack.W) {}":                                 "T.M",
		"type T struct{}; func (*T) m(pack.W) {}":                                 "",
		"type t struct{}; func (*t) M(pack.W) {}":                                 "",
		"type T[W pack.W] struct{}; func (T[W]) M() pack.W { panic(0) }":          "T T.M",
		"type t struct{}; func (t) M(pack.W) {}; func F() t { return t{} }":       "F.M",
		"var V pack.W; var v pack.W; var Made = pack.New(); var ErrX = pack.ErrX": "Made V",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", head+text, 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		for _, l := range leaks([]*ast.File{f}) {
			got = append(got, l.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: found %q, expected %q", text, got, want)
		}
	}
}

// internalPath reports whether a package's API is for the module itself: packages below a folder
// internal, which Go closes, and packages below run but for the two that app.Catalogue names:
// docs/explain/releases.md promises nothing for the others and for packages of fidelity.
func internalPath(p string) bool {
	in, below := strings.CutPrefix(p, module+"/run/")
	return slices.Contains(strings.Split(p, "/"), "internal") || below && in != "parts" && in != "listing" ||
		strings.HasPrefix(p, module+"/fidelity/")
}

// leak is an exported declaration that names an internal type.
type leak struct{ name, of string }

// surface walks the exported declarations of one package.
type surface struct {
	imports map[*ast.File]map[string]string // name in a file -> path
	types   map[string]*ast.TypeSpec
	methods map[string][]*ast.FuncDecl
	fileOf  map[ast.Node]*ast.File
	open    map[string]bool // unexported types that are being walked
	found   []leak
}

// leaks lists what the exported declarations of a package name of internal packages, sorted.
func leaks(files []*ast.File) []leak {
	s := &surface{imports: map[*ast.File]map[string]string{}, types: map[string]*ast.TypeSpec{},
		methods: map[string][]*ast.FuncDecl{}, fileOf: map[ast.Node]*ast.File{}, open: map[string]bool{}}
	for _, f := range files {
		s.index(f)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			s.declaration(f, d)
		}
	}
	slices.SortFunc(s.found, func(a, b leak) int { return strings.Compare(a.name+" "+a.of, b.name+" "+b.of) })
	return slices.Compact(s.found)
}

// index notes what a file imports, and its types with their methods.
func (s *surface) index(f *ast.File) {
	s.imports[f] = map[string]string{}
	for _, i := range f.Imports {
		p := strings.Trim(i.Path.Value, `"`)
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		s.imports[f][name] = p
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				name := typeOfMethod(d)
				s.methods[name] = append(s.methods[name], d)
				s.fileOf[d] = f
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				if sp, ok := sp.(*ast.TypeSpec); ok {
					s.types[sp.Name.Name] = sp
					s.fileOf[sp] = f
				}
			}
		}
	}
}

// typeOfMethod is the name of a method's type.
func typeOfMethod(d *ast.FuncDecl) string {
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

func (s *surface) declaration(f *ast.File, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.IsExported() {
			s.walk(f, d.Name.Name, d.Type)
		}
	case *ast.GenDecl:
		for _, sp := range d.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				if sp.Name.IsExported() {
					s.named(sp.Name.Name, sp)
				}
			case *ast.ValueSpec:
				s.values(f, sp)
			}
		}
	}
}

// values looks at variables and constants; one without a type has its value's.
func (s *surface) values(f *ast.File, sp *ast.ValueSpec) {
	for i, n := range sp.Names {
		switch {
		case !n.IsExported():
		case sp.Type != nil:
			s.walk(f, n.Name, sp.Type)
		case i < len(sp.Values) && !strings.HasPrefix(n.Name, "Err"): // errors have the type error
			s.walk(f, n.Name, sp.Values[i])
		}
	}
}

// named walks a type and its exported methods.
func (s *surface) named(name string, sp *ast.TypeSpec) {
	if s.open[sp.Name.Name] {
		return
	}
	s.open[sp.Name.Name] = true
	defer delete(s.open, sp.Name.Name)
	f := s.fileOf[sp]
	if sp.TypeParams != nil {
		s.walk(f, name, sp.TypeParams)
	}
	s.walk(f, name, sp.Type)
	for _, m := range s.methods[sp.Name.Name] {
		if m.Name.IsExported() {
			s.walk(s.fileOf[m], name+"."+m.Name.Name, m.Type)
		}
	}
}

// walk looks for internal types in what is seen from outside of an expression. An unexported type
// of the package is looked into, since its exported fields and methods can be reached.
func (s *surface) walk(f *ast.File, name string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && internalPath(s.imports[f][x.Name]) {
				s.found = append(s.found, leak{name, x.Name + "." + n.Sel.Name})
			}
			return false
		case *ast.StructType:
			s.members(f, name, n.Fields)
			return false
		case *ast.InterfaceType:
			s.members(f, name, n.Methods)
			return false
		case *ast.Field: // a parameter: its name is no type
			s.walk(f, name, n.Type)
			return false
		case *ast.Ident:
			if sp := s.types[n.Name]; sp != nil && !n.IsExported() {
				s.named(name, sp)
			}
		}
		return true
	})
}

// members walks exported fields or methods, and what is embedded.
func (s *surface) members(f *ast.File, name string, list *ast.FieldList) {
	for _, m := range list.List {
		for _, n := range m.Names {
			if n.IsExported() {
				s.walk(f, name+"."+n.Name, m.Type)
			}
		}
		if len(m.Names) == 0 {
			s.walk(f, name+"."+embedded(m.Type), m.Type)
		}
	}
}

// embedded is the name of an embedded field.
func embedded(e ast.Expr) string {
	name := ""
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name = id.Name // of a selector the last
		}
		return true
	})
	return name
}
