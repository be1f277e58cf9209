package config

import (
	"os"

	"gopkg.in/yaml.v3"
)

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
	data, err := os.ReadFile(path)
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
func inline(n *yaml.Node) (string, bool) {
	n = follow(n)
	open, end := "[", "]"
	switch {
	case n.Kind == yaml.ScalarNode:
		return n.Value, n.Tag != "!!null"
	case len(n.Content) == 0:
		return "", false
	case n.Kind == yaml.MappingNode:
		open, end = "{", "}"
	}
	text := open
	for i, c := range n.Content {
		part, ok := inline(c)
		if !ok {
			return "", false
		}
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 1:
			text += ":"
		case i > 0:
			text += ","
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			part = `"` + part + `"`
		}
		text += part
	}
	return text + end, true
}
