package config

import "tarry/sim/param"

// Entry is one setting of a flat file, with its place.
type Entry struct {
	Key, Value string
	// Where is file:line:column.
	Where string
}

// ReadFlat reads a YAML file of key: value, for settings that other packages interpret. A value is
// a scalar, or a list or mapping of scalars, which is given as JSON in one line. The error joins
// every fault.
func ReadFlat(path string) ([]Entry, error) {
	s, err := param.ReadYAML(path)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, key := range s.Keys() {
		out = append(out, Entry{key, s.Line(key), s.Place(key).String()})
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return out, nil
}
