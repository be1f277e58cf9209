package floors

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The bounds of the layout: what docs/explain/build.md#sizes-of-the-code gives as reached.
const (
	maxChain    = 15   // packages that import one another, longest row
	maxInternal = 0.25 // of the lines of code that are no tests
)

// measures are the sizes of the module. Lines are of code without tests, if nothing else is stated.
type measures struct {
	lines, testLines int
	top              map[string]int // lines below each folder of the root
	chain            []string       // the longest row of imports, from the top down
	files, testFiles int            // files over 300 lines
	functions        int            // functions over 60 lines
	interfaces       []string       // exported ones with more than three methods
	exported         map[string]int // exported names of each package that others may import
	packages         int
	arrows, up       int // imports of one top folder by another, and imports that go up the table of layers
	mutual           int // pairs of top folders that import each other
	wide, widest     int // lines of code, tests too, over maxColumns, and the longest; a tab counts as one
}

// maxColumns is how long a line of code should be at most.
const maxColumns = 120

// measure reads the module.
func measure(t *testing.T) measures {
	m := measures{top: map[string]int{}, exported: map[string]int{}}
	imports := map[string]map[string]bool{}
	for _, s := range parseModule(t) {
		m.columns(t, s)
		if s.test {
			m.testLines += s.lines
			if s.lines > 300 {
				m.testFiles++
			}
			continue
		}
		m.lines += s.lines
		top, _, _ := strings.Cut(s.pkg, "/")
		m.top[top] += s.lines
		if s.lines > 300 {
			m.files++
		}
		if imports[s.pkg] == nil {
			imports[s.pkg] = map[string]bool{}
		}
		s.imports(func(_ *ast.ImportSpec, p string) {
			if to, ok := strings.CutPrefix(p, module+"/"); ok {
				imports[s.pkg][to] = true
			}
		})
		for _, n := range exportedNames(s.file) {
			if n.top && s.file.Name.Name != "main" {
				m.exported[s.pkg]++
			}
		}
		m.declarations(s)
	}
	m.packages = len(imports)
	m.chain = longestChain(imports)
	m.between(imports)
	slices.Sort(m.interfaces)
	return m
}

// declarations counts long functions and wide interfaces of a file.
func (m *measures) declarations(s *source) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch d := n.(type) {
		case *ast.FuncDecl:
			if s.fset.Position(d.End()).Line-s.fset.Position(d.Pos()).Line+1 > 60 {
				m.functions++
			}
		case *ast.TypeSpec:
			i, ok := d.Type.(*ast.InterfaceType)
			if !ok || !d.Name.IsExported() {
				return true
			}
			methods := 0
			for _, f := range i.Methods.List {
				methods += len(f.Names)
			}
			if methods > 3 {
				m.interfaces = append(m.interfaces, fmt.Sprintf("%s.%s (%d)", s.pkg, d.Name.Name, methods))
			}
		}
		return true
	})
}

// columns counts the long lines of a file, but for comments and the text of raw strings.
func (m *measures) columns(t *testing.T, s *source) {
	for _, n := range wide(t, s) {
		m.wide, m.widest = m.wide+1, max(m.widest, n)
	}
}

// wide gives the lines of code of a file that are over maxColumns, with their lengths. Comments are
// not counted, nor lines with a raw string: the text of a table of settings, or a tag.
func wide(t *testing.T, s *source) map[int]int {
	text, err := os.ReadFile(moduleRoot + "/" + s.path)
	if err != nil {
		t.Fatal(err)
	}
	raw := map[int]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(l.Value, "`") {
			for i := s.fset.Position(l.Pos()).Line; i <= s.fset.Position(l.End()).Line; i++ {
				raw[i] = true
			}
		}
		return true
	})
	found, number := map[int]int{}, 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, "\n")
		n := utf8.RuneCountInString(line)
		if n > maxColumns && !raw[number] && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			found[number] = n
		}
	}
	return found
}

// TestColumns keeps lines of code short enough for two files side by side.
func TestColumns(t *testing.T) {
	for _, s := range parseModule(t) {
		for number, n := range wide(t, s) {
			t.Errorf("%s:%d has %d columns, at most %d", s.path, number, n, maxColumns)
		}
	}
}

// between counts the imports between top folders.
func (m *measures) between(imports map[string]map[string]bool) {
	found := map[[2]string]bool{}
	for pkg, tos := range imports {
		from, _, _ := strings.Cut(pkg, "/")
		for to := range tos {
			if top, _, _ := strings.Cut(to, "/"); top != from {
				found[[2]string{from, top}] = true
			}
		}
	}
	for a := range found {
		m.arrows++
		if arrow(a[0], a[1], false) != "" {
			m.up++
		}
		if a[0] < a[1] && found[[2]string{a[1], a[0]}] {
			m.mutual++
		}
	}
}

// longestChain gives the longest row of packages of which each imports the next; the first by name
// of several.
func longestChain(imports map[string]map[string]bool) []string {
	best := map[string][]string{}
	var below func(pkg string) []string
	below = func(pkg string) []string {
		if row, ok := best[pkg]; ok {
			return row
		}
		var rest []string
		for _, to := range slices.Sorted(maps.Keys(imports[pkg])) {
			if row := below(to); len(row) > len(rest) {
				rest = row
			}
		}
		best[pkg] = append([]string{pkg}, rest...)
		return best[pkg]
	}
	var longest []string
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		if row := below(pkg); len(row) > len(longest) {
			longest = row
		}
	}
	return longest
}

// String is the list that docs/explain/build.md#sizes-of-the-code keeps: go test ./internal/floors -run TestMeasures -v
// prints it.
func (m measures) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("packages: %d; lines of code: %d, of tests: %d", m.packages, m.lines, m.testLines)
	for _, top := range slices.SortedFunc(maps.Keys(m.top), func(a,
		b string) int {
		return cmp.Or(m.top[b]-m.top[a], strings.Compare(a, b))
	}) {
		line("  %-12s %6d lines, %4.1f %%", top, m.top[top], 100*float64(m.top[top])/float64(m.lines))
	}
	line("longest import chain: %d packages: %s", len(m.chain), strings.Join(m.chain, " > "))
	line("imports between top folders: %d, %d of them up, %d pairs that import each other", m.arrows, m.up, m.mutual)
	line("lines of code over %d columns: %d, the longest %d", maxColumns, m.wide, m.widest)
	line("files over 300 lines: %d (and %d of tests); functions over 60 lines: %d", m.files, m.testFiles, m.functions)
	line("exported interfaces over 3 methods: %d: %s", len(m.interfaces), strings.Join(m.interfaces, ", "))
	counts := slices.Sorted(maps.Values(m.exported))
	total := 0
	for _, n := range counts {
		total += n
	}
	line("exported names: %d in %d packages, median %d, most:", total, len(counts), counts[len(counts)/2])
	by := slices.SortedFunc(maps.Keys(m.exported), func(a, b string) int {
		return cmp.Or(m.exported[b]-m.exported[a],
			strings.Compare(a, b))
	})
	for _, pkg := range by[:min(8, len(by))] {
		line("  %-28s %3d", pkg, m.exported[pkg])
	}
	return b.String()
}

// TestMeasures bounds the longest import chain and the share of internal, and prints all sizes.
func TestMeasures(t *testing.T) {
	m := measure(t)
	t.Logf("\n%s", m)
	if len(m.chain) > maxChain {
		t.Errorf("the longest import chain has %d packages, at most %d: %s", len(m.chain), maxChain,
			strings.Join(m.chain, " > "))
	}
	if share := float64(m.top["internal"]) / float64(m.lines); share > maxInternal {
		t.Errorf("internal has %.3f of the lines of code, at most %.3f", share, maxInternal)
	}
}

// TestLongestChain by hand: the longer way round counts.
func TestLongestChain(t *testing.T) {
	to := func(names ...string) map[string]bool {
		m := map[string]bool{}
		for _, n := range names {
			m[n] = true
		}
		return m
	}
	got := longestChain(map[string]map[string]bool{"top": to("low", "mid"), "mid": to("low2"), "low2": to("low"),
		"low": to(), "side": to("low")})
	if want := []string{"top", "mid", "low2", "low"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}
