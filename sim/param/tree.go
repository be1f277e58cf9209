package param

import (
	"fmt"

	"tarry/internal/yamldoc"
)

// Tree gives a value whole, for settings that other packages interpret: text, []any or
// map[string]any; nil when it is not given. where, unless nil, gets the place of the value and of
// all inside it by their paths: "base.trace", "axes[0].values[2]". What is empty is a fault.
func (s *Set) Tree(key string, where func(path string, at Place)) any {
	n := s.get(key, "a value", "")
	if n == nil {
		return nil
	}
	note := func(path string, line, column int) {
		if where != nil {
			where(path, s.doc.place(line, column))
		}
	}
	name := s.names[key]
	note(s.path+key, name.Line, name.Column)
	return s.doc.tree(n, s.path+key, note)
}

// Places gives the place of every value by its path, as Tree does, and asks for none.
func (s *Set) Places(visit func(path string, at Place)) {
	for _, key := range s.order {
		name := s.names[key]
		visit(s.path+key, s.doc.place(name.Line, name.Column))
		s.doc.visit(s.values[key], s.path+key, visit)
	}
}

func (d *document) visit(n *yamldoc.Node, path string, visit func(path string, at Place)) {
	for i, c := range n.Content {
		switch {
		case n.Kind == yamldoc.List:
			p := fmt.Sprintf("%s[%d]", path, i)
			visit(p, d.place(c.Line, c.Column))
			d.visit(c, p, visit)
		case i%2 == 0:
			p := path + "." + c.Value
			visit(p, d.place(c.Line, c.Column))
			d.visit(n.Content[i+1], p, visit)
		}
	}
}

func (d *document) tree(n *yamldoc.Node, path string, note func(path string, line, column int)) any {
	switch {
	case n.Kind == yamldoc.Scalar && !yamldoc.Empty(n):
		return n.Value
	case n.Kind == yamldoc.Mapping:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, p := n.Content[i], path+"."+n.Content[i].Value
			if _, twice := out[k.Value]; twice {
				d.add(d.place(k.Line, k.Column), "%s appears twice", p)
				continue
			}
			note(p, k.Line, k.Column)
			if v := d.tree(n.Content[i+1], p, note); v != nil {
				out[k.Value] = v
			}
		}
		return out
	case n.Kind == yamldoc.List:
		list := []any{}
		for i, c := range n.Content {
			p := fmt.Sprintf("%s[%d]", path, i)
			note(p, c.Line, c.Column)
			if v := d.tree(c, p, note); v != nil {
				list = append(list, v)
			}
		}
		return list
	}
	d.add(d.place(n.Line, n.Column), "%s is %s, expected a value", path, describe(n))
	return nil
}

// Line gives a value in one line: a scalar as it is, a list or mapping of scalars as JSON would
// have it, its texts without quotes. "" with a fault when there is nothing to write.
func (s *Set) Line(key string) string {
	n := s.get(key, "a value", "")
	if n == nil {
		return ""
	}
	text, ok := appendLine(nil, n)
	if !ok {
		name := s.names[key]
		s.doc.add(s.doc.place(name.Line, name.Column), "%s%s is %s, expected a value", s.path, key, describe(n))
		return ""
	}
	return string(text)
}

func appendLine(text []byte, n *yamldoc.Node) ([]byte, bool) {
	switch {
	case n.Kind == yamldoc.Scalar:
		return append(text, n.Value...), !yamldoc.Empty(n)
	case len(n.Content) == 0:
		return text, false
	}
	open, end := byte('['), byte(']')
	if n.Kind == yamldoc.Mapping {
		open, end = '{', '}'
	}
	text = append(text, open)
	for i, c := range n.Content {
		ok, key := true, n.Kind == yamldoc.Mapping && i%2 == 0
		switch {
		case n.Kind == yamldoc.Mapping && i%2 == 1:
			text = append(text, ':')
		case i > 0:
			text = append(text, ',')
		}
		if key {
			text = append(text, '"')
		}
		if text, ok = appendLine(text, c); !ok {
			return text, false
		}
		if key {
			text = append(text, '"')
		}
	}
	return append(text, end), true
}
