package param

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tarry/internal/yamldoc"
)

// ReadYAML reads a file that holds one mapping, key: value. The error states that there is none;
// what is wrong inside is left to Set.Err.
func ReadYAML(path string) (*Set, error) {
	text, err := LoadYAML(path)
	if err != nil {
		return nil, err
	}
	return ParseYAML(path, text)
}

// ReadYAMLFrom is ReadYAML of an open file that errors call file.
func ReadYAMLFrom(r io.Reader, file string) (*Set, error) {
	text, err := yamldoc.LoadFrom(r)
	if err != nil {
		return nil, &Fault{Place{File: file}, err}
	}
	return ParseYAML(file, text)
}

// LoadYAML reads a file for ParseYAML, or as much of it as that needs to refuse one that is too
// long.
func LoadYAML(path string) ([]byte, error) { return yamldoc.Load(path) }

// ParseYAML is ReadYAML of a text that errors call file.
func ParseYAML(file string, text []byte) (*Set, error) {
	d := &document{file: file, noun: "field"}
	root, fault := yamldoc.Parse(text, "key: value")
	if fault != nil {
		return nil, &Fault{Place{File: file, Line: fault.Line}, fmt.Errorf("%s", fault.Text)}
	}
	s := d.open(root, "")
	if s == nil {
		return nil, d.err()
	}
	return s, nil
}

// FromTree makes a set of settings that were gathered elsewhere: text, numbers and truth values,
// lists and mappings of these. where gives the place of a setting by its path ("costs",
// "costs.restore_s", "policies[1]"); where it gives "", the place of its parent is used, or name.
func FromTree(name string, settings map[string]any, where func(path string) string) *Set {
	d := &document{file: name, noun: "field", places: []string{}}
	root := (&grown{d, where}).node(settings, "", 0)
	d.controls(root)
	return d.open(root, "")
}

// Noun is what errors call a key that was not asked for ("unknown setting"), in place of "field" or
// "key".
func (s *Set) Noun(noun string) { s.doc.noun = noun }

// controls notes characters that no file may have either.
func (d *document) controls(n *yamldoc.Node) {
	for _, r := range n.Value {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			d.add(d.place(n.Line, n.Column), "a text holds the control character %U, expected none", r)
			break
		}
	}
	for _, c := range n.Content {
		d.controls(c)
	}
}

func scalar(text string, line int) *yamldoc.Node {
	return &yamldoc.Node{Kind: yamldoc.Scalar, Value: text, Line: line}
}

// grown makes the nodes of a tree: each has a line of its own, whose place is noted.
type grown struct {
	doc   *document
	where func(path string) string
}

// line is the line of the value at a path, inside one of the line outer.
func (g *grown) line(path string, outer int) int {
	at := g.where(path)
	if at == "" {
		at = g.doc.place(outer, 0).File
	}
	g.doc.places = append(g.doc.places, at)
	return len(g.doc.places)
}

// node writes a value as a YAML file would have it.
func (g *grown) node(v any, path string, line int) *yamldoc.Node {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Invalid:
		return &yamldoc.Node{Kind: yamldoc.Scalar, Tag: "!!null", Line: line}
	case reflect.String:
		return scalar(r.String(), line)
	case reflect.Float64:
		return scalar(strconv.FormatFloat(r.Float(), 'g', -1, 64), line)
	case reflect.Slice:
		n := &yamldoc.Node{Kind: yamldoc.List, Line: line}
		for i := range r.Len() {
			p := fmt.Sprintf("%s[%d]", path, i)
			n.Content = append(n.Content, g.node(r.Index(i).Interface(), p, g.line(p, line)))
		}
		return n
	case reflect.Map:
		n := &yamldoc.Node{Kind: yamldoc.Mapping, Line: line}
		keys := r.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			p := strings.TrimPrefix(path+"."+k.String(), ".")
			at := g.line(p, line)
			n.Content = append(n.Content, scalar(k.String(), at), g.node(r.MapIndex(k).Interface(), p, at))
		}
		return n
	}
	return scalar(fmt.Sprint(v), line)
}

// open reads a mapping; nil, with a fault, when it is something else. path is "" or "costs.".
func (d *document) open(n *yamldoc.Node, path string) *Set {
	if n.Kind != yamldoc.Mapping {
		name := strings.TrimSuffix(path, ".")
		if name == "" {
			name = "the file"
		}
		d.add(d.place(n.Line, n.Column), "%s is %s, expected key: value", name, describe(n))
		return nil
	}
	s := &Set{doc: d, node: n, path: path, values: map[string]*yamldoc.Node{}, names: map[string]*yamldoc.Node{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if _, twice := s.values[k.Value]; twice {
			d.add(d.place(k.Line, k.Column), "%s%s appears twice", path, k.Value)
			continue
		}
		s.values[k.Value], s.names[k.Value] = v, k
		s.order = append(s.order, k.Value)
	}
	d.sets = append(d.sets, s)
	return s
}

// describe names a value in an error.
func describe(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Mapping:
		return "a mapping"
	case yamldoc.List:
		if len(n.Content) == 0 {
			return "an empty list"
		}
		return "a list"
	}
	if yamldoc.Empty(n) {
		return "empty"
	}
	const most = 200 // bytes of a value in an error
	if len(n.Value) > most {
		return fmt.Sprintf("%q... (%d bytes)", n.Value[:most], len(n.Value))
	}
	return strconv.Quote(n.Value)
}
