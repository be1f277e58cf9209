package config

import "tarry/internal/yamldoc"

// Entry is one setting of a flat file, with its place.
type Entry struct {
	Key, Value string
	// Where is file:line.
	Where string
}

// ReadFlat reads a YAML file of key: value, for settings whose meaning others know. A value is a
// scalar, or a list or mapping of scalars, which is given as JSON in one line. The error joins
// every fault.
func ReadFlat(path string) ([]Entry, error) {
	data, err := yamldoc.Load(path)
	if err != nil {
		return nil, err
	}
	m, faults := parseYAML(path, data)
	if m == nil {
		return nil, faults.err()
	}
	var out []Entry
	for _, key := range m.order {
		text, ok := inline(m.keys[key])
		if !ok {
			faults.add(m.names[key], "%s is %s, expected a value", key, describe(m.keys[key]))
			continue
		}
		out = append(out, Entry{key, text, place(path, m.names[key])})
	}
	return out, faults.err()
}

// inline writes a node in one line; false when there is nothing to write.
func inline(n *yamldoc.Node) (string, bool) {
	text, ok := appendInline(nil, n)
	return string(text), ok
}

func appendInline(text []byte, n *yamldoc.Node) ([]byte, bool) {
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
		if text, ok = appendInline(text, c); !ok {
			return text, false
		}
		if key {
			text = append(text, '"')
		}
	}
	return append(text, end), true
}
