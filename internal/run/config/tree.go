package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tarry/internal/yamldoc"
)

// Tree is a YAML file whose meaning others know.
type Tree struct {
	// Value is the file's mapping. A value is text, []any or map[string]any.
	Value map[string]any
	// Where gives the file:line of every value by its path: "base.trace", "axes[0].values[2]".
	Where map[string]string
}

// ReadTree reads a YAML file that holds one mapping. The error joins every fault: a key that appears
// twice, an empty value.
func ReadTree(path string) (Tree, error) {
	data, err := yamldoc.Load(path)
	if err != nil {
		return Tree{}, err
	}
	return ParseTree(path, data)
}

// ParseTree reads the text of a file that is called path in errors.
func ParseTree(path string, data []byte) (Tree, error) {
	m, faults := parseYAML(path, data)
	if m == nil {
		return Tree{}, faults.err()
	}
	r := treeReader{faults: faults, where: map[string]string{}}
	t := Tree{Value: r.mapping(m), Where: r.where}
	return t, faults.err()
}

// treeReader turns nodes into values.
type treeReader struct {
	faults *faults
	where  map[string]string
}

func (r *treeReader) mapping(m *mapping) map[string]any {
	out := map[string]any{}
	for _, key := range m.order {
		p := m.path + key
		r.where[p] = r.faults.place(m.names[key].Line)
		if v := r.value(m.keys[key], p); v != nil {
			out[key] = v
		}
	}
	return out
}

// value gives nil, with a fault, for what is no value.
func (r *treeReader) value(n *yamldoc.Node, path string) any {
	switch {
	case n.Kind == yamldoc.Scalar && !yamldoc.Empty(n):
		return n.Value
	case n.Kind == yamldoc.Mapping:
		if m := newMapping(r.faults, n, path+"."); m != nil {
			return r.mapping(m)
		}
		return nil
	case n.Kind == yamldoc.List:
		list := []any{}
		for i, c := range n.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			r.where[at] = r.faults.place(c.Line)
			if v := r.value(c, at); v != nil {
				list = append(list, v)
			}
		}
		return list
	}
	r.faults.add(n, "%s is %s, expected a value", path, describe(n))
	return nil
}

// FromSettings gives settings the form of a run's YAML file. A value is text, []any or
// map[string]any. where tells the place of a setting for errors; name stands where it says "".
func FromSettings(name string, settings map[string]any, where func(key string) string) (*File, error) {
	f := &File{path: name, data: []byte("{\n"), places: []string{""}}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		k, err := json.Marshal(key)
		v, bad := json.Marshal(settings[key])
		if err := errors.Join(err, bad); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, key, err)
		}
		f.data = append(append(append(append(f.data, k...), ": "...), v...), ",\n"...)
		f.places = append(f.places, where(key))
	}
	f.data = append(f.data, "}\n"...)
	return f, nil
}

// Fields lists the settings of a run's YAML file.
func Fields() []string {
	m := &mapping{f: &faults{}, keys: map[string]*yamldoc.Node{}, names: map[string]*yamldoc.Node{}}
	c := Default()
	(&File{}).read(m, &c)
	return slices.Compact(slices.Sorted(slices.Values(m.asked)))
}
