package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tarry/internal/param"
)

// faults gathers what is wrong with one file.
type faults struct {
	file string
	// places, unless nil, say where each line comes from: the text was made from settings of elsewhere.
	places []string
	lines  []int
	errs   []error
}

// place names a line.
func (f *faults) place(line int) string {
	if i := line - 1; f.places != nil {
		if i >= 0 && i < len(f.places) && f.places[i] != "" {
			return f.places[i]
		}
		return f.file
	}
	return f.file + ":" + strconv.Itoa(line)
}

func (f *faults) add(n *yaml.Node, format string, args ...any) {
	at, _ := slices.BinarySearch(f.lines, n.Line+1) // behind those of the same line
	f.lines = slices.Insert(f.lines, at, n.Line)
	f.errs = slices.Insert(f.errs, at, fmt.Errorf("%s: "+format, append([]any{f.place(n.Line)}, args...)...))
}

// whole notes a fault of the file as a whole.
func (f *faults) whole(format string, args ...any) {
	f.lines = append(f.lines, 0)
	f.errs = append(f.errs, fmt.Errorf(f.file+": "+format, args...))
}

// err joins the faults in the order of their lines.
func (f *faults) err() error { return errors.Join(f.errs...) }

// mapping is a YAML mapping that is being read. Getters keep a value that is not there;
// end reports the keys that nobody asked for.
type mapping struct {
	f     *faults
	node  *yaml.Node
	path  string // of the mapping inside the file, "" or "costs."
	keys  map[string]*yaml.Node
	names map[string]*yaml.Node
	order []string
	asked []string
}

// parseYAML reads a file that holds one mapping.
func parseYAML(file string, data []byte) (*mapping, *faults) {
	f := &faults{file: file}
	d := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		f.whole("the file is empty, expected key: value")
		return nil, f
	case err != nil:
		f.whole("%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil, f
	}
	var more yaml.Node
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		f.whole("more than one document, expected one")
		return nil, f
	}
	return newMapping(f, doc.Content[0], ""), f
}

// newMapping opens a mapping node; nil, with a fault, when it is something else.
func newMapping(f *faults, n *yaml.Node, path string) *mapping {
	n = follow(n)
	if n.Kind != yaml.MappingNode {
		name := strings.TrimSuffix(path, ".")
		if name == "" {
			name = "the file"
		}
		f.add(n, "%s is %s, expected key: value", name, describe(n))
		return nil
	}
	m := &mapping{f: f, node: n, path: path, keys: map[string]*yaml.Node{}, names: map[string]*yaml.Node{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], follow(n.Content[i+1])
		if _, dup := m.keys[k.Value]; dup {
			f.add(k, "%s%s appears twice", path, k.Value)
			continue
		}
		m.keys[k.Value], m.names[k.Value] = v, k
		m.order = append(m.order, k.Value)
	}
	return m
}

// follow resolves an alias.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// describe names a value in an error.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		if len(n.Content) == 0 {
			return "an empty list"
		}
		return "a list"
	}
	if n.Tag == "!!null" {
		return "empty"
	}
	return strconv.Quote(n.Value)
}

func (m *mapping) get(key string) *yaml.Node {
	m.asked = append(m.asked, key)
	return m.keys[key]
}

// wrong notes a fault of a value.
func (m *mapping) wrong(key string, n *yaml.Node, want string) {
	m.f.add(n, "%s%s is %s, expected %s", m.path, key, describe(n), want)
}

func (m *mapping) text(key string, to *string) {
	if n := m.get(key); n != nil {
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			m.wrong(key, n, "text")
			return
		}
		*to = n.Value
	}
}

func (m *mapping) enum(key string, to *string, names ...string) {
	if n := m.get(key); n != nil {
		if n.Kind != yaml.ScalarNode || !slices.Contains(names, n.Value) {
			m.wrong(key, n, strings.Join(names, ", ")+param.Hint(n.Value, names))
			return
		}
		*to = n.Value
	}
}

// number reads a finite number in [lo, hi].
func (m *mapping) number(key string, to *float64, lo, hi float64) {
	n := m.get(key)
	if n == nil {
		return
	}
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
		want := fmt.Sprintf("a number in %v..%v", lo, hi)
		if math.IsInf(hi, 1) {
			want = fmt.Sprintf("a finite number >= %v", lo)
		}
		m.wrong(key, n, want)
		return
	}
	*to = v
}

// integer reads a whole number in [lo, hi].
func integer[T ~int | ~int64 | ~uint64](m *mapping, key string, to *T, lo, hi int64) {
	n := m.get(key)
	if n == nil {
		return
	}
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || err != nil || v < lo || v > hi {
		want := fmt.Sprintf("a whole number in %d..%d", lo, hi)
		if hi == math.MaxInt64 {
			want = fmt.Sprintf("a whole number >= %d", lo)
		}
		m.wrong(key, n, want)
		return
	}
	*to = T(v)
}

func (m *mapping) boolean(key string, to *bool) {
	if n := m.get(key); n != nil {
		if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" {
			m.wrong(key, n, "true or false")
			return
		}
		*to = n.Value == "true"
	}
}

// texts reads a list of texts, or one text.
func (m *mapping) texts(key string, to *[]string) {
	n := m.get(key)
	switch {
	case n == nil:
		return
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		*to = []string{n.Value}
		return
	case n.Kind != yaml.SequenceNode || len(n.Content) == 0:
		m.wrong(key, n, "a list of names")
		return
	}
	*to = nil
	for _, c := range n.Content {
		if c = follow(c); c.Kind != yaml.ScalarNode || c.Tag == "!!null" {
			m.wrong(key, c, "a name")
			continue
		}
		*to = append(*to, c.Value)
	}
}

// child opens a mapping inside; nil when it is not there or not a mapping.
func (m *mapping) child(key string) *mapping {
	n := m.get(key)
	if n == nil {
		return nil
	}
	return newMapping(m.f, n, m.path+key+".")
}

// children opens a list of mappings.
func (m *mapping) children(key string) []*mapping {
	n := m.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		m.wrong(key, n, "a list with at least one entry")
		return nil
	}
	var out []*mapping
	for i, c := range n.Content {
		if c := newMapping(m.f, c, fmt.Sprintf("%s%s[%d].", m.path, key, i)); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// end reports keys that nobody asked for.
func (m *mapping) end() {
	known := slices.Compact(slices.Sorted(slices.Values(m.asked)))
	for _, k := range m.order {
		if !slices.Contains(known, k) {
			m.f.add(m.names[k], "unknown field %q, expected one of %s%s", m.path+k, strings.Join(known, ", "), param.Hint(k, known))
		}
	}
}
