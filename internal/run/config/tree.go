package config

import "tarry/sim/param"

// Tree is a YAML file whose meaning others know.
type Tree struct {
	// Value is the file's mapping. A value is text, []any or map[string]any.
	Value map[string]any
	// Where gives the file:line:column of every value by its path: "base.trace", "axes[0].values[2]".
	Where map[string]string
}

// ReadTree reads a YAML file that holds one mapping. The error joins every fault: a key that appears
// twice, an empty value.
func ReadTree(path string) (Tree, error) {
	s, err := param.ReadYAML(path)
	if err != nil {
		return Tree{}, err
	}
	return treeOf(s)
}

// ParseTree reads the text of a file that is called path in errors.
func ParseTree(path string, data []byte) (Tree, error) {
	s, err := param.ParseYAML(path, data)
	if err != nil {
		return Tree{}, err
	}
	return treeOf(s)
}

func treeOf(s *param.Set) (Tree, error) {
	t := Tree{map[string]any{}, map[string]string{}}
	for _, key := range s.Keys() {
		if v := s.Tree(key, func(path string, at param.Place) { t.Where[path] = at.String() }); v != nil {
			t.Value[key] = v
		}
	}
	return t, s.Err()
}
