package param

import (
	"fmt"
	"strconv"
	"strings"

	"tarry/internal/yamldoc"
)

// Child opens a mapping inside; it is empty when it was not given. An argument spells it with dots
// (costs.restore_s=5), and anywhere it may be written as text, costs: restore_s=5,start_s=1.
func (s *Set) Child(key string) *Set {
	n, path := s.values[key], s.path+key+"."
	switch {
	case s.doc.argument:
		return s.spelled(key, n)
	case n == nil:
		n = &yamldoc.Node{Kind: yamldoc.Mapping, Line: s.node.Line, Column: s.node.Column}
	case n.Kind == yamldoc.Scalar && strings.Contains(n.Value, "="):
		n = s.inner(key, n)
	}
	s.get(key, "key: value", "")
	c := s.doc.open(n, path)
	if c == nil { // the fault is noted
		return s.doc.open(&yamldoc.Node{Kind: yamldoc.Mapping, Line: n.Line, Column: n.Column}, path)
	}
	return c
}

// inner is the mapping that a text key=value,... stands for.
func (s *Set) inner(key string, n *yamldoc.Node) *yamldoc.Node {
	in := Parse(key, n.Value)
	for _, f := range in.doc.faults {
		s.doc.add(s.doc.place(n.Line, n.Column), "%s%s: %w", s.path, key, f.Err)
	}
	out := &yamldoc.Node{Kind: yamldoc.Mapping, Line: n.Line, Column: n.Column}
	for _, k := range in.order {
		for _, one := range [...]*yamldoc.Node{in.names[k], in.values[k]} {
			one.Line, one.Column = n.Line, n.Column+one.Column-1
			out.Content = append(out.Content, one)
		}
	}
	return out
}

// Dotted reports whether an argument has keys below one, key.x=...
func (s *Set) Dotted(key string) bool {
	if s.doc.argument {
		for k := range s.values {
			if strings.HasPrefix(k, key+".") {
				return true
			}
		}
	}
	return false
}

// spelled opens a mapping of an argument: the keys that begin with its name and a dot, and the keys
// of its text.
func (s *Set) spelled(key string, n *yamldoc.Node) *Set {
	c := &Set{doc: s.doc, node: s.node, path: s.path + key + ".", values: map[string]*yamldoc.Node{},
		names: map[string]*yamldoc.Node{}, outer: s}
	s.get(key, "key=value,... between double quotes, or each as "+key+".KEY=VALUE", "")
	if n != nil {
		c.node = n
		if strings.Contains(n.Value, "=") {
			in := s.inner(key, n)
			for i := 0; i+1 < len(in.Content); i += 2 {
				c.put(in.Content[i].Value, in.Content[i], in.Content[i+1])
			}
			s.doc.sets = append(s.doc.sets, c)
		} else {
			s.wrong(key, n, "key=value,... between double quotes, or "+key+".KEY=VALUE")
		}
	}
	for _, k := range s.order {
		if inner, ok := strings.CutPrefix(k, key+"."); ok {
			c.put(inner, s.names[k], s.values[k])
		}
	}
	return c
}

func (s *Set) put(key string, name, value *yamldoc.Node) {
	if _, twice := s.values[key]; twice {
		s.doc.add(s.doc.place(name.Line, name.Column), "%s%s appears twice", s.path, key)
		return
	}
	s.values[key], s.names[key] = value, name
	s.order = append(s.order, key)
}

// List opens a list of mappings.
func (s *Set) List(key string) []*Set {
	n := s.get(key, "a list", "")
	if n == nil {
		return nil
	}
	if n.Kind != yamldoc.List || len(n.Content) == 0 {
		s.wrong(key, n, "a list with at least one entry")
		return nil
	}
	var out []*Set
	for i, c := range n.Content {
		if one := s.doc.open(c, fmt.Sprintf("%s%s[%d].", s.path, key, i)); one != nil {
			out = append(out, one)
		}
	}
	return out
}

// Texts reads a list of texts, or one text. An argument has them in one value, joined by '+'.
func (s *Set) Texts(key string, def []string) []string {
	n := s.get(key, "a list of names", strings.Join(def, "+"))
	switch {
	case n == nil:
		return def
	case n.Kind == yamldoc.Scalar && s.doc.argument:
		return strings.Split(n.Value, "+")
	case n.Kind == yamldoc.Scalar && !yamldoc.Empty(n):
		return []string{n.Value}
	case n.Kind != yamldoc.List || len(n.Content) == 0:
		s.wrong(key, n, "a list of names")
		return def
	}
	return s.entries(key, n, "a name", nil)
}

// Entries reads a list of texts; each states in errors what one is.
func (s *Set) Entries(key, each string) []string { return s.list(key, each, nil) }

func (s *Set) list(key, each string, takes func(text string) bool) []string {
	n := s.get(key, "a list, each entry "+each, "")
	if n == nil {
		return nil
	}
	if n.Kind != yamldoc.List || len(n.Content) == 0 {
		s.wrong(key, n, "a list with at least one entry, each "+each)
		return nil
	}
	return s.entries(key, n, each, takes)
}

// entries gives the texts of a list; takes, unless nil, refuses some.
func (s *Set) entries(key string, n *yamldoc.Node, want string, takes func(text string) bool) []string {
	var out []string
	for i, c := range n.Content {
		if c.Kind != yamldoc.Scalar || yamldoc.Empty(c) || takes != nil && !takes(c.Value) {
			s.wrong(fmt.Sprintf("%s[%d]", key, i), c, want)
			continue
		}
		out = append(out, c.Value)
	}
	return out
}

// Ints reads a list of whole numbers in [lo, hi].
func (s *Set) Ints(key string, lo, hi int64) []int64 {
	var out []int64
	s.list(key, wholeSpan(lo, hi), func(text string) bool {
		v, err := strconv.ParseInt(text, 10, 64)
		ok := err == nil && v >= lo && v <= hi
		if ok {
			out = append(out, v)
		}
		return ok
	})
	return out
}

// IsMapping reports whether what was given for a key is a mapping, and not a text.
func (s *Set) IsMapping(key string) bool {
	n := s.values[key]
	return n != nil && n.Kind == yamldoc.Mapping || s.Dotted(key)
}

// Len is the number of entries of a list; 0 where something else or nothing was given.
func (s *Set) Len(key string) int {
	if !s.IsList(key) {
		return 0
	}
	return len(s.values[key].Content)
}

// IsList reports whether what was given for a key is a list.
func (s *Set) IsList(key string) bool {
	n := s.values[key]
	return n != nil && n.Kind == yamldoc.List
}
