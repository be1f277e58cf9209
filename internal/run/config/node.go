package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/internal/yamldoc"
	"tarry/sim/param"
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

func (f *faults) add(n *yamldoc.Node, format string, args ...any) {
	if f.full() {
		return
	}
	at, _ := slices.BinarySearch(f.lines, n.Line+1) // behind those of the same line
	f.lines = slices.Insert(f.lines, at, n.Line)
	f.errs = slices.Insert(f.errs, at, fmt.Errorf("%s: "+format, append([]any{f.place(n.Line)}, args...)...))
}

// mostFaults bounds what is told of one file: thousands of lines help nobody.
const mostFaults = 100

// full reports whether no more faults are taken; it says so once.
func (f *faults) full() bool {
	if len(f.errs) == mostFaults {
		f.lines = append(f.lines, math.MaxInt)
		f.errs = append(f.errs, fmt.Errorf("%s: more than %d faults, the others are not listed", f.file, mostFaults))
	}
	return len(f.errs) > mostFaults
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
	node  *yamldoc.Node
	path  string // of the mapping inside the file, "" or "costs."
	keys  map[string]*yamldoc.Node
	names map[string]*yamldoc.Node
	order []string
	asked []string
}

// parseYAML reads a file that holds one mapping.
func parseYAML(file string, data []byte) (*mapping, *faults) {
	f := &faults{file: file}
	root, err := yamldoc.Parse(data, "key: value")
	switch {
	case err == nil:
		return newMapping(f, root, ""), f
	case err.Line == 0:
		f.whole("%s", err.Text)
	default:
		f.add(&yamldoc.Node{Line: err.Line}, "%s", err.Text)
	}
	return nil, f
}

// newMapping opens a mapping node; nil, with a fault, when it is something else.
func newMapping(f *faults, n *yamldoc.Node, path string) *mapping {
	if n.Kind != yamldoc.Mapping {
		name := strings.TrimSuffix(path, ".")
		if name == "" {
			name = "the file"
		}
		f.add(n, "%s is %s, expected key: value", name, describe(n))
		return nil
	}
	m := &mapping{f: f, node: n, path: path, keys: map[string]*yamldoc.Node{}, names: map[string]*yamldoc.Node{}}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if _, dup := m.keys[k.Value]; dup {
			f.add(k, "%s%s appears twice", path, k.Value)
			continue
		}
		m.keys[k.Value], m.names[k.Value] = v, k
		m.order = append(m.order, k.Value)
	}
	return m
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

func (m *mapping) get(key string) *yamldoc.Node {
	m.asked = append(m.asked, key)
	return m.keys[key]
}

// wrong notes a fault of a value.
func (m *mapping) wrong(key string, n *yamldoc.Node, want string) {
	m.f.add(n, "%s%s is %s, expected %s", m.path, key, describe(n), want)
}

func (m *mapping) text(key string, to *string) {
	if n := m.get(key); n != nil {
		if n.Kind != yamldoc.Scalar || yamldoc.Empty(n) {
			m.wrong(key, n, "text")
			return
		}
		*to = n.Value
	}
}

func (m *mapping) enum(key string, to *string, names ...string) {
	if n := m.get(key); n != nil {
		if n.Kind != yamldoc.Scalar || !slices.Contains(names, n.Value) {
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
	if n.Kind != yamldoc.Scalar || err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
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
	if n.Kind != yamldoc.Scalar || err != nil || v < lo || v > hi {
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
		if n.Kind != yamldoc.Scalar || n.Value != "true" && n.Value != "false" {
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
	case n.Kind == yamldoc.Scalar && !yamldoc.Empty(n):
		*to = []string{n.Value}
		return
	case n.Kind != yamldoc.List || len(n.Content) == 0:
		m.wrong(key, n, "a list of names")
		return
	}
	*to = nil
	for _, c := range n.Content {
		if c.Kind != yamldoc.Scalar || yamldoc.Empty(c) {
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
	if n.Kind != yamldoc.List || len(n.Content) == 0 {
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
		if !slices.Contains(known, k) && !m.f.full() {
			m.f.add(m.names[k], "unknown field %q, expected one of %s%s", m.path+k, strings.Join(known, ", "), param.Hint(k, known))
		}
	}
}
